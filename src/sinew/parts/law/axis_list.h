// Laws on a joint axis that one number per axis switches on; 0: no impulse. To add one: write its header, then one line
// in SINEW_AXIS_LAWS: its type, and the key of [joint.NAME] that holds the number. Plan, parameters, keys, checks, rows and
// the energy account run over the list.
#pragma once
#include <cstdint>
#include <vector>

#include "sinew/parts/law/dry_friction.h"

#define SINEW_AXIS_LAWS(X) X(DryFriction, dry_friction)

namespace sinew::law {

#define SINEW_LAW(Law, key) Law,
enum class AxisLawKind : std::uint8_t { SINEW_AXIS_LAWS(SINEW_LAW) };
#undef SINEW_LAW

// What a joint's plan and the parameters of a model hold: one number per axis and law.
template <class S>
struct AxisLawNumbers {
#define SINEW_LAW(Law, key) std::vector<S> key;
  SINEW_AXIS_LAWS(SINEW_LAW)
#undef SINEW_LAW
};

// f.operator()<Law>(kind, key, numbers) for each law; numbers are those of the holder.
template <class Holder, class F>
void each_axis_law(Holder& holder, F&& f) {
#define SINEW_LAW(Law, key) f.template operator()<Law>(AxisLawKind::Law, #key, holder.key);
  SINEW_AXIS_LAWS(SINEW_LAW)
#undef SINEW_LAW
}

// f.operator()<Law>() for the law known at run time.
template <class F>
decltype(auto) visit_axis_law(AxisLawKind kind, F&& f) {
  switch (kind) {
#define SINEW_LAW(Law, key) \
  case AxisLawKind::Law:    \
    return f.template operator()<Law>();
    SINEW_AXIS_LAWS(SINEW_LAW)
#undef SINEW_LAW
  }
  __builtin_unreachable();
}

// f.operator()<Law>(numbers) with the holder's numbers for the law known at run time.
template <class Holder, class F>
decltype(auto) visit_axis_law(AxisLawKind kind, Holder& holder, F&& f) {
  switch (kind) {
#define SINEW_LAW(Law, key) \
  case AxisLawKind::Law:    \
    return f.template operator()<Law>(holder.key);
    SINEW_AXIS_LAWS(SINEW_LAW)
#undef SINEW_LAW
  }
  __builtin_unreachable();
}

}  // namespace sinew::law
