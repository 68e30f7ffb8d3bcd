// What a caller has promised, said where it is relied on.
//   SINEW_ASSERT(condition)             debug and sanitizer builds: prints the place and aborts. With NDEBUG the condition is
//                                       compiled but never evaluated. For everything inside a step.
//   SINEW_CHECK(condition, words...)    always: throws CallError. For doors, where a wrong caller would spoil a run in silence:
//                                       constructors, make_*, set_*, matrices of any size. Never inside a step, which does not throw.
//                                       The words are texts and whole numbers that are joined, "World: state has ", n, ...
#pragma once
#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sinew {

// A mistake in the program that calls the library, not in a plan or a file of its user.
class CallError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace promise {

[[noreturn]] void broken(const char* file, int line, const char* condition) noexcept;
[[noreturn]] void refuse(const std::string& message);

inline std::string word(std::string_view text) { return std::string(text); }
inline std::string word(std::integral auto number) { return std::to_string(number); }
template <class... Words>
[[noreturn, gnu::noinline, gnu::cold]] void refuse_with(const Words&... words) {
  refuse((std::string() + ... + word(words)));
}

}  // namespace promise
}  // namespace sinew

#ifdef NDEBUG
#define SINEW_ASSERT(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#else
#define SINEW_ASSERT(...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::sinew::promise::broken(__FILE__, __LINE__, #__VA_ARGS__))
#endif

#define SINEW_CHECK(condition, ...) ((condition) ? static_cast<void>(0) : ::sinew::promise::refuse_with(__VA_ARGS__))
