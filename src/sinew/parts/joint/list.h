// The joint kinds. To add one: write its header, then one line in SINEW_JOINT_KINDS.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "sinew/math/check.h"
#include "sinew/parts/joint/ball.h"
#include "sinew/parts/joint/cylindrical.h"
#include "sinew/parts/joint/flex.h"
#include "sinew/parts/joint/free.h"
#include "sinew/parts/joint/planar.h"
#include "sinew/parts/joint/prismatic.h"
#include "sinew/parts/joint/revolute.h"
#include "sinew/parts/joint/universal.h"
#include "sinew/parts/joint/weld.h"

#define SINEW_JOINT_KINDS(X) \
  X(Free) X(Planar) X(Revolute) X(Universal) X(Ball) X(Prismatic) X(Weld) X(Flex) X(Cylindrical)

namespace sinew {

#define SINEW_KIND(J) J,
enum class JointKind : std::uint8_t { SINEW_JOINT_KINDS(SINEW_KIND) };
#undef SINEW_KIND

namespace joint {

#define SINEW_KIND(J) static_assert(Joint<J>);
SINEW_JOINT_KINDS(SINEW_KIND)
#undef SINEW_KIND

#define SINEW_KIND(J) JointKind::J,
inline constexpr std::array all_kinds{SINEW_JOINT_KINDS(SINEW_KIND)};
#undef SINEW_KIND

// Calls f.operator()<J>() for the kind J known at run time: one jump, everything inside inlined.
template <class F>
SINEW_INLINE decltype(auto) visit(JointKind kind, F&& f) {
  SINEW_ASSERT(std::size_t(kind) < all_kinds.size());
  switch (kind) {
#define SINEW_KIND(J) \
  case JointKind::J:  \
    return f.template operator()<J>();
    SINEW_JOINT_KINDS(SINEW_KIND)
#undef SINEW_KIND
  }
  __builtin_unreachable();
}

inline int coordinate_count(JointKind k) {
  return visit(k, []<class J>() { return J::nq; });
}
inline int freedom_count(JointKind k) {
  return visit(k, []<class J>() { return J::nu; });
}
inline std::string_view name_of(JointKind k) {
  return visit(k, []<class J>() { return std::string_view(J::name); });
}

}  // namespace joint
}  // namespace sinew
