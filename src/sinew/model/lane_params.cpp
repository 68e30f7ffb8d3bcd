// Structured bindings name all members of what is compared: a new one does not compile until it is compared here as well.
#include "sinew/model/lane_params.h"

#include <cstring>
#include <type_traits>

#include "sinew/math/check.h"
#include "sinew/model/compile.h"

namespace sinew {
namespace {

bool same(const Vec3d& a, const Vec3d& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }
bool same(const Posed& a, const Posed& b) {
  return same(a.p, b.p) && same(a.R.c[0], b.R.c[0]) && same(a.R.c[1], b.R.c[1]) && same(a.R.c[2], b.R.c[2]);
}

bool same(const Link& a, const Link& b) {
  const auto& [kind, parent, joint, q, u, axis, driven, aligned, leaf, last, angle, root, end, limb, X] = a;
  return kind == b.kind && parent == b.parent && joint == b.joint && q == b.q && u == b.u && axis == b.axis &&
         driven == b.driven && aligned == b.aligned && leaf == b.leaf && last == b.last_child && angle == b.angle &&
         root == b.root && end == b.tree_end && limb == b.limb && same(X, b.X_FB);
}

bool same(const JointInfo& a, const JointInfo& b) {
  const auto& [name, kind, parent, child, axis, n_axes, coord, n_coords, link, cut, spring, servo, driven, torque,
               motion, drive, in_rows] = a;
  return name == b.name && kind == b.kind && parent == b.parent && child == b.child && axis == b.axis &&
         n_axes == b.n_axes && coord == b.coord && n_coords == b.n_coords && link == b.link && cut == b.cut &&
         spring == b.has_spring && servo == b.has_servo && driven == b.driven && torque == b.has_torque &&
         motion == b.motion && drive == b.drive && in_rows == b.servo_in_rows;
}

bool same(const Cut& a, const Cut& b) {
  const auto& [joint, kind, body1, body2, row, n_ideal, n_rows] = a;
  return joint == b.joint && kind == b.kind && body1 == b.body1 && body2 == b.body2 && row == b.row &&
         n_ideal == b.n_ideal && n_rows == b.n_rows;
}

bool same(const CouplingTerm& a, const CouplingTerm& b) {
  const auto& [joint, axis, body1, body2] = a;
  return joint == b.joint && axis == b.axis && body1 == b.body1 && body2 == b.body2;
}

bool same(const Coupling& a, const Coupling& b) {
  const auto& [name, row, term, n_terms, joint] = a;
  return name == b.name && row == b.row && term == b.term && n_terms == b.n_terms && joint == b.joint;
}

bool same(const Shape& a, const Shape& b) {
  const auto& [kind, radius, half_length, half, mesh] = a;
  return kind == b.kind && radius == b.radius && half_length == b.half_length && same(half, b.half) && mesh == b.mesh;
}

bool same(const ShapeInfo& a, const ShapeInfo& b) {
  const auto& [name, shape, link, X_FS, along, material, index, is_ground] = a;
  return name == b.name && same(shape, b.shape) && link == b.link && same(X_FS, b.X_FS) && same(along, b.along_F) &&
         material == b.material && index == b.material_index && is_ground == b.is_ground;
}

bool same(const ShapePair& a, const ShapePair& b) {
  const auto& [shape1, shape2, law, slot, n_slots, axes_of] = a;
  return shape1 == b.shape1 && shape2 == b.shape2 && law == b.law && slot == b.slot && n_slots == b.n_slots &&
         axes_of == b.axes_of;
}

bool same(const MaterialPair& a, const MaterialPair& b) {
  const auto& [law, orients] = a;
  return law == b.law && orients == b.first_orients;
}

bool same(const Patch& a, const Patch& b) {
  const auto& [name, x, y, disc, center, radius2, law] = a;
  return name == b.name && x[0] == b.x[0] && x[1] == b.x[1] && y[0] == b.y[0] && y[1] == b.y[1] && disc == b.disc &&
         center[0] == b.center[0] && center[1] == b.center[1] && radius2 == b.radius2 && law == b.law;
}

bool same(const Pad& a, const Pad& b) {
  const auto& [name, group, points, per_point] = a;
  return name == b.name && group == b.group && points == b.points && per_point == b.per_point;
}

bool same(const PadGroupPlan& a, const PadGroupPlan& b) {
  const auto& [name, on, period, phase, duty] = a;
  return name == b.name && on == b.on && period == b.period && phase == b.phase && duty == b.duty;
}

bool same(const AxisRowInfo& a, const AxisRowInfo& b) {
  const auto& [kind, joint, component, law, side] = a;
  return kind == b.kind && joint == b.joint && component == b.component && law == b.law && side == b.side;
}

bool same(const drive::Setup& a, const drive::Setup& b) {
  const auto& [kind, level, control, align, rate, loop_rate, force_rate, delay, force_delay, align_time, parts,
               decouple, shaped, angle, rubs, play, encoder, blind_from, blind_until, sweep] = a;
  return kind == b.kind && level == b.level && control == b.control && align == b.align && rate == b.rate &&
         loop_rate == b.loop_rate && force_rate == b.force_rate && delay == b.delay && force_delay == b.force_delay &&
         align_time == b.align_time && parts == b.parts && decouple == b.decouple && shaped == b.is_shaped &&
         angle == b.is_angle && rubs == b.rubs && play == b.has_play && encoder == b.encoder &&
         blind_from == b.blind_from && blind_until == b.blind_until && sweep == b.sweep;
}

bool same(const DriveInfo& a, const DriveInfo& b) {
  const auto& [name, joint, axis, q, u, memory, motion, setup, transmission, row, moved_q, moved_u, moved_axis,
               jacobian] = a;
  return name == b.name && joint == b.joint && axis == b.axis && q == b.q && u == b.u && memory == b.memory &&
         motion == b.motion && same(setup, b.setup) && transmission == b.transmission && row == b.row &&
         moved_q == b.moved_q && moved_u == b.moved_u && moved_axis == b.moved_axis && jacobian == b.by_jacobian;
}

bool same(const ServoDriveInfo& a, const ServoDriveInfo& b) {
  const auto& [name, joint] = a;
  return name == b.name && joint == b.joint;
}

bool same(const CableInfo& a, const CableInfo& b) {
  const auto& [name, kind, point, n_points, motion] = a;
  return name == b.name && kind == b.kind && point == b.point && n_points == b.n_points && motion == b.motion;
}

bool same(const ReflectedInfo& a, const ReflectedInfo& b) {
  const auto& [link, axis, n_axes, transmission] = a;
  return link == b.link && axis == b.axis && n_axes == b.n_axes && transmission == b.transmission;
}

bool same(const RodInfo& a, const RodInfo& b) {
  const auto& [name, base, tip] = a;
  return name == b.name && base == b.base && tip == b.tip;
}

bool same(const LoadInfo& a, const LoadInfo& b) {
  const auto& [name, link, motion, follows] = a;
  return name == b.name && link == b.link && motion == b.motion && follows == b.follows;
}

bool same(const MarkerInfo& a, const MarkerInfo& b) {
  const auto& [name, link, p] = a;
  return name == b.name && link == b.link && same(p, b.p_B);
}

bool same(const Terrain& a, const Terrain& b) {
  const auto& [kind, normal, height, steps, field, rough, profile, mesh] = a;
  const auto& [rms, length, seed, level] = rough;
  const auto& [faces, pieces, across, beyond] = profile;
  const auto& [count, start, rise, run, width] = steps;
  const auto& [nx, ny, x0, y0, dx, dy, z] = field;
  return kind == b.kind && same(normal, b.normal) && height == b.height && mesh == b.mesh && count == b.steps.count &&
         start == b.steps.start && rise == b.steps.rise && run == b.steps.run && width == b.steps.width &&
         nx == b.field.nx && ny == b.field.ny && x0 == b.field.x0 && y0 == b.field.y0 && dx == b.field.dx &&
         dy == b.field.dy && z == b.field.z && rms == b.rough.rms && length == b.rough.length && seed == b.rough.seed &&
         level == b.rough.level && faces == b.profile.x && pieces == b.profile.z && across == b.profile.width &&
         beyond == b.profile.beyond;
}

bool same(const ContactOptions& a, const ContactOptions& b) {
  const auto& [response, impact, forces, stiff_step, solver, tolerance, gap, beta, between, share, culling, capacity,
               prox] = a;
  const auto& [r_N, r_T, r_V, max_iter] = prox;
  return response == b.response && impact == b.impact && forces == b.forces && stiff_step == b.stiff_step &&
         solver == b.solver && tolerance == b.tolerance && gap == b.activation_gap && beta == b.beta &&
         between == b.between_bodies && share == b.share_stiffness && culling == b.culling && capacity == b.capacity &&
         r_N == b.prox.r_N && r_T == b.prox.r_T && r_V == b.prox.r_V && max_iter == b.prox.max_iter;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); i++)
    if (!same(a[i], b[i])) return false;
  return true;
}

// Of one lane: the eight bytes of it in each register of an object that is made of them. What else the object holds is the same in both.
template <class T>
void copy_lane(T& to, const T& from, int lane) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(Lanes) == 0);
  auto* const t = reinterpret_cast<unsigned char*>(&to);
  const auto* const f = reinterpret_cast<const unsigned char*>(&from);
  for (std::size_t at = sizeof(double) * std::size_t(lane); at < sizeof(T); at += sizeof(Lanes))
    std::memcpy(t + at, f + at, sizeof(double));
}

void copy_lane(Motion<Lanes>& to, const Motion<Lanes>& from, int lane) {
  auto& [offset, rate, amplitude, frequency, phase, ramp, start, passage, table] = to;
  for (auto [t, f] : {std::pair{&offset, &from.offset},
                      {&rate, &from.rate},
                      {&amplitude, &from.amplitude},
                      {&frequency, &from.frequency},
                      {&phase, &from.phase},
                      {&ramp, &from.ramp},
                      {&start, &from.start}})
    t->set(lane, (*f)[lane]);
  copy_lane<Passage<Lanes>>(passage, from.passage, lane);
}

template <class T>
void copy_lane(std::vector<T>& to, const std::vector<T>& from, int lane) {
  SINEW_ASSERT(to.size() == from.size());
  for (std::size_t i = 0; i < to.size(); i++) copy_lane(to[i], from[i], lane);
}

// What is no number of a lane.
bool same_once(const Params<Lanes>& a, const Params<Lanes>& b) {
  if (a.gravity.kind != b.gravity.kind || a.motions.size() != b.motions.size() ||
      a.penalty_laws.size() != b.penalty_laws.size() || a.transmissions.size() != b.transmissions.size())
    return false;
  for (std::size_t i = 0; i < a.motions.size(); i++)
    if (a.motions[i].table != b.motions[i].table) return false;
  for (std::size_t i = 0; i < a.penalty_laws.size(); i++) {
    const PenaltyLaw<Lanes>&x = a.penalty_laws[i], &y = b.penalty_laws[i];
    if (x.friction != y.friction || x.rule != y.rule || x.compensate_load != y.compensate_load) return false;
  }
  for (std::size_t i = 0; i < a.transmissions.size(); i++) {
    const Transmission<Lanes>&x = a.transmissions[i].rods, &y = b.transmissions[i].rods;
    if (x.kind != y.kind || x.n != y.n) return false;
  }
  return true;
}

}  // namespace

bool can_step_together(const Model& a, const Model& b) {
  const auto& [coordinates, links, body_names, robot, n_robots, flyers, joints, cuts, couplings, coupling_terms, nq, nu,
               n_frame_axes, angles, n_prescribed_q, n_prescribed_u, n_axes, n_coords, n_rows, n_motions, rods, drives,
               servo_drives, cables, cable_links, drag_links, lifted_links, loads, reflected, n_transmissions, has_sun,
               has_driven, has_torques, has_dampers, ranks, single, n_rank_axes, n_limbs, shapes, pairs, crowd, n_slots,
               materials, between, patches, soft_ground, apart, axis_rows, pads, pads_of, pad_groups, has_shear,
               terrain, contact, implicit_servos, substeps, contact_frequency, stiff_contacts, thinnest,
               adaptive_tolerance, freeze_forces, joint_rule, velocity_terms, projection, sensors, markers, memory,
               cuts_downward, plant] = a;
  const bool of_plan = coordinates == b.coordinates && same(links, b.links) && body_names == b.body_names &&
                       robot == b.robot && n_robots == b.n_robots && flyers == b.flyers && same(joints, b.joints) &&
                       same(cuts, b.cuts) && same(couplings, b.couplings) && same(coupling_terms, b.coupling_terms) &&
                       same(rods, b.rods) && same(drives, b.drives) && same(servo_drives, b.servo_drives) &&
                       same(cables, b.cables) && cable_links == b.cable_links && drag_links == b.drag_links &&
                       lifted_links == b.lifted_links && same(loads, b.loads) && same(reflected, b.reflected);
  const bool of_sizes = nq == b.nq && nu == b.nu && n_frame_axes == b.n_frame_axes && angles == b.angles &&
                        n_prescribed_q == b.n_prescribed_q && n_prescribed_u == b.n_prescribed_u &&
                        n_axes == b.n_axes && n_coords == b.n_coords && n_rows == b.n_rows &&
                        n_motions == b.n_motions && n_transmissions == b.n_transmissions &&
                        ranks.size() == b.ranks.size() && single == b.single && n_rank_axes == b.n_rank_axes &&
                        n_limbs == b.n_limbs;
  const bool of_flags = has_sun == b.has_sun && has_driven == b.has_driven && has_torques == b.has_torques &&
                        has_dampers == b.has_dampers && has_shear == b.has_shear &&
                        implicit_servos == b.implicit_servos && freeze_forces == b.freeze_forces &&
                        joint_rule == b.joint_rule && velocity_terms == b.velocity_terms && projection == b.projection;
  const bool of_contacts = same(shapes, b.shapes) && same(pairs, b.pairs) && crowd == b.crowd && n_slots == b.n_slots &&
                           materials == b.materials && same(between, b.between) && same(patches, b.patches) &&
                           soft_ground == b.soft_ground && apart == b.apart && same(axis_rows, b.axis_rows) &&
                           same(pads, b.pads) && pads_of == b.pads_of && same(pad_groups, b.pad_groups) &&
                           same(terrain, b.terrain) && same(contact, b.contact);
  const bool of_steps = substeps == b.substeps && contact_frequency == b.contact_frequency &&
                        stiff_contacts == b.stiff_contacts && thinnest == b.thinnest &&
                        adaptive_tolerance == b.adaptive_tolerance;
  const bool of_rest = sensors.size() == b.sensors.size() && same(markers, b.markers) && memory == b.memory &&
                       cuts_downward == b.cuts_downward && !plant && !b.plant;
  return of_plan && of_sizes && of_flags && of_contacts && of_steps && of_rest;
}

bool can_share(const Model& a, const Model& b) {
  return a.sensors.empty() && b.sensors.empty() && can_step_together(a, b);
}

bool set_lane_params(Params<Lanes>& wide, int lane, const Params<double>& params) {
  SINEW_CHECK(lane >= 0 && lane < lane_count, "set_lane_params: lane ", lane, " of ", lane_count);
  const Params<Lanes> one = broadcast<Lanes>(params);
  if (!same_once(wide, one)) return false;
  copy_lane(wide.links, one.links, lane);
  copy_lane(wide.cuts, one.cuts, lane);
  copy_lane(wide.couplings, one.couplings, lane);
  copy_lane(wide.coupling_terms, one.coupling_terms, lane);
  copy_lane(wide.springs, one.springs, lane);
  copy_lane(wide.armature, one.armature, lane);
  copy_lane(wide.transmissions, one.transmissions, lane);
  copy_lane(wide.rest, one.rest, lane);
  copy_lane(wide.servos, one.servos, lane);
  copy_lane(wide.motions, one.motions, lane);
  copy_lane(wide.drives, one.drives, lane);
  copy_lane(wide.lower, one.lower, lane);
  copy_lane(wide.upper, one.upper, lane);
  copy_lane(wide.friction, one.friction, lane);
  copy_lane(wide.contact_laws, one.contact_laws, lane);
  copy_lane(wide.penalty_laws, one.penalty_laws, lane);
  copy_lane(wide.patches, one.patches, lane);
  copy_lane(wide.adhesion, one.adhesion, lane);
  copy_lane(wide.pads, one.pads, lane);
  copy_lane(wide.drags, one.drags, lane);
  copy_lane(wide.lifts, one.lifts, lane);
  copy_lane(wide.loads, one.loads, lane);
  copy_lane(wide.cables, one.cables, lane);
  copy_lane(wide.cable_points, one.cable_points, lane);
  copy_lane(wide.gravity, one.gravity, lane);
  copy_lane(wide.sun, one.sun, lane);
  law::each_axis_law(wide, [&]<class L>(law::AxisLawKind kind, const char*, std::vector<Lanes>& numbers) {
    law::visit_axis_law(kind, one, [&]<class>(const auto& of_one) { copy_lane(numbers, of_one, lane); });
  });
  return true;
}

}  // namespace sinew
