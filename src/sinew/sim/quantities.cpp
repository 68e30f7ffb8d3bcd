#include "sinew/sim/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/model/describe.h"
#include "sinew/sim/drive_quantities.h"
#include "sinew/sim/pad_quantities.h"
#include "sinew/sim/support_quantities.h"
#include "sinew/world/contacts.h"
#include "sinew/world/crowd_contact.h"

namespace sinew::sim {
namespace quantity_table {  // short names for the rows are nobody else's
namespace {

double component_of(double x, int) { return x; }
double component_of(const Vec3d& v, int i) { return v[i]; }
double component_of(const std::vector<double>& v, int i) { return v[std::size_t(i)]; }

// Readers of a member.
template <auto member>
double of_body(const Moment& m, int index, int i) {
  return component_of(m.seen.bodies[index].*member, i);
}
template <auto member>
double of_joint(const Moment& m, int index, int i) {
  return component_of(m.seen.joints[index].*member, i);
}
template <auto member>
double of_cable(const Moment& m, int index, int i) {
  return component_of(m.seen.cables[index].*member, i);
}
template <auto member>
double of_touched(const Moment& m, int index, int i) {
  return component_of(m.seen.touched[index].*member, i);
}
template <auto member>
double of_contact(const Moment& m, int index, int i) {
  if (m.world.model().crowd) return component_of(read_crowd_contact(m.world, index).*member, i);
  return component_of(m.seen.contacts[index].*member, i);
}
template <auto member>
double of_total(const Moment& m, int, int i) {
  return component_of(m.seen.total.*member, i);
}
template <auto member>
double of_com(const Moment& m, int, int i) {
  return component_of(m.seen.com.*member, i);
}
template <auto member>
double of_energy(const Moment& m, int, int i) {
  return component_of(m.seen.energy.*member, i);
}
template <auto member>
double of_work(const Moment& m, int, int i) {
  return component_of(m.world.state.work.*member, i);
}
template <auto member>
double of_momentum(const Moment& m, int, int i) {
  return component_of(m.seen.momentum.*member, i);
}
template <auto member>
double of_state(const Moment& m, int, int i) {
  return component_of(m.world.state.*member, i);
}
template <auto member>
double of_seen(const Moment& m, int, int i) {
  return component_of(m.seen.*member, i);
}

double quaternion_of(const Mat3d& R, int i) {
  const Quatd q = to_quaternion(R);
  return std::array{q.w, q.x, q.y, q.z}[i];
}
double body_quaternion(const Moment& m, int index, int i) { return quaternion_of(m.seen.bodies[index].X_WB.R, i); }

// Angle about x, y or z of R = Rz Ry Rx.
double body_angle(const Moment& m, int index, int axis) {
  const Mat3d& R = m.seen.bodies[index].X_WB.R;
  if (axis == 0) return math::atan2(R(2, 1), R(2, 2));
  if (axis == 1) return math::atan2(-R(2, 0), math::hypot(R(0, 0), R(1, 0)));
  return math::atan2(R(1, 0), R(0, 0));
}

double joint_command(const Moment& m, int index, int i) {
  return m.world.input.torque[m.world.model().joints[index].axis + i];
}
double joint_error(const Moment& m, int index, int i) {
  const JointInfo& joint = m.world.model().joints[index];
  double wanted, rate, accel;
  m.world.params.motions[joint.motion + i].evaluate(m.world.state.t, wanted, rate, accel);
  return m.seen.joints[index].q[i] - wanted;
}

double plant_reading(const Moment& m, int index, int) { return m.seen.plant[index]; }

double memory_reading(const Moment& m, int index, int) { return m.world.state.memory[std::size_t(index)]; }
// A number in the block of memory of a sensor.
double of_sensor(const Moment& m, int index, int place) {
  return m.world.state.memory[std::size_t(m.world.model().sensors[std::size_t(index)].memory + place)];
}
double sensor_value(const Moment& m, int index, int i) { return of_sensor(m, index, SensorLayout::value + i); }
double sensor_truth(const Moment& m, int index, int i) {
  return of_sensor(m, index, m.world.model().sensors[std::size_t(index)].at.truth + i);
}
double sensor_bridge(const Moment& m, int index, int i) {
  return of_sensor(m, index, m.world.model().sensors[std::size_t(index)].at.raw + i);
}
double sensor_rate(const Moment& m, int index, int) { return of_sensor(m, index, SensorLayout::rate); }
double sensor_saturated(const Moment& m, int index, int) { return of_sensor(m, index, SensorLayout::saturated); }
double sensor_lost(const Moment& m, int index, int) { return of_sensor(m, index, SensorLayout::lost); }

const BodyMotion<double>& rod_end(const Moment& m, int index) {
  const RodInfo& rod = m.world.model().rods[index / 2];
  return m.seen.bodies[index % 2 == 0 ? rod.base : rod.tip];
}
double rod_position(const Moment& m, int index, int i) { return rod_end(m, index).X_WB.p[i]; }
double rod_quaternion(const Moment& m, int index, int i) { return quaternion_of(rod_end(m, index).X_WB.R, i); }
double rod_velocity(const Moment& m, int index, int i) {
  const BodyMotion<double>& body = rod_end(m, index);
  return (body.v_WC + cross(body.w_WB, body.X_WB.p - body.p_WC))[i];
}
double rod_rate(const Moment& m, int index, int i) { return rod_end(m, index).w_WB[i]; }

double marker_position(const Moment& m, int index, int i) {
  const MarkerInfo& marker = m.world.model().markers[std::size_t(index)];
  return (m.seen.bodies[std::size_t(marker.link)].X_WB * marker.p_B)[i];
}
double marker_velocity(const Moment& m, int index, int i) {
  const MarkerInfo& marker = m.world.model().markers[std::size_t(index)];
  const BodyMotion<double>& body = m.seen.bodies[std::size_t(marker.link)];
  return (body.v_WC + cross(body.w_WB, body.X_WB * marker.p_B - body.p_WC))[i];
}

double point_position(const Moment& m, int index, int i) {
  const ShapeInfo& shape = m.world.model().shapes[index];
  const Posed X_WF = m.seen.bodies[shape.link].X_WB * m.world.model().links[shape.link].X_FB.inverse();
  return (X_WF * shape.X_FS).p[i];
}

// 0 for a single body, and while the two are above each other.
double heading_deg(const Moment& m, int, int) {
  const Vec3d way = m.seen.bodies.front().p_WC - m.seen.bodies.back().p_WC;
  return math::atan2(way[1], way[0]) * (180.0 / std::numbers::pi);
}

double external_force(const Moment& m, int, int i) {
  double sum = 0.0;
  for (const Wrench<double>& wrench : m.world.input.external) sum += wrench.f[i];
  return sum;
}

template <auto member>
double of_reaction(const Moment& m, int index, int i) {
  return (m.seen.reactions.of(m.world).joints[std::size_t(index)].*member)[i];
}
template <auto member>
double of_acceleration(const Moment& m, int index, int i) {
  return (m.seen.reactions.of(m.world).bodies[std::size_t(index)].*member)[i];
}
bool has_joints(const Model& model, int) { return !model.plant; }
bool has_reaction(const Model& model, int joint) { return model.joints[std::size_t(joint)].kind != JointKind::Free; }

using enum Size;
using enum Sent;
using Body = BodyMotion<double>;
using Joint = JointMotion<double>;
using Touched = BodyContact<double>;
using Contact = ContactReading<double>;
using Total = ContactTotal<double>;
using Com = CentreOfMass<double>;
using Booked = Work<double>;
using Stored = Energy<double>;

// Rows of a part follow one another in the order in which they are listed and recorded; those of a base stand among those of its body.
constexpr std::array table{
    Quantity{Part::Time, One, "t", "s", "time", of_state<&State<double>::t>},

    Quantity{Part::Body, Vector, "p", "m", "centre of mass of {}", of_body<&Body::p_WC>, Drawn},
    Quantity{Part::Body, Quaternion, "quat", "1", "orientation of {}", body_quaternion, Drawn},
    Quantity{Part::Base, Vector, "rpy", "rad", "turn of {}, R = Rz Ry Rx", body_angle},
    Quantity{Part::Body, Vector, "v", "m/s", "velocity of the centre of mass of {}", of_body<&Body::v_WC>, IfFew},
    Quantity{Part::Body, Vector, "w", "rad/s", "angular velocity of {} in world axes", of_body<&Body::w_WB>, IfFew},
    Quantity{Part::Body, Vector, "a", "m/s^2", "acceleration of the centre of mass of {}",
             of_acceleration<&BodyAcceleration::a_WC>, IfFew, nullptr, has_joints, true},
    Quantity{Part::Body, Vector, "alpha", "rad/s^2", "angular acceleration of {} in world axes",
             of_acceleration<&BodyAcceleration::w_dot>, IfFew, nullptr, has_joints, true},

    Quantity{Part::Joint, Coordinates, "q", "", "coordinate of {}", of_joint<&Joint::q>, IfFew, coordinate_unit},
    Quantity{Part::Joint, Axes, "u", "", "velocity of {}", of_joint<&Joint::u>, IfFew, velocity_unit},
    Quantity{Part::Joint, Axes, "torque", "", "of springs, dampers and the drive of {}", of_joint<&Joint::torque>,
             Drawn, force_unit},
    Quantity{Part::Joint, Vector, "force", "N", "force of {} on its child, all that it hands on",
             of_reaction<&JointReaction::force>, IfFew, nullptr, has_reaction, true},
    Quantity{Part::Joint, Vector, "couple", "N m", "couple of {} on its child, about the joint's point",
             of_reaction<&JointReaction::couple>, IfFew, nullptr, has_reaction, true},
    Quantity{Part::FollowingJoint, Axes, "command", "", "given by a controller to {}", joint_command, Always,
             force_unit},
    Quantity{Part::FollowingJoint, Axes, "error", "", "coordinate of {} minus its given motion", joint_error, Always,
             coordinate_unit},

    Quantity{Part::Plant, One, "", "", "", plant_reading},
    Quantity{Part::Controller, One, "", "", "", memory_reading, IfFew},

    Quantity{Part::RodEnd, Vector, "p", "m", "place of the {}", rod_position},
    Quantity{Part::RodEnd, Quaternion, "quat", "1", "orientation of the {}", rod_quaternion},
    Quantity{Part::RodEnd, Vector, "v", "m/s", "velocity of the {}", rod_velocity},
    Quantity{Part::RodEnd, Vector, "w", "rad/s", "angular velocity of the {} in world axes", rod_rate},

    Quantity{Part::Cable, One, "length", "m", "length of cable {}", of_cable<&CableReading<double>::length>},
    Quantity{Part::Cable, One, "tension", "N", "tension of cable {}; below 0: it pushes",
             of_cable<&CableReading<double>::tension>},

    Quantity{Part::Marker, Vector, "p", "m", "place of marker {}", marker_position, IfFew},
    Quantity{Part::Marker, Vector, "v", "m/s", "velocity of marker {}", marker_velocity, IfFew},

    Quantity{Part::TouchedBody, Vector, "contact.force", "N", "sum of all contact forces on {}",
             of_touched<&Touched::force>},
    Quantity{Part::TouchedBody, Vector, "contact.torque", "N m", "of all contacts on {}, about its centre of mass",
             of_touched<&Touched::torque>},
    Quantity{Part::TouchedBody, Vector, "contact.point", "m", "centre of pressure of all contacts on {}",
             of_touched<&Touched::point>},
    Quantity{Part::TouchedBody, One, "contact.normal", "N", "sum of all normal forces on {}",
             of_touched<&Touched::normal>},
    Quantity{Part::TouchedBody, One, "contact.count", "1", "points that touch {}", of_touched<&Touched::count>},
    Quantity{Part::TouchedBody, One, "contact.slip", "m/s", "fastest sliding of a point of {} that carries force",
             of_touched<&Touched::slip>},

    Quantity{Part::Point, Vector, "", "m", "place of the point {}", point_position},

    Quantity{Part::Contact, One, "normal", "N", "normal force of {}", of_contact<&Contact::normal>, Drawn},
    Quantity{Part::Contact, Vector, "push", "N", "normal force as a vector, on the first-named shape of {}",
             of_contact<&Contact::push>},
    Quantity{Part::Contact, Vector, "friction", "N", "friction on the first-named shape of {}",
             of_contact<&Contact::friction>, Drawn},
    Quantity{Part::Contact, Vector, "torque", "N m", "drilling and rolling torque of {}", of_contact<&Contact::torque>,
             IfFew},
    Quantity{Part::Contact, Vector, "point", "m", "centre of pressure of {}", of_contact<&Contact::point>, Drawn},
    Quantity{Part::Contact, One, "gap", "m", "least gap of {}; infinite while open", of_contact<&Contact::gap>, IfFew},
    Quantity{Part::Contact, One, "slip", "m/s", "sliding speed of {}", of_contact<&Contact::slip>, IfFew},
    Quantity{Part::Contact, One, "state", "1", "0 open, 1 stick, 2 slip: {}", of_contact<&Contact::state>, Drawn},
    Quantity{Part::Contact, One, "count", "1", "points that touch of {}", of_contact<&Contact::count>, IfFew},

    Quantity{Part::AllContacts, One, "contacts.count", "1", "points that touch, all contacts", of_total<&Total::count>},
    Quantity{Part::AllContacts, One, "contacts.normal", "N", "sum of all normal forces", of_total<&Total::normal>},
    Quantity{Part::AllContacts, One, "contacts.penetration", "m", "depth of the deepest contact",
             of_total<&Total::penetration>},

    Quantity{Part::Pad, One, "pull", "N", "force of adhesion of pad {}", of_pad<pad::pull>},
    Quantity{Part::Pad, One, "level", "1", "charge of pad {}, 1: full", of_pad<pad::level>},
    Quantity{Part::Pad, One, "covered", "1", "share that grains cover of pad {}", of_pad<pad::covered>},
    Quantity{Part::Pad, One, "margin", "N", "force that would part pad {}; infinite while it is off or does not lie on",
             pad_margin},
    Quantity{Part::Pad, One, "attached", "1", "1: enough contact points are closed of pad {}", of_pad<pad::attached>},

    Quantity{Part::Drive, One, "current", "A", "i_q of drive {}", of_drive<drive::memory::i_q>},
    Quantity{Part::Drive, One, "current_d", "A", "i_d of drive {}", of_drive<drive::memory::i_d>},
    Quantity{Part::Drive, One, "voltage", "V", "magnitude of the voltage of drive {}", drive_voltage},
    Quantity{Part::Drive, One, "torque", "N m", "mean of the last step, of drive {} on its axis",
             of_drive<drive::memory::torque>, Always, nullptr, is_turning_drive},
    Quantity{Part::Drive, One, "force", "N", "mean of the last step, of drive {} on its axis",
             of_drive<drive::memory::torque>, Always, nullptr, is_sliding_drive},
    Quantity{Part::Drive, One, "speed", "rad/s or m/s", "velocity of the axis of drive {}", drive_speed},
    Quantity{Part::Drive, One, "motor_speed", "rad/s", "of the motor of drive {}", drive_motor_speed},
    Quantity{Part::Drive, One, "position_wanted", "rad or m", "set-point of drive {} for the place, shaped",
             place_of_drive<drive::memory::ref_x>},
    Quantity{Part::Drive, One, "velocity_wanted", "rad/s or m/s", "velocity of the shaped set-point of drive {}",
             of_drive<drive::memory::ref_v>},
    Quantity{Part::Drive, One, "spring", "N m or N", "in the spring of drive {}", of_drive<drive::memory::force>,
             Always, nullptr, has_drive_spring},
    Quantity{Part::Drive, One, "motor_position", "rad or m", "of the motor of drive {}, in units of its axis",
             place_of_drive<drive::memory::motor_x>, Always, nullptr, has_drive_spring},
    Quantity{Part::Drive, One, "slip", "rad or m", "by how far the belt of drive {} has slipped",
             of_drive<drive::memory::slip>, Always, nullptr, has_drive_spring},
    Quantity{Part::Drive, One, "estimate", "N m or N", "force of drive {} as its current has it", drive_force_estimate,
             Always, nullptr, has_force_loop},
    Quantity{Part::Drive, One, "blind", "1", "1: drive {} has no force sensor", of_drive<drive::memory::is_blind>,
             Always, nullptr, has_force_loop},
    Quantity{Part::Drive, One, "refused", "1", "set-points that drive {} has refused while its rotor was being aligned",
             drive_refused, Always, nullptr, is_aligned_drive},
    Quantity{Part::Drive, One, "sweep", "N m, N, A, V, rad or m", "what is added to the set-point of drive {}",
             drive_sweep, Always, nullptr, has_sweep},
    Quantity{Part::Drive, One, "power", "W", "from the supply, mean of the last step, of drive {}",
             of_drive<drive::memory::power>},
    Quantity{Part::Drive, One, "heat", "A^2", "mean square of the current of drive {}", of_drive<drive::memory::heat>},
    Quantity{Part::Drive, One, "fault", "1", "0: none, 1: limit switch, 2: following error, 3: rod, of {}",
             of_drive<drive::memory::fault>},
    Quantity{Part::Servo, Axes, "torque", "", "of servo {}, with springs and dampers of its joint",
             of_joint<&Joint::torque>, Always, force_unit},
    Quantity{Part::Servo, Axes, "speed", "", "velocity of the axis of servo {}", of_joint<&Joint::u>, Always,
             velocity_unit},
    Quantity{Part::Servo, Axes, "position_wanted", "", "place that servo {} wants", servo_wanted, Always,
             coordinate_unit, is_following_servo},
    Quantity{Part::Servo, Axes, "velocity_wanted", "", "velocity that servo {} wants", servo_wanted_rate, Always,
             velocity_unit, is_following_servo},
    Quantity{Part::Servo, Axes, "power", "W", "of servo {} on its axis", servo_power},

    Quantity{Part::Sensor, One, "", "", "what {} says", sensor_value, IfFew},
    Quantity{Part::Sensor, One, "true", "", "true value when {} took its last sample", sensor_truth, IfFew},
    Quantity{Part::Sensor, One, "rate", "", "change of what {} says from sample to sample", sensor_rate, IfFew},
    Quantity{Part::Sensor, One, "bridge", "1", "bridge of {}, as a share of its full scale", sensor_bridge, IfFew},
    Quantity{Part::Sensor, One, "saturated", "1", "1: {} is at the end of its range", sensor_saturated, IfFew},
    Quantity{Part::Sensor, One, "lost", "1", "1: nothing arrives of {}", sensor_lost, IfFew},

    Quantity{Part::Robot, Vector, "com.p", "m", "centre of mass of all bodies", of_com<&Com::p>},
    Quantity{Part::Robot, Vector, "com.v", "m/s", "velocity of the centre of mass of all bodies", of_com<&Com::v>},
    Quantity{Part::Robot, One, "heading_deg", "deg",
             "direction from the last body to the first in the horizontal plane, from x towards y", heading_deg},
    Quantity{
        Part::Robot, One, "com.margin", "m",
        "static margin: signed distance of the centre of mass, seen from above, to the edge of the feet that stand",
        static_margin_of, Always, nullptr, has_support},
    Quantity{Part::Robot, One, "com.aloft", "1",
             "1: a robot with feet touches nothing, and none of them is nearer than a millimetre", is_aloft, Always,
             nullptr, has_support},
    Quantity{Part::Robot, Vector, "zmp.p", "m", "zero-moment point: centre of pressure of all soles", zmp_of, Always,
             nullptr, has_soles},
    Quantity{Part::Robot, One, "zmp.moment", "N m", "of the ground on all soles, about the vertical through zmp.p",
             zmp_moment_of, Always, nullptr, has_soles},
    Quantity{Part::Robot, One, "zmp.margin", "m",
             "signed distance of the zero-moment point to the edge of the feet that stand", zmp_margin_of, Always,
             nullptr, has_soles},
    Quantity{Part::Robot, Vector, "external.force", "N", "sum of the forces applied from outside", external_force},

    Quantity{Part::Solver, One, "solver.iterations", "1", "of the contact solver in the last step",
             of_state<&State<double>::iterations>},
    Quantity{Part::Solver, One, "solver.residual", "m/s", "by which the last step misses the laws",
             of_state<&State<double>::residual>},

    Quantity{Part::Account, One, "energy.kinetic", "J", "kinetic energy", of_energy<&Stored::kinetic>},
    Quantity{Part::Account, One, "energy.potential", "J", "energy in the gravity field", of_energy<&Stored::potential>},
    Quantity{Part::Account, One, "energy.elastic", "J", "energy in springs", of_energy<&Stored::elastic>},
    Quantity{Part::Account, One, "energy.work_actuators", "J", "work done by drives so far",
             of_work<&Booked::actuators>},
    Quantity{Part::Account, One, "energy.work_external", "J", "work done by forces from outside so far",
             of_work<&Booked::external>},
    Quantity{Part::Account, One, "energy.dissipated_friction", "J", "taken out by friction so far",
             of_work<&Booked::friction>},
    Quantity{Part::Account, One, "energy.dissipated_damping", "J", "taken out by dampers so far",
             of_work<&Booked::damping>},
    Quantity{Part::Account, One, "energy.dissipated_impact", "J", "taken out by impacts so far",
             of_work<&Booked::impact>},
    Quantity{Part::Account, One, "energy.balance_error", "J", "energy that is left unexplained",
             of_seen<&Observation<double>::balance_error>},
    Quantity{Part::DriveTotal, One, "energy.work_electrical", "J", "taken by drives from their supply so far",
             of_drives<&DriveAccount::electrical>},
    Quantity{Part::DriveTotal, One, "energy.work_drives", "J", "work of drives on their axes so far",
             of_drives<&DriveAccount::work>},
    Quantity{Part::DriveTotal, One, "energy.dissipated_copper", "J", "heat in windings so far",
             of_drives<&DriveAccount::copper>},
    Quantity{Part::DriveTotal, One, "energy.dissipated_drives", "J",
             "heat in gears and in friction inside drives so far", of_drives<&DriveAccount::friction>},
    Quantity{Part::DriveTotal, One, "energy.stored_electrical", "J", "in the windings of drives",
             of_drives<&DriveAccount::magnetic>},
    Quantity{Part::DriveTotal, One, "energy.stored_drives", "J", "in motors in front of springs, and in these springs",
             of_drives<&DriveAccount::mechanical>},
    Quantity{Part::DriveTotal, One, "energy.drives_error", "J", "energy of drives that is left unexplained",
             of_drives<&DriveAccount::error>},

    Quantity{Part::Account, Vector, "momentum.linear", "N s", "linear momentum of all bodies",
             of_momentum<&Momentum<double>::linear>},
    Quantity{Part::Account, Vector, "momentum.angular", "N m s", "angular momentum about the world's origin",
             of_momentum<&Momentum<double>::angular>},
    Quantity{Part::Account, One, "loops.gap", "m or rad", "largest gap of a joint that is held by constraints",
             of_seen<&Observation<double>::gap>},
};

}  // namespace
}  // namespace quantity_table

std::span<const Quantity> quantities() { return quantity_table::table; }

const Quantity& quantity_of(Part part, std::string_view name) {
  const auto is_meant = [&](const Quantity& q) { return q.part == part && q.name == name; };
  const auto found = std::ranges::find_if(quantities(), is_meant);
  SINEW_CHECK(found != quantities().end(), "quantity_of: there is none named '", name, "' of this part");
  return *found;
}

std::string description_of(const Quantity& quantity, std::string_view part) {
  std::string text(quantity.description);
  if (const std::size_t at = text.find("{}"); at != text.npos) text.replace(at, 2, part);
  return text;
}

}  // namespace sinew::sim
