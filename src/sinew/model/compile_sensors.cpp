#include "sinew/model/compile_sensors.h"

#include <algorithm>

#include "sinew/math/elementary.h"
#include "sinew/parts/sensor/bridges.h"
#include "sinew/parts/sensor/encoder.h"

namespace sinew {
namespace {

double sensor_number(const std::vector<double>& values, int i, double fallback) {
  return values.empty() ? fallback : values[values.size() == 1 ? 0 : std::size_t(i)];
}

// The range of what it reports: channel by channel, but of the loads where bridges have errors.
void take_range(const SensorPlan& p, int i, sensor::Channel& c) {
  c.upper = sensor_number(p.upper, i, c.upper);
  c.lower = p.lower.empty() ? -c.upper : sensor_number(p.lower, i, c.lower);
}

sensor::Channel channel_of(const SensorPlan& p, int i, bool is_linear) {
  sensor::Channel c;
  c.gain = sensor_number(p.gain, i, 1.0);
  c.offset = sensor_number(p.offset, i, 0.0);
  c.drift = sensor_number(p.drift, i, 0.0);
  c.noise = sensor_number(p.noise, i, 0.0);
  if (p.kind == SensorKind::Force6) {
    c.lower = -1.0;
    c.upper = 1.0;
  } else {
    take_range(p, i, c);
  }
  const double hysteresis = sensor_number(p.hysteresis, i, 0.0);
  if (hysteresis > 0.0) c.play = 0.5 * hysteresis * (c.upper - c.lower);
  const bool counts = p.kind == SensorKind::IncrementalEncoder;  // after all of these, by SensorInfo::count
  c.count = p.bits > 0 ? sensor::count_of(c.lower, c.upper, p.bits)
            : counts   ? 0.0
                       : sensor_number(p.resolution, i, 0.0);
  const double turn = 2.0 * std::numbers::pi;
  c.wraps = p.kind == SensorKind::AbsoluteEncoder && !is_linear && std::abs(c.upper - c.lower - turn) < 1e-9;
  return c;
}

void compile_bridges(const SensorPlan& p, SensorInfo& info) {
  std::vector<double> range;
  for (int i = 0; i < info.n; i++) {
    take_range(p, i, info.loads.emplace_back());
    range.push_back(std::max(std::abs(info.loads.back().lower), std::abs(info.loads.back().upper)));
  }
  const Matrix B =
      p.bridges.empty() ? sensor::four_beams(range, p.beam) : Matrix(sensor::n_bridges, sensor::n_loads, p.bridges);
  info.bridges = B.values;
  info.calibration = p.calibration.empty() ? sensor::calibration_of(B).values : p.calibration;
}

// Links that hang on these joints, and all that they carry. Loops carry nothing.
void add_carried(const Model& model, const Plan& plan, int link, std::vector<char>& outer) {
  outer[std::size_t(link)] = 1;
  for (std::size_t i = 0; i < model.joints.size(); i++)
    if (!plan.joints[i].loop && model.joints[i].parent == link) add_carried(model, plan, model.joints[i].child, outer);
}

// At a joint its child lies beyond the cut; at a point of a body all that the body carries, and what touches the body itself.
void find_outer(const Plan& plan, const Model& model, SensorInfo& info) {
  info.outer.assign(model.links.size(), 0);
  if (info.joint >= 0) {
    add_carried(model, plan, model.joints[std::size_t(info.joint)].child, info.outer);
  } else {
    add_carried(model, plan, info.link, info.outer);
    info.outer[std::size_t(info.link)] = 0;
  }
  info.touched = info.outer;
  if (info.joint < 0) info.touched[std::size_t(info.link)] = 1;
  for (int i = 0; i < model.link_count(); i++)
    if (info.outer[std::size_t(i)]) info.beyond.push_back(i);
  const auto is_touched = [&](int shape) {
    const int link = shape < 0 ? world_body : model.shapes[std::size_t(shape)].link;
    return link >= 0 && info.touched[std::size_t(link)] != 0;
  };
  for (int i = 0; i < int(model.pairs.size()); i++)
    if (const ShapePair& p = model.pairs[std::size_t(i)]; is_touched(p.shape1) || is_touched(p.shape2))
      info.pairs.push_back(i);
}

void place_sensor(const Plan& plan, const std::function<int(const std::string&)>& link, const Model& model,
                  SensorInfo& info) {
  const SensorPlan& p = info.plan;
  info.joint = p.joint.empty() ? -1 : model.joint(p.joint);
  if (!p.drive.empty())
    info.drive = int(std::ranges::find(model.drives, p.drive, &DriveInfo::name) - model.drives.begin());
  if (measures_drive(p.kind)) {
    info.is_linear = !model.drives[std::size_t(info.drive)].setup.is_angle;
    return;
  }
  std::string body = p.body;
  Vec3d place = p.position;
  if (measures_force(p.kind) && info.joint >= 0) {  // at the joint, in the axes of one of its bodies
    const JointPlan& j = plan.joints[std::size_t(info.joint)];
    if (body.empty()) body = j.child;
    place = place + (body == j.child ? j.p_child : j.p_parent);
  }
  if (body.empty() || measures_joint(p.kind)) return;
  info.link = link(body);
  info.X_FS = model.links[std::size_t(info.link)].X_FB * Posed{to_matrix(normalized(p.orientation)), place};
}

SensorInfo info_of(const Plan& plan, const SensorPlan& p, const std::function<int(const std::string&)>& link,
                   const Model& model) {
  SensorInfo info;
  info.plan = p;
  info.n = reading_count(p);
  info.m = channel_count(p);
  info.at = layout_of(p);
  info.device = device_of(p.name);
  place_sensor(plan, link, model, info);
  if (measures_joint(p.kind))
    info.is_linear = joint::visit(model.joints[std::size_t(info.joint)].kind,
                                  [&]<class J>() { return J::dirs[p.axis] == joint::Dir::Linear; });
  for (int i = 0; i < info.m; i++) info.channels.push_back(channel_of(p, i, info.is_linear));
  if (p.kind == SensorKind::Force6) compile_bridges(p, info);
  if (measures_force(p.kind)) find_outer(plan, model, info);
  if (p.kind == SensorKind::IncrementalEncoder)
    info.count = p.resolution.empty() ? sensor::count_of_encoder(p.counts, p.gear_ratio) : p.resolution[0];
  if (p.kind == SensorKind::Range)
    for (int i = 0; i < info.n; i++) {
      const double angle = info.n == 1 ? 0.0 : p.fan * (double(i) / (info.n - 1) - 0.5);
      info.rays.push_back({math::cos(angle), math::sin(angle), 0.0});
    }
  return info;
}

}  // namespace

void compile_sensors(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model) {
  int reading = 0;
  for (const SensorPlan& p : plan.sensors) {
    SensorInfo info = info_of(plan, p, link, model);
    info.memory = memory_offset(plan, std::string(sensor_block) + p.name);
    info.memory_end = info.memory;
    for (const MemoryBlock& block : plan.memory)
      if (block.name == std::string(sensor_block) + p.name) info.memory_end += block.size;
    info.reading = reading;
    reading += info.n;
    if (!p.absolute.empty())
      info.absolute = int(std::ranges::find(plan.sensors, p.absolute, &SensorPlan::name) - plan.sensors.begin());
    const bool helps = std::ranges::find(plan.sensors, p.name, &SensorPlan::absolute) != plan.sensors.end();
    info.is_read = measures_position(p.kind) && p.to_controller && !helps;
    model.sensors.push_back(std::move(info));
  }
}

}  // namespace sinew
