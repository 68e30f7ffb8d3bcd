#include "sinew/model/state.h"

#include "sinew/math/check.h"
#include "sinew/math/hash.h"
#include "sinew/model/compile.h"

namespace sinew {

template <Real S>
std::uint64_t hash(const State<S>& state, int which) {
  SINEW_ASSERT(which >= 0 && which < lanes_of<S>);
  Hasher hasher;
  hasher.add(state.t);
  hasher.add(std::uint64_t(state.steps));
  for_each_number(state, [&](S x) { hasher.add(lane(x, which)); });
  return hasher.h;
}
template std::uint64_t hash(const State<double>&, int);
template std::uint64_t hash(const State<Lanes>&, int);

template <Real S>
std::vector<std::size_t> list_sizes(const State<S>& state) {
  std::vector<std::size_t> sizes;
  for_each_list(state, [&](const char*, const std::vector<S>& list) { sizes.push_back(list.size()); });
  return sizes;
}
template std::vector<std::size_t> list_sizes(const State<double>&);
template std::vector<std::size_t> list_sizes(const State<Lanes>&);

template <Real To, Real From>
State<To> shaped_like(const State<From>& from) {
  State<To> s;
  static_cast<StepClock&>(s) = from;
  const std::vector<std::size_t> sizes = list_sizes(from);
  auto size = sizes.begin();
  for_each_list(s, [&](const char*, std::vector<To>& list) { list.assign(*size++, To(0.0)); });
  return s;
}
template State<double> shaped_like(const State<double>&);
template State<double> shaped_like(const State<Lanes>&);
template State<Lanes> shaped_like(const State<double>&);

template <Real S>
State<S> broadcast(const State<double>& a) {
  State<S> s = shaped_like<S>(a);
  std::vector<double> numbers;
  for_each_number(a, [&](double x) { numbers.push_back(x); });
  auto next = numbers.begin();
  for_each_number(s, [&](S& x) { x = S(*next++); });
  return s;
}
template State<double> broadcast(const State<double>&);
template State<Lanes> broadcast(const State<double>&);

}  // namespace sinew
