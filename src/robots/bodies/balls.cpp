// Equal or different balls that meet without friction or gravity (Konyev 2011, figure 2.7): the first moves along x and hits
//   line      balls that lie behind each other, the first gap apart from the second, the others touching (or gap apart as well)
//   triangle  two balls that touch each other, symmetrically: lines of centres at +- 30 degrees
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "robots/bodies/ball.h"
#include "robots/catalog.h"

namespace sinew::robots {
namespace {

enum class Arrangement { Line, Triangle };
constexpr std::array<std::string_view, 2> arrangement_names{"line", "triangle"};

struct Balls : Robot {
  std::vector<double> m{1.0, 1.0, 1.0};
  double v = 1.0, radius = 0.03, approach = 0.0, gap = 0.0;
  Arrangement arrangement = Arrangement::Line;

  void describe(Keys& keys) override {
    keys.numbers({"m", "kg", "masses, one for each ball; the first is the one that moves", positive}, {}, m);
    keys.number({"v", "m/s", "speed of the first ball"}, v);
    keys.number({"radius", "m", "of each ball", positive}, radius);
    keys.number({"approach", "m", "distance from the first ball to the next", not_negative}, approach);
    keys.number({"gap", "m", "distance between the others", not_negative}, gap);
    int chosen = int(arrangement);
    keys.choice({"arrangement", "", "line: one behind the other; triangle: the first of three hits two that touch"},
                arrangement_names, chosen);
    arrangement = Arrangement(chosen);
    if (m.size() < 2) keys.reject("m", "there are fewer than two balls", "give at least two masses");
    if (arrangement == Arrangement::Triangle && m.size() != 3)
      keys.reject("m", fmt::format("a triangle has three balls, but there are {} masses", m.size()), "give three");
  }

  Vec3d place(int i) const {
    const double d = 2.0 * radius;
    if (i == 0) return Vec3d::zero();
    if (arrangement == Arrangement::Line) return {d + approach + (i - 1) * (d + gap), 0.0, 0.0};
    const double side = d + gap, reach = d + approach;
    return {std::sqrt(reach * reach - 0.25 * side * side), i == 1 ? 0.5 * side : -0.5 * side, 0.0};
  }

  Plan plan() const override {
    Plan plan;
    plan.gravity.kind = GravityKind::None;
    for (int i = 0; i < int(m.size()); i++)
      add_ball({m[i], radius, place(i), i == 0 ? Vec3d(v, 0.0, 0.0) : Vec3d::zero()}, plan);
    return plan;
  }

  std::vector<ResultPlan> results() const override { return {{"vx", "body.*.v.x"}, {"vy", "body.*.v.y"}}; }
};

}  // namespace

std::unique_ptr<Robot> make_balls() { return std::make_unique<Balls>(); }

}  // namespace sinew::robots
