#include "sinew/world/contacts.h"

#include <fmt/format.h>

#include "sinew/math/check.h"
#include "sinew/world/contact_point.h"

namespace sinew {
std::string contact_name(const Model& model, int pair) {
  SINEW_CHECK(pair >= 0 && pair < model.pair_count(), "contact_name: pair ", pair, " of ", model.pair_count());
  const ShapePair p = model.pair(pair);
  return model.shapes[p.shape2].name + ":" + (p.shape1 < 0 ? "ground" : model.shapes[p.shape1].name);
}

template <Real S>
ContactTotal<S> total_of(const World<S>& world) {
  ContactTotal<S> sum;
  const State<S>& state = world.state;
  const S rate = S(state.dt > 0.0 ? 1.0 / state.dt : 0.0);
  for_each_slot(world.model(), state, [&](const ShapePair&, int, const S* s) {
    const auto touches = s[slot::key] > S(0.0);
    sum.count += select(touches, S(1.0), S(0.0));
    sum.normal += select(touches, (s[slot::P] - s[slot::pull]) * rate, S(0.0));
    sum.penetration = select(touches, max(sum.penetration, -s[slot::gap]), sum.penetration);
  });
  return sum;
}

template <Real S>
void read_bodies_touched(const World<S>& world, const std::vector<Vec3<S>>& p_WC, std::vector<BodyContact<S>>& out) {
  SINEW_ASSERT(out.size() == world.model().links.size() && p_WC.size() == world.model().links.size());
  const Model& model = world.model();
  const State<S>& state = world.state;
  const S rate = S(state.dt > 0.0 ? 1.0 / state.dt : 0.0);
  for (BodyContact<S>& b : out) {
    b.count = b.normal = b.pressing = b.slip = S(0.0);
    b.force = b.torque = b.point = Vec3<S>::zero();
  }
  for_each_slot(model, state, [&](const ShapePair& pair, int, const S* s) {
    const auto touches = s[slot::key] > S(0.0);
    if (!any(touches)) return;
    const auto force = [&](int row) { return select(touches, s[slot::P + row] * rate, S(0.0)); };
    const Vec3<S> n = vector_at(s, slot::n), t1 = vector_at(s, slot::t1), t2 = cross(n, t1),
                  p = vector_at(s, slot::point);
    const S net = force(0) - select(touches, s[slot::pull] * rate, S(0.0));
    const Vec3<S> f = n * net + t1 * force(1) + t2 * force(2), m = n * force(3) + t1 * force(4) + t2 * force(5);
    for (const int shape : {pair.shape2, pair.shape1}) {
      const int link = shape < 0 ? world_body : model.shapes[shape].link;
      if (link < 0) continue;
      const S sign = S(shape == pair.shape2 ? 1.0 : -1.0);
      BodyContact<S>& b = out[link];
      b.count += select(touches, S(1.0), S(0.0));
      b.normal += net;
      b.pressing += force(0);
      b.slip = select(force(0) > S(0.0), max(b.slip, s[slot::slip]), b.slip);
      b.force += f * sign;
      b.torque += (m + cross(p - p_WC[link], f)) * sign;
      b.point += p * force(0);
    }
  });
  for (BodyContact<S>& b : out) {
    const auto pressed = b.pressing > S(0.0);
    for (int k = 0; k < 3; k++) b.point[k] = select(pressed, b.point[k] / select(pressed, b.pressing, S(1.0)), S(0.0));
  }
}

std::string axis_law_name(const Model& model, int axis_row) {
  SINEW_CHECK(axis_row >= 0 && axis_row < int(model.axis_rows.size()), "axis_law_name: row ", axis_row, " of ",
              model.axis_rows.size());
  static constexpr const char* kinds[] = {"lower end", "upper end", "", "servo"};
  const AxisRowInfo& row = model.axis_rows[axis_row];
  const JointInfo& joint = model.joints[row.joint];
  const std::string axis = joint.n_axes > 1 ? fmt::format(", axis {}", row.component) : "";
  const char* name = kinds[int(row.kind)];
  if (row.kind == AxisRowInfo::Kind::Law) name = law::visit_axis_law(row.law, []<class L>() { return L::name; });
  return fmt::format("{} of joint {}{}", name, joint.name, axis);
}

template <Real S>
void read_contacts(const World<S>& world, std::vector<ContactReading<S>>& out) {
  SINEW_ASSERT(out.size() == world.model().pairs.size());
  SINEW_ASSERT(world.state.contact.size() == std::size_t(world.model().n_slots) * slot::size);
  const Model& model = world.model();
  const State<S>& state = world.state;
  const S rate = S(state.dt > 0.0 ? 1.0 / state.dt : 0.0);
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const ShapePair& pair = model.pairs[i];
    ContactReading<S>& r = out[i];
    PointSum<S> sum;
    sum.clear(r);
    for (int k = pair.slot; k < pair.slot + pair.n_slots; k++)
      sum.add(state.contact.data() + std::size_t(k) * slot::size, rate, r);
    sum.finish(r);
  }
}

#define SINEW_INSTANTIATE_CONTACTS(S)                                                                            \
  template void read_contacts(const World<S>&, std::vector<ContactReading<S>>&);                                 \
  template void read_bodies_touched(const World<S>&, const std::vector<Vec3<S>>&, std::vector<BodyContact<S>>&); \
  template ContactTotal<S> total_of(const World<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_CONTACTS)

}  // namespace sinew
