// A rod that drives its strain and goes where the loads let it: swimming, crawling on friction, pushing at pegs, drifting free
// (docs/theory/rods.md#gaits). The gait is a travelling wave of curvature that rises smoothly: RodWave of model/rod_parameters.h.
#include "robots/rod/rod_keys.h"
#include "sinew/rod/gaits.h"
#include "sinew/rod/strain_driven.h"

namespace sinew::robots {
namespace {

struct RodSwimmer : Robot {
  RodBody body;
  RodWave wave{.ramp = 1.0}, wave_y;  // of K_Z and, in space, of K_Y, whose length, period and ramp are the former's
  RodLoads loads;
  int dimension = 0, beginning = 0;
  std::vector<double> mean_strain, start_twist, start_pose;
  double start_height = 0.0;

  void describe(Keys& keys) override {
    static constexpr std::array<std::string_view, 2> dimensions{"plane", "space"}, beginnings{"given", "no-momentum"};
    keys.choice({"dimension", "", "plane or space"}, dimensions, dimension);
    body.describe(keys);
    keys.numbers({"mean_strain", "", "to which the gait is added: 3 numbers in the plane, 6 in space; empty: straight"},
                 {}, mean_strain);
    keys.numbers({"start_twist", "", "of the head, in its axes; empty: none"}, {}, start_twist);
    keys.choice({"beginning", "", "twist of the head at the start: start_twist, or such that the momentum is zero"},
                beginnings, beginning);
    keys.numbers({"start_pose", "", "of the head: x, y, turn; in space: place and rotation vector; empty: the origin"},
                 {}, start_pose);
    keys.number({"start_height", "m", "moved by this along ground_normal at the start"}, start_height);
    loads.describe(keys, true);
    const std::size_t n = dimension ? 6 : 3;
    for (const auto& [key, list] : {std::pair{"mean_strain", &mean_strain}, std::pair{"start_twist", &start_twist},
                                    std::pair{"start_pose", &start_pose}})
      if (!list->empty() && list->size() != n)
        keys.reject(key, "it has a wrong number of entries",
                    n == 6 ? "give 6 numbers in space" : "give 3 numbers in the plane");
    describe_wave(keys);
  }

  void describe_wave(Keys& keys) {
    const Table table(keys, "wave", rod_wave_doc);
    sinew::describe(keys, wave);
    keys.number({"amplitude_y", "rad/m", "space: the same for the curvature about y"}, wave_y.amplitude);
    keys.number({"slope_y", "rad/m", "space: the same for the curvature about y"}, wave_y.slope);
    keys.number({"bias_y", "rad/m", "space: the same for the curvature about y"}, wave_y.bias);
    keys.number({"phase_y", "rad", "space: the same for the curvature about y", any_number, true}, wave_y.phase);
  }

  rod::WaveGait gait() const {
    return {.a0 = wave.amplitude,
            .a1 = wave.slope,
            .bias = wave.bias,
            .phase = wave.phase,
            .a0_y = wave_y.amplitude,
            .a1_y = wave_y.slope,
            .bias_y = wave_y.bias,
            .phase_y = wave_y.phase,
            .lam = wave.wavelength,
            .T = wave.period,
            .Tr = wave.ramp};
  }

  template <class G>
  std::shared_ptr<const SectionPlant> make(const Plan& final) const {
    const auto twist = [](const std::vector<double>& a, typename G::Twist otherwise) {
      for (std::size_t i = 0; i < a.size() && i < std::size_t(G::n); i++) otherwise[i] = a[i];
      return otherwise;
    };
    rod::StrainDrivenPlan<G> k;
    k.rod = body.make<G>(rod::wave_law<G>(body.grid(), twist(mean_strain, G::straight()), gait()),
                         loads.finish(final, body, rod::directions<G>));
    k.looks = body.looks(0);
    k.start = robots::start_pose<G>(start_pose);
    typename G::Twist lift = G::Twist::zero();
    for (int i = 0; i < rod::directions<G>; i++) lift[i] = start_height * loads.loads.ground_normal[i];
    k.start = rod::exponential<G>(lift) * k.start;
    k.start_twist = twist(start_twist, G::Twist::zero());
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
