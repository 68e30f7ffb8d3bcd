#include "sinew/model/state.h"

#include <bit>

#include "sinew/math/check.h"
#include "sinew/model/compile.h"

namespace sinew {
namespace {

// FNV-1a over 64-bit words, with a final mix so that every bit of the input reaches every bit of the hash.
struct Hasher {
  std::uint64_t h = 0xcbf29ce484222325u;
  void add(std::uint64_t word) { h = (h ^ word) * 0x100000001b3u, h ^= h >> 29; }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
};

}  // namespace

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
State<S> broadcast(const State<double>& a) {
  State<S> s;
  s.t = a.t;
  s.steps = a.steps;
  s.dt = a.dt;
  s.iterations = a.iterations, s.residual = a.residual;
  s.q.assign(a.q.begin(), a.q.end());
  s.u.assign(a.u.begin(), a.u.end());
  s.contact.assign(a.contact.begin(), a.contact.end());
  s.axis_P.assign(a.axis_P.begin(), a.axis_P.end());
  s.pad.assign(a.pad.begin(), a.pad.end());
  s.past.assign(a.past.begin(), a.past.end());
  s.engine.assign(a.engine.begin(), a.engine.end());
  s.memory.assign(a.memory.begin(), a.memory.end());
  std::vector<double> bounces;
  for_each_bounce(a.bounces, [&](double x) { bounces.push_back(x); });
  auto next = bounces.begin();
  for_each_bounce(s.bounces, [&](S& x) { x = S(*next++); });
  s.work = {S(a.work.actuators), S(a.work.external), S(a.work.damping),
            S(a.work.friction),  S(a.work.impact),   S(a.work.start)};
  return s;
}
template State<double> broadcast(const State<double>&);
template State<Lanes> broadcast(const State<double>&);

}  // namespace sinew
