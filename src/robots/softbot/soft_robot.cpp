// Hub with two soft limbs that mirror each other (docs/theory/softbot.md#robot): q = (th_L,n .. th_L,1, x, y, th_h, th_R,1 ..
// th_R,n). The roots of the limbs lie bL, bR beside the hub's mass centre and h below it. Contact points: the outer ends of all
// links, both roots and the hub's mass centre.
#include <fmt/format.h>

#include "robots/catalog.h"
#include "robots/softbot/soft_limb.h"

namespace sinew::robots {
namespace {

struct SoftRobot : Robot {
  SoftLimb both, left, right;
  double hub_mass = 5.0, hub_inertia = 5.0 * (0.3 * 0.3 + 0.2 * 0.2) / 12.0;
  double bL = 0.15, bR = 0.15, h = 0.1, hub_plate = 0.09;
  double x0 = 0.0, y0 = 0.0, turn0 = 0.0, vx0 = 0.0, vy0 = 0.0, spin0 = 0.0;

  SoftRobot() { left.sheet.n = right.sheet.n = both.sheet.n = 2; }

  // What is given for both limbs is what each has unless its own table says otherwise.
  void describe(Keys& keys) override {
    robots::describe(keys, both);
    if (!read_) left = right = both;
    read_ = true;
    describe_hub(keys);
    for (SoftLimb* limb : {&left, &right}) {
      const Table table(keys, limb == &left ? "left" : "right", "what is different in this limb");
      robots::describe(keys, *limb);
    }
  }

  void describe_hub(Keys& keys) {
    keys.number({"hub_mass", "kg", "of the hub", positive}, hub_mass);
    keys.number({"hub_inertia", "kg m^2", "of the hub about its mass centre", positive}, hub_inertia);
    keys.number({"bL", "m", "from the hub's mass centre to the root of the left limb, along x", not_negative}, bL);
    keys.number({"bR", "m", "the same to the right", not_negative}, bR);
    keys.number({"h", "m", "height of the hub's mass centre above the roots"}, h);
    keys.number({"hub_plate", "m^2", "area of the hub on which sunlight presses", not_negative}, hub_plate);
    keys.number({"x0", "m", "x of the hub at the start"}, x0);
    keys.number({"y0", "m", "height of the hub at the start"}, y0);
    keys.number({"turn0", "rad", "angle of the hub at the start, from x upwards", any_number, true}, turn0);
    keys.number({"vx0", "m/s", "velocity of the hub at the start, along x"}, vx0);
    keys.number({"vy0", "m/s", "the same, upwards"}, vy0);
    keys.number({"spin0", "rad/s", "rate of the hub's angle at the start", any_number, true}, spin0);
  }

  BodyPlan hub_body() const {
    BodyPlan hub;
    hub.name = "hub";
    hub.mass = hub_mass;
    hub.inertia = Sym3d::diagonal(hub_inertia);
    hub.plate_area = hub_plate;
    const auto add_point = [&](const char* name, const Vec3d& at) {
      hub.shapes.push_back({.name = name, .shape = {.kind = ShapeKind::Sphere, .radius = 0.0}, .position = at});
    };
    add_point("L0", Vec3d(-bL, 0, -h));
    add_point("H", Vec3d::zero());
    add_point("R0", Vec3d(bR, 0, -h));
    return hub;
  }

  Plan plan() const override {
    Plan plan;
    plan.bodies = {hub_body()};
    JointPlan air;
    air.name = air.child = "hub";
    air.kind = JointKind::Planar;
    air.axis = Vec3d(0, -1, 0);
    air.axis2 = Vec3d(0, 0, 1);  // coordinates x, height, angle from x upwards
    air.position = {x0, y0, turn0};
    air.velocity = {vx0, vy0, spin0};
    plan.joints = {air};
    // seen from the left limb, the hub turns the other way
    add_limb(left, {"hub", "L", "L", Vec3d(-bL, 0, -h), -1.0, -turn0, -spin0}, plan);
    add_limb(right, {"hub", "R", "R", Vec3d(bR, 0, -h), 1.0, turn0, spin0}, plan);
    plan.contact.options.between_bodies = false;
    return plan;
  }

  std::string coordinates(char what) const {
    std::string list;
    for (int i = left.count(); i >= 1; i--)
      list += fmt::format("{} - joint.hub.{}.2, ", link_angle("L", i, what), what);
    list += fmt::format("joint.hub.{0}.0, joint.hub.{0}.1, joint.hub.{0}.2", what);
    for (int i = 1; i <= right.count(); i++)
      list += fmt::format(", {} + joint.hub.{}.2", link_angle("R", i, what), what);
    return list;
  }

  // pose is q, pose_rate its rates; momenta and centre of mass in the plane.
  std::vector<ResultPlan> results() const override {
    std::vector<ResultPlan> all{{"pose", coordinates('q')}, {"pose_rate", coordinates('u')}};
    for (ResultPlan& r : energy_results()) all.push_back(std::move(r));
    all.push_back({"P", "momentum.linear.x, momentum.linear.z"});
    all.push_back({"H_o", "-momentum.angular.y"});  // counted from x upwards
    all.push_back({"com", "com.p.x, com.p.z"});
    add_numbers("left_", left, all);
    add_numbers("right_", right, all);
    double mass = hub_mass, area = hub_plate;
    for (const SoftLimb* limb : {&left, &right})
      for (const SheetLink& link : links_of(limb->sheet)) {
        mass += link.m;
        area += link.A;
      }
    all.push_back({.name = "mass", .signal = "", .known = {mass}, .unit = "kg"});
    all.push_back({.name = "area", .signal = "", .known = {area}, .unit = "m^2"});
    return all;
  }

  double fastest(const PlannedTree& moving) const override { return fastest_vibration(moving); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> lines = notes_of("left limb; k, c of the joint at the inner end", left);
    for (std::string& line : notes_of("right limb", right)) lines.push_back(std::move(line));
    return lines;
  }

 private:
  bool read_ = false;
};

}  // namespace

std::unique_ptr<Robot> make_soft_robot() { return std::make_unique<SoftRobot>(); }

}  // namespace sinew::robots
