// Numbers as bytes and back, little-endian: states of an FMU, and what its resources hold beside the scenario. Who reads trusts nobody.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinew::fmi {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

class BytesError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class BytesWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t(list.size()));
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }
  void put(std::string_view text) { bytes += text; }

  std::string bytes;
};

class BytesReader {
 public:
  explicit BytesReader(std::string_view bytes) : rest_(bytes) {}

  void expect(std::string_view text, const char* what) {
    if (!rest_.starts_with(text)) throw BytesError(what);
    rest_.remove_prefix(text.size());
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void take(T& value) {
    need(sizeof value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void take(std::vector<T>& list) {
    std::uint64_t n = 0;
    take(n);
    if (n > rest_.size() / sizeof(T)) throw BytesError("it is cut off");
    list.resize(n);
    if (n > 0) std::memcpy(list.data(), rest_.data(), n * sizeof(T));
    rest_.remove_prefix(n * sizeof(T));
  }
  // A list that must have the size it has already.
  template <class T>
  requires std::is_arithmetic_v<T>
  void take_as_many(std::vector<T>& list) {
    const std::size_t n = list.size();
    take(list);
    if (list.size() != n) throw BytesError("it is of another model");
  }
  void finish() const {
    if (!rest_.empty()) throw BytesError("there is more than belongs there");
  }

 private:
  void need(std::size_t n) const {
    if (rest_.size() < n) throw BytesError("it is cut off");
  }
  std::string_view rest_;
};

}  // namespace sinew::fmi
