// Actuators of MuJoCo on joints: force f = gain ctrl + b0 + b1 l + b2 dl/dt along the length l = gear q; the joint feels gear f.
//   position  gain = kp, b1 = -kp, b2 = -kv       velocity  gain = kv, b2 = -kv       motor  gain = 1
// dampratio z instead of kv: b2 = -2 z sqrt(kp m), where m is the sum of M_jj / r_j^2 over the joints, which l follows by r_j, at ref.
// With b1 or b2 it is a servo: kp gear^2 towards (gain ctrl + b0) / (-b1 gear), or kv gear^2 towards the speed gain ctrl / (-b2 gear).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/imports/mjcf_parts.h"
#include "sinew/imports/prepare.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct DriveReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;
  std::vector<double> ctrl = {};
  std::vector<std::string> driven = {};

  RobotJoint* find(const std::string& name) {
    for (RobotBody& body : m.robot.bodies)
      for (RobotJoint& joint : body.joints)
        if (joint.name == name) return &joint;
    return nullptr;
  }

  void read_key() {
    bool first = true;
    for (const xml_node frames : doc.sections("keyframe"))
      for (const xml_node key : xml.children(frames, "key")) {
        doc.accept(key);
        if (!first) continue;
        first = false;
        const std::string name = xml.text(key, "name", "without a name");
        xml.warn(key, fmt::format("it starts as in the keyframe {}", name), NoteKind::Decision);
        ctrl = xml.numbers(key, "ctrl");
        apply(key, xml.numbers(key, "qpos"));
      }
  }

  void apply(xml_node key, const std::vector<double>& qpos) {
    if (qpos.empty()) return;
    std::size_t at = 0, need = 0;
    const auto count = [](const RobotJoint& j) -> std::size_t {
      return j.kind == JointKind::Free ? 7 : j.kind == JointKind::Ball ? 4 : 1;
    };
    for (const RobotBody& body : m.robot.bodies)
      for (const RobotJoint& joint : body.joints) need += count(joint);
    if (need != qpos.size())
      return xml.warn(key, fmt::format("qpos has {} numbers, the joints have {}: it is left out", qpos.size(), need));
    for (RobotBody& body : m.robot.bodies)
      for (RobotJoint& joint : body.joints) {
        const double* q = qpos.data() + at;
        at += count(joint);
        if (joint.kind == JointKind::Free) {
          const Quatd o{q[3], q[4], q[5], q[6]};
          const bool is_turn = o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z > 0.0;
          body.X_PB = {is_turn ? to_matrix(normalized(o)) : Mat3d::identity(), {q[0], q[1], q[2]}};
        } else if (joint.kind == JointKind::Ball) {
          const Quatd o{q[0], q[1], q[2], q[3]};
          if (o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z > 0.0) joint.turned = normalized(o);
        } else {
          joint.position = q[0];
        }
      }
  }

  struct Affine {
    double gain = 0, b0 = 0, b1 = 0, b2 = 0;
  };

  // false: it is no such law
  bool read_law(xml_node node, const std::string& kind, Affine& law) {
    const auto number = [&](const char* name, double fallback) { return doc.number(node, name, "", fallback); };
    if (kind == "position") {
      const double kp = number("kp", 1.0), kv = number("kv", 0.0);
      law = {kp, 0.0, -kp, kv > 0.0 ? -kv : number("dampratio", 0.0)};
      return true;
    }
    if (kind == "velocity") {
      const double kv = number("kv", 1.0);
      law = {kv, 0.0, 0.0, -kv};
      return true;
    }
    law.gain = 1.0;
    if (kind == "motor") return true;
    auto gain = doc.numbers(node, "gainprm", ""), bias = doc.numbers(node, "biasprm", "");
    if (gain.empty()) gain = {1.0};
    bias.resize(std::max<std::size_t>(bias.size(), 3), 0.0);
    const std::string gaintype = doc.text(node, "gaintype", "", "fixed"),
                      biastype = doc.text(node, "biastype", "", "none");
    if (gaintype != "fixed" || (biastype != "none" && biastype != "affine") ||
        doc.text(node, "dyntype", "", "none") != "none")
      return false;
    law.gain = gain[0];
    if (biastype == "affine") law = {gain[0], bias[0], bias[1], bias[2]};
    return true;
  }

  double force_limit(xml_node node) {
    const auto range = doc.numbers(node, "forcerange", "");
    if (range.size() != 2 || !doc.flag(node, "forcelimited", "", doc.compiler.autolimits)) return 0.0;
    if (std::abs(range[0] + range[1]) > 1e-12 * std::abs(range[1]))
      xml.warn(node, fmt::format("forcerange from {} to {}: the smaller holds to both sides", range[0], range[1]),
               NoteKind::Decision);
    return std::min(std::abs(range[0]), std::abs(range[1]));
  }

  // A positive b2 beside gain = -b1 is a ratio of damping.
  void resolve_damping(xml_node node, const std::string& joint, Affine& law) const {
    if (!(law.b2 > 0.0) || law.gain != -law.b1 || !(law.gain > 0.0)) return;
    const auto gears = doc.numbers(node, "gear", "");
    const double ratio = gears.empty() ? 1.0 : gears[0];
    const auto tendon = m.tendons.find(xml.text(node, "tendon"));
    double mass = 0.0;
    const auto add = [&](const std::string& name, double by) {
      if (by != 0.0) mass += inertia_at_ref(m.robot, name) / (by * by);
    };
    if (tendon == m.tendons.end()) add(joint, ratio);
    if (tendon != m.tendons.end())
      for (const RobotCoupling::Term& term : tendon->second.terms) add(term.joint, ratio * term.factor[0]);
    law.b2 = -2.0 * law.b2 * std::sqrt(law.gain * mass);
  }

  // Within the range that the file gives the command.
  double clamped(xml_node node, double command) {
    const auto range = doc.numbers(node, "ctrlrange", "");
    if (range.size() != 2 || !(range[0] < range[1]) || !doc.flag(node, "ctrllimited", "", doc.compiler.autolimits))
      return command;
    return std::clamp(command, range[0], range[1]);
  }

  // What a motor gives at most, to both sides; 0: not said.
  double strength(xml_node node) {
    return std::min(std::abs(clamped(node, -infinite)), std::abs(clamped(node, infinite)));
  }

  // by: what the actuator moves is coef q + offset of the joint
  void drive(xml_node node, Affine law, double command, const MjcfByOneJoint& by, RobotJoint& j) {
    const auto gears = doc.numbers(node, "gear", "");
    const double ratio = gears.empty() ? 1.0 : gears[0], gear = ratio * by.coef;
    double limit = force_limit(node) * std::abs(gear);
    if (const double most = std::abs(law.gain * gear) * strength(node);
        law.b1 == 0.0 && law.b2 == 0.0 && std::isfinite(most) && most > 0.0)
      limit = limit > 0.0 ? std::min(limit, most) : most;
    law.b0 += law.b1 * ratio * by.offset;
    if (limit > 0.0) j.effort = j.effort > 0.0 ? std::min(j.effort, limit) : limit;
    if (law.b1 > 0.0 || law.b2 > 0.0 || gear == 0.0)
      return xml.warn(
          node,
          fmt::format("the actuator of joint {} pushes away from where it is, or has no gear: it is left out", j.name));
    const double input = law.gain * clamped(node, command) + law.b0;
    if (law.b1 == 0.0 && law.b2 == 0.0) {
      j.drive = "torque";
      j.target = gear * input;
      return;
    }
    j.drive = "servo";
    j.kp = -law.b1 * gear * gear;
    j.kd = -law.b2 * gear * gear;
    if (law.b1 < 0.0)
      j.target = input / (-law.b1 * gear);
    else
      j.target_speed = input / (-law.b2 * gear);
  }

  void read_actuators() {
    std::size_t index = 0;
    for (const xml_node section : doc.sections("actuator"))
      for (const xml_node node : section.children()) {
        if (node.type() != pugi::node_element) continue;
        const std::string kind = node.name();
        const double command = index < ctrl.size() ? ctrl[index] : 0.0;
        index++;
        if (kind != "position" && kind != "velocity" && kind != "motor" && kind != "general") continue;
        xml.use(node);
        doc.accept(node);
        const MjcfByOneJoint by =
            by_one_joint(m, xml.text(node, "tendon"))
                .value_or(
                    MjcfByOneJoint{.joint = xml.text(node, "joint", xml.text(node, "jointinparent")), .coef = 1.0});
        const std::string& name = by.joint;
        RobotJoint* joint = find(name);
        Affine law;
        if (!joint || joint->kind == JointKind::Free || joint->kind == JointKind::Ball)
          xml.warn(node, name.empty()
                             ? fmt::format("a <{}> that acts on no joint is left out", kind)
                             : fmt::format("a <{}> on \"{}\", no joint with one axis, is left out", kind, name));
        else if (std::ranges::find(driven, name) != driven.end())
          xml.warn(node, fmt::format("a second actuator on joint {} is left out", name));
        else if (!read_law(node, kind, law))
          xml.warn(node, fmt::format("a <general> on joint {} that is not affine is left out", name));
        else {
          resolve_damping(node, name, law);
          drive(node, law, command, by, *joint);
        }
        driven.push_back(name);
      }
  }
};

}  // namespace

void read_mjcf_drives(MjcfRobot& m) {
  read_mjcf_couplings(m);
  read_mjcf_loops(m);
  DriveReader reader{m};
  reader.read_key();
  reader.read_actuators();
}

}  // namespace sinew::imports
