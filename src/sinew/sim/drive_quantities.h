// How signals of drives and servos are read: rows of the table in quantities.cpp.
#pragma once
#include "sinew/math/elementary.h"
#include "sinew/parts/drive/refusal.h"
#include "sinew/sim/drive_account.h"
#include "sinew/sim/quantities.h"

namespace sinew::sim::quantity_table {

inline const DriveInfo& drive_info(const Moment& m, int index) { return m.world.model().drives[std::size_t(index)]; }
template <int entry>
inline double of_drive(const Moment& m, int index, int) {
  return m.world.state.memory[std::size_t(drive_info(m, index).memory + entry)];
}
inline double drive_speed(const Moment& m, int index, int) {
  const DriveInfo& d = drive_info(m, index);
  const JointInfo& j = m.world.model().joints[std::size_t(d.joint)];
  const JointMotion<double>& joint = m.seen.joints[std::size_t(d.joint)];
  if (!d.by_jacobian) return joint.u[std::size_t(d.axis - j.axis)];
  const Transmission<double>& t = m.world.params.transmissions[std::size_t(d.transmission)].rods;
  double rate[2];
  transmission::stroke_rates(t, transmission::strokes(t, joint.q.data()), joint.u.data(), rate);
  return rate[d.row];
}
// Before its first step a drive remembers nothing: motor and set-point are where its axis is.
inline bool has_begun(const Moment& m, int index) { return of_drive<drive::memory::started>(m, index, 0) > 0.5; }
inline double drive_place(const Moment& m, int index) {
  const DriveInfo& d = drive_info(m, index);
  const JointMotion<double>& joint = m.seen.joints[std::size_t(d.joint)];
  if (!d.by_jacobian) return joint.q[std::size_t(d.axis - m.world.model().joints[std::size_t(d.joint)].axis)];
  return transmission::strokes(m.world.params.transmissions[std::size_t(d.transmission)].rods, joint.q.data()).s[d.row];
}
template <int entry>
inline double place_of_drive(const Moment& m, int index, int i) {
  return has_begun(m, index) ? of_drive<entry>(m, index, i) : drive_place(m, index);
}
inline double drive_motor_speed(const Moment& m, int index, int i) {
  const bool has_spring = drive_info(m, index).setup.has_spring() && has_begun(m, index);
  const double v = has_spring ? of_drive<drive::memory::motor_v>(m, index, i) : drive_speed(m, index, i);
  return v * m.world.params.drives[std::size_t(index)].N;
}
inline double drive_voltage(const Moment& m, int index, int i) {
  return math::hypot(of_drive<drive::memory::u_d>(m, index, i), of_drive<drive::memory::u_q>(m, index, i));
}
template <auto member>
inline double of_drives(const Moment& m, int, int) {
  return account_of_drives(m.world).*member;
}
inline double drive_sweep(const Moment& m, int index, int) {
  return drive_info(m, index).setup.sweep.at(m.world.state.t);
}
inline bool has_sweep(const Model& model, int index) {
  return model.drives[std::size_t(index)].setup.sweep.amplitude != 0.0;
}
inline double drive_refused(const Moment& m, int index, int) {
  const DriveInfo& d = drive_info(m, index);
  return drive::refused(d.setup, m.world.state.memory.data() + d.memory);
}
inline bool is_aligned_drive(const Model& model, int index) {
  return model.drives[std::size_t(index)].setup.align != drive::Align::None;
}
inline bool is_turning_drive(const Model& model, int index) { return model.drives[std::size_t(index)].setup.is_angle; }
inline bool is_sliding_drive(const Model& model, int index) { return !is_turning_drive(model, index); }
inline bool has_drive_spring(const Model& model, int index) {
  return model.drives[std::size_t(index)].setup.has_spring();
}

inline double drive_force_estimate(const Moment& m, int index, int i) {
  return m.world.params.drives[std::size_t(index)].per_ampere * of_drive<drive::memory::i_q>(m, index, i);
}
inline bool has_force_loop(const Model& model, int index) {
  return model.drives[std::size_t(index)].setup.has_force_loop();
}

// Of a servo that has a motion to follow for each coordinate.
inline bool is_following_servo(const Model& model, int index) {
  const JointInfo& joint = model.joints[index];
  return joint.motion >= 0 && joint.n_axes == joint.n_coords;
}
inline double servo_wanted(const Moment& m, int index, int i) {
  double wanted, rate, accel;
  m.world.params.motions[m.world.model().joints[index].motion + i].evaluate(m.world.state.t, wanted, rate, accel);
  return wanted;
}
inline double servo_wanted_rate(const Moment& m, int index, int i) {
  double wanted, rate, accel;
  m.world.params.motions[m.world.model().joints[index].motion + i].evaluate(m.world.state.t, wanted, rate, accel);
  return rate;
}
inline double servo_power(const Moment& m, int index, int i) {
  return m.seen.joints[index].torque[i] * m.seen.joints[index].u[i];
}

}  // namespace sinew::sim::quantity_table
