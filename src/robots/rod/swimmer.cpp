// A rod that drives its strain and goes where the loads let it: swimming, crawling on friction, pushing at pegs, drifting free
// (docs/theory/rods.md#gaits). The gait is a travelling wave of curvature that rises smoothly:
//   K_Z = r(t) [bias + (a0 + a1 X/l) cos(2 pi (X/lam - t/T) + phase)]
#include "robots/rod/rod_keys.h"
#include "sinew/rod/gaits.h"
#include "sinew/rod/strain_driven.h"

namespace sinew::robots {
namespace {

struct RodSwimmer : Robot {
  RodBody body;
  rod::WaveGait gait;
  RodLoads loads;
  int dimension = 0, beginning = 0;
  std::vector<double> xi, eta0, start;
  double h0 = 0.0;

  void describe(Keys& keys) override {
    static constexpr std::array<std::string_view, 2> dimensions{"plane", "space"}, beginnings{"given", "no-momentum"};
    keys.choice({"dimension", "", "plane or space"}, dimensions, dimension);
    body.describe(keys);
    keys.number({"a0", "1/m", "wave of the curvature K_Z: amplitude at the head"}, gait.a0);
    keys.number({"a1", "1/m", "how much larger it is at the tail"}, gait.a1);
    keys.number({"bias", "1/m", "mean of K_Z"}, gait.bias);
    keys.number({"phase", "rad", "of the wave"}, gait.phase);
    keys.number({"a0_y", "1/m", "space: the same for K_Y"}, gait.a0_y);
    keys.number({"a1_y", "1/m", "space: the same for K_Y"}, gait.a1_y);
    keys.number({"bias_y", "1/m", "space: the same for K_Y"}, gait.bias_y);
    keys.number({"phase_y", "rad", "space: the same for K_Y"}, gait.phase_y);
    keys.number({"lam", "m", "wavelength", positive}, gait.lam);
    keys.number({"T", "s", "period", positive}, gait.T);
    keys.number({"Tr", "s", "time in which the gait rises; 0: it is there at once", not_negative}, gait.Tr);
    keys.numbers({"xi", "", "strain to which the gait is added: 3 numbers in the plane, 6 in space; empty: straight"},
                 {}, xi);
    keys.numbers({"eta0", "", "twist of the head at the start, in its axes; empty: none"}, {}, eta0);
    keys.choice({"beginning", "", "twist of the head at the start: eta0, or such that the momentum is zero"},
                beginnings, beginning);
    keys.numbers({"start", "", "pose of the head: x, y, turn; in space: place and rotation vector; empty: the origin"},
                 {}, start);
    keys.number({"h0", "m", "moved by this along ground_normal at the start"}, h0);
    loads.describe(keys, true);
    const std::size_t n = dimension ? 6 : 3;
    for (const auto& [key, list] : {std::pair{"xi", &xi}, std::pair{"eta0", &eta0}, std::pair{"start", &start}})
      if (!list->empty() && list->size() != n)
        keys.reject(key, "it has a wrong number of entries",
                    n == 6 ? "give 6 numbers in space" : "give 3 numbers in the plane");
  }

  template <class G>
  std::shared_ptr<const SectionPlant> make(const Plan& final) const {
    const auto twist = [](const std::vector<double>& a, typename G::Twist otherwise) {
      for (std::size_t i = 0; i < a.size() && i < std::size_t(G::n); i++) otherwise[i] = a[i];
      return otherwise;
    };
    rod::StrainDrivenPlan<G> k;
    k.rod = body.make<G>(rod::wave_law<G>(body.grid(), twist(xi, G::straight()), gait),
                         loads.finish(final, body, rod::directions<G>));
    k.looks = body.looks(0);
    k.start = start_pose<G>(start);
    typename G::Twist lift = G::Twist::zero();
    for (int i = 0; i < rod::directions<G>; i++) lift[i] = h0 * loads.loads.ground_normal[i];
    k.start = rod::exponential<G>(lift) * k.start;
    k.start_twist = twist(eta0, G::Twist::zero());
    k.rest_start = beginning == 1;
    k.tolerance = final.adaptive_tolerance;
    return rod::make_strain_driven(std::move(k));
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) {
      return robot.dimension ? robot.make<rod::Space>(final) : robot.make<rod::Plane>(final);
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4", "rk45", "euler"}; }
};

}  // namespace

std::unique_ptr<Robot> make_rod_swimmer() { return std::make_unique<RodSwimmer>(); }

}  // namespace sinew::robots
