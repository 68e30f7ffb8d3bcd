// Places of anchors and supports as functions of time, from the phases of the gaits.
#include "sinew/rod/schedules.h"

#include <cmath>
#include <numbers>

#include "sinew/math/check.h"

namespace sinew::rod {
namespace {

constexpr double edge = 1e-12;  // of the length: a contact exactly at an end is on the rod

template <class G>
void dress(const Supports& where, std::size_t i, Contact<G>& c) {
  SINEW_ASSERT(i < where.C.size());
  c.kind = ContactKind::Support;
  c.slot = int(i);
  if (i < where.side.size()) c.side = where.side[i] > 0.0 ? 1 : where.side[i] < 0.0 ? -1 : 0;
  if (i < where.mu.size()) c.mu = where.mu[i];
}

}  // namespace

int worm_slots(const WormGait& gait, double l) {
  SINEW_ASSERT(gait.lam > 0.0 && l > 0.0);
  return std::min(most_contacts, int(std::floor(l / gait.lam + 1e-9)) + 1);
}

Schedule<Line> worm_anchors(const WormGait& gait, double l, ContactKind kind) {
  return [=, slots = worm_slots(gait, l)](double t, double, Contact<Line>* out) {
    const double first = gait.phi(t) + 0.25 * gait.lam;
    double C = first - gait.lam * std::floor((first + edge * l) / gait.lam);
    int count = 0;
    for (; C <= l * (1.0 + edge) && count < slots; C += gait.lam, count++) {
      out[count] = {};
      out[count].kind = kind;
      out[count].slot = count;
      out[count].C = std::min(std::max(C, 0.0), l);
      out[count].C_t = gait.c0 + gait.acc * t;
      out[count].C_tt = gait.acc;
    }
    return count;
  };
}

Schedule<Plane> inchworm_clamps(const InchwormGait& gait, double l) {
  const double half = 0.5 * std::numbers::pi / gait.om;
  return [=](double, double of, Contact<Plane>* out) {
    const bool tail = std::fmod(std::floor(of / half + 1e-7), 2.0) == 1.0;  // times come from files: 1.570796327
    out[0] = {};
    out[0].kind = ContactKind::LockedAnchor;
    out[0].C = tail ? l : 0.0;
    out[0].slot = tail ? 1 : 0;
    return 1;
  };
}

template <class G>
Schedule<G> supports(const Supports& where, const SnakeGait& gait, double l) {
  return [=](double t, double, Contact<G>* out) {
    const double shift = gait.s(where.t_C) - gait.s(t);
    int count = 0;
    for (std::size_t i = 0; i < where.C.size(); i++) {
      double C = where.C[i] + shift;
      if (where.period > 0.0) C -= where.period * std::floor((C + edge * l) / where.period);
      for (; C <= l * (1.0 + edge) && count < most_contacts; C += where.period) {
        if (C >= -edge * l) {
          Contact<G>& c = out[count++] = {};
          dress(where, i, c);
          c.C = std::min(std::max(C, 0.0), l);
          c.C_t = -gait.V(t);
          c.C_tt = -gait.V_t(t);
        }
        if (where.period <= 0.0) break;
      }
    }
    return count;
  };
}

template <class G>
Schedule<G> fixed_supports(const Supports& where) {
  return [=](double, double, Contact<G>* out) {
    for (std::size_t i = 0; i < where.C.size(); i++) {
      out[i] = {};
      dress(where, i, out[i]);
      out[i].C = where.C[i];
    }
    return int(where.C.size());
  };
}

template <class G>
Schedule<G> base_clamp() {
  return [](double, double, Contact<G>* out) {
    out[0] = {};
    out[0].kind = ContactKind::LockedAnchor;
    return 1;
  };
}

#define SINEW_INSTANTIATE_SCHEDULES(G)                                         \
  template Schedule<G> supports<G>(const Supports&, const SnakeGait&, double); \
  template Schedule<G> fixed_supports<G>(const Supports&);                     \
  template Schedule<G> base_clamp<G>();
SINEW_INSTANTIATE_SCHEDULES(Plane)
SINEW_INSTANTIATE_SCHEDULES(Space)

}  // namespace sinew::rod
