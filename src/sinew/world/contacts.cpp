#include "sinew/world/contacts.h"

#include <fmt/format.h>

#include <limits>

namespace sinew {
namespace {

constexpr double sliding = 1e-6;  // [m/s]

template <Real S>
Vec3<S> vector_at(const S* slot, int first) {
  return {slot[first], slot[first + 1], slot[first + 2]};
}

template <Real S>
void add_point(const S* s, S rate, ContactReading<S>& r, Vec3<S>& sum_of_points) {
  const auto touches = s[slot::key] > S(0.0);
  const auto force = [&](int row) { return select(touches, s[slot::P + row] * rate, S(0.0)); };
  const Vec3<S> n = vector_at(s, slot::n), t1 = vector_at(s, slot::t1), t2 = cross(n, t1),
                p = vector_at(s, slot::point);
  const S N = force(0);
  const S one = select(touches, S(1.0), S(0.0));
  r.count += one;
  r.normal += N;
  r.friction += t1 * force(1) + t2 * force(2);
  r.torque += n * force(3) + t1 * force(4) + t2 * force(5);
  r.point += p * N;
  sum_of_points += p * one;
  r.gap = select(touches, min(r.gap, s[slot::gap]), r.gap);
  r.slip = select(N > S(0.0), max(r.slip, s[slot::slip]), r.slip);
}

}  // namespace

std::string contact_name(const Model& model, int pair) {
  const ShapePair& p = model.pairs[pair];
  return model.shapes[p.shape2].name + ":" + (p.shape1 < 0 ? "ground" : model.shapes[p.shape1].name);
}

ContactTotal total_of(const std::vector<ContactReading<double>>& contacts) {
  ContactTotal sum;
  for (const auto& c : contacts) {
    sum.count += c.count, sum.normal += c.normal;
    if (-c.gap > sum.penetration) sum.penetration = -c.gap;
  }
  return sum;
}

std::string axis_law_name(const Model& model, int axis_row) {
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
  const Model& model = world.model();
  const State<S>& state = world.state;
  const S rate = S(state.dt > 0.0 ? 1.0 / state.dt : 0.0);
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const ShapePair& pair = model.pairs[i];
    ContactReading<S>& r = out[i];
    r.count = r.normal = r.slip = S(0.0);
    r.friction = r.torque = r.point = Vec3<S>::zero();
    r.gap = S(std::numeric_limits<double>::infinity());
    Vec3<S> sum_of_points = Vec3<S>::zero();
    for (int k = pair.slot; k < pair.slot + pair.n_slots; k++)
      add_point(state.contact.data() + std::size_t(k) * slot::size, rate, r, sum_of_points);
    const auto touches = r.count > S(0.0), pressed = r.normal > S(0.0);
    const S weight = select(pressed, r.normal, select(touches, r.count, S(1.0)));
    for (int k = 0; k < 3; k++) r.point[k] = select(pressed, r.point[k], sum_of_points[k]) / weight;
    r.state = select(r.slip > S(sliding), S(contact_state::slip),
                     select(touches, S(contact_state::stick), S(contact_state::open)));
  }
}

template void read_contacts(const World<double>&, std::vector<ContactReading<double>>&);
template void read_contacts(const World<Lanes>&, std::vector<ContactReading<Lanes>>&);

}  // namespace sinew
