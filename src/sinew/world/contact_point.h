// The contact points of a pair, summed into its reading.
#pragma once
#include <limits>

#include "sinew/world/contacts.h"

namespace sinew {

template <Real S>
Vec3<S> vector_at(const S* slot, int first) {
  return {slot[first], slot[first + 1], slot[first + 2]};
}

template <Real S>
struct PointSum {
  static constexpr double sliding = 1e-6;  // [m/s]
  Vec3<S> points = Vec3<S>::zero();        // of all that touch
  S pressing = S(0.0);                     // normal forces without adhesion

  static void clear(ContactReading<S>& r) {
    r.count = r.normal = r.slip = S(0.0);
    r.push = r.friction = r.torque = r.point = Vec3<S>::zero();
    r.gap = S(std::numeric_limits<double>::infinity());
  }

  // s: what a slot remembers; rate: one over the length of the step
  void add(const S* s, const S& rate, ContactReading<S>& r) {
    const auto touches = s[slot::key] > S(0.0);
    if (!any(touches)) return;
    const auto force = [&](int row) { return select(touches, s[slot::P + row] * rate, S(0.0)); };
    const Vec3<S> n = vector_at(s, slot::n), t1 = vector_at(s, slot::t1), t2 = cross(n, t1),
                  p = vector_at(s, slot::point);
    const S N = force(0);
    const S one = select(touches, S(1.0), S(0.0));
    r.count += one;
    const S net = N - select(touches, s[slot::pull] * rate, S(0.0));
    r.normal += net;
    r.push += n * net;
    pressing += N;
    r.friction += t1 * force(1) + t2 * force(2);
    r.torque += n * force(3) + t1 * force(4) + t2 * force(5);
    r.point += p * N;
    points += p * one;
    r.gap = select(touches, min(r.gap, s[slot::gap]), r.gap);
    r.slip = select(N > S(0.0), max(r.slip, s[slot::slip]), r.slip);
  }

  void finish(ContactReading<S>& r) const {
    const auto touches = r.count > S(0.0), pressed = pressing > S(0.0);
    const S weight = select(pressed, pressing, select(touches, r.count, S(1.0)));
    for (int k = 0; k < 3; k++) r.point[k] = select(pressed, r.point[k], points[k]) / weight;
    r.state = select(r.slip > S(sliding), S(contact_state::slip),
                     select(touches, S(contact_state::stick), S(contact_state::open)));
  }
};

}  // namespace sinew
