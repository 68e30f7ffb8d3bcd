// A snake that glides along its own track without slipping sideways, in the plane or in space (docs/theory/rods.md#gaits).
//   K_Z = f(X + s(t)),   f = a cos(2 pi sigma / lam) + b B(sigma - s(t_o + T_o/2)),   s' = V_o = V0 + VA sin(Vw t)
// V_o < 0 goes head first. The bump B turns the snake. Supports stand still in space and hold the body across.
#include <cmath>

#include "robots/rod/rod_keys.h"
#include "sinew/math/elementary.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"

namespace sinew::robots {
namespace {

constexpr std::array<std::string_view, 2> dimensions{"plane", "space"};

struct RodSnake : Robot {
  RodBody body;
  rod::SnakeGait gait;
  RodLoads loads;
  rod::Supports supports{.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 2.0, .period = 1.0, .side = {}, .mu = {}};
  int dimension = 0, share = 0, connection = 1;
  double drag_along = 0.0, regularisation = 1e6;

  void describe(Keys& keys) override {
    static constexpr std::array<std::string_view, 2> connections{"contacts", "shape"};
    keys.choice({"dimension", "", "plane or space"}, dimensions, dimension);
    body.describe(keys);
    keys.number({"amplitude", "rad/m", "of the curvature K_Z along the track"}, gait.a);
    keys.number({"wavelength", "m", "of this curvature", positive}, gait.lam);
    keys.number({"V0", "m/s", "speed along the track; below 0: head first"}, gait.V0);
    keys.number({"VA", "m/s", "speed: amplitude of a sine that is added"}, gait.VA);
    keys.number({"Vw", "rad/s", "frequency of this sine", positive}, gait.Vw);
    keys.number({"b", "rad/m", "height of the bump of K_Z that turns the snake"}, gait.b);
    keys.number({"t_o", "s", "when the head begins to turn"}, gait.t_o);
    keys.number({"T_o", "s", "how long it turns", positive}, gait.T_o);
    keys.number({"amplitude_y", "rad/m", "space: of the curvature K_Y"}, gait.a_y);
    keys.number({"wavelength_y", "m", "space: of this curvature", positive}, gait.lam_y);
    keys.number({"b_y", "rad/m", "space: height of the bump of K_Y"}, gait.b_y);
    keys.choice({"connection", "", "what moves the head: supports everywhere (shape), or those of C (contacts)"},
                connections, connection);
    keys.numbers({"C", "m", "supports: where they are on the body at the time t_C; empty: none"}, {}, supports.C);
    keys.number({"t_C", "s", "time of C"}, supports.t_C);
    keys.number(
        {"C_period", "m", "along the track the supports repeat after this length; 0: they do not", not_negative},
        supports.period);
    keys.numbers({"sides",
                  "1",
                  "of each support: 1 pushes along +t_Y, -1 along -t_Y only, 0 both; empty: all 0",
                  {.low = -1, .high = 1}},
                 {}, supports.side);
    keys.numbers({"mu", "1", "of each support, for the share \"friction\"", not_negative}, {}, supports.mu);
    keys.choice({"share", "", "how supports share their resultant"}, rod::share_names, share);
    keys.number({"regularisation", "1", "weight of the balance in the share \"regularised\"", positive},
                regularisation);
    keys.number({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}, drag_along);
    if (gait.V0 == 0.0 && (gait.b != 0.0 || gait.b_y != 0.0))
      keys.reject("V0", "a bump on the track needs a speed", "use V0 < 0 to go head first");
    check_lists(keys);
  }

  void check_lists(Keys& keys) {
    if (supports.C.size() > 30) keys.reject("C", "there are more than 30 supports", "use at most 30");
    for (const auto& [key, list] : {std::pair{"sides", &supports.side}, std::pair{"mu", &supports.mu}})
      if (!list->empty() && list->size() != supports.C.size())
        keys.reject(key, "it has not one number for each support of C", "give as many numbers as C has");
    if (share == int(rod::Share::Equal))
      keys.reject("share", "supports across a curved body do not share equally", "use \"minimum-norm\"");
    if (share == int(rod::Share::Friction) && (supports.side.empty() || supports.mu.empty()))
      keys.reject("share", "the share \"friction\" needs sides and mu", "give robot.sides and robot.mu");
  }

  template <class G>
  std::shared_ptr<const SectionPlant> make(const Plan& final) const {
    rod::KinematicPlan<G> k;
    rod::Loads all = loads.finish(final, body, rod::directions<G>);
    all.ct = drag_along;
    k.rod = body.make<G>(rod::snake_law<G>(body.grid(), gait), all);
    k.looks = body.looks(int(supports.C.size()));
    k.contacts = rod::supports<G>(supports, gait, body.length);
    k.connect = connection ? rod::Connect::Shape : rod::Connect::Contacts;
    k.share = rod::Share(share);
    k.regularisation = regularisation;
    k.couple_length = body.radius;
    return rod::make_kinematic(std::move(k));
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) {
      return robot.dimension ? robot.make<rod::Space>(final) : robot.make<rod::Plane>(final);
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }

  // Integral of the bump over its unit width: Simpson's rule is exact to round-off, all derivatives vanish at the ends.
  std::vector<ResultPlan> results() const override {
    double I = 0.0;
    const int n = 4000;
    for (int i = 1; i < n; i++) I += rod::bump(-1.0 + 2.0 * i / n, 1.0).B * 2.0 / n;
    const double pi = 3.14159265358979323846, turn = gait.b * gait.half_width() * I * (gait.V0 < 0.0 ? -1.0 : 1.0);
    const auto known = [](const char* name, double value, const char* unit) {
      ResultPlan r{.name = name, .signal = ""};
      r.known = {value};
      r.unit = unit;
      return r;
    };
    return {known("bump_integral_I", I, "1"), known("heading_change", turn, "rad"),
            known("advance_per_wave", gait.lam * math::bessel_j0(std::abs(gait.a) * gait.lam / (2.0 * pi)), "m")};
  }
};

// An arc whose supports leave it free to glide along its circle; axial friction brings it to rest.
struct RodArc : Robot {
  RodBody body;
  double kappa = 2.0, V0 = -0.5, drag_along = 1.0;
  rod::Supports supports{.C = {0.2, 0.45, 0.6, 0.9}, .t_C = 0.0, .period = 0.0, .side = {}, .mu = {}};
  RodLoads loads;

  void describe(Keys& keys) override {
    body.describe(keys);
    keys.number({"kappa", "1/m", "curvature of the arc"}, kappa);
    keys.number({"V0", "m/s", "speed along it at the start"}, V0);
    keys.number({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}, drag_along);
    keys.numbers({"C", "m", "supports: sections that cannot move across", not_negative}, {}, supports.C);
    check_abscissae(keys, "C", supports.C, body.length);
    if (supports.C.size() > 30) keys.reject("C", "there are more than 30 supports", "use at most 30");
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) -> std::shared_ptr<const SectionPlant> {
      rod::KinematicPlan<rod::Plane> k;
      rod::Loads all = robot.loads.finish(final, robot.body, 2);
      all.ct = robot.drag_along;
      k.rod =
          robot.body.make<rod::Plane>(rod::constant_law<rod::Plane>(robot.body.grid(), {1.0, 0.0, robot.kappa}), all);
      k.looks = robot.body.looks(int(robot.supports.C.size()));
      k.contacts = rod::fixed_supports<rod::Plane>(robot.supports);
      k.start_twist = {robot.V0, 0.0, robot.V0 * robot.kappa};
      k.couple_length = robot.body.radius;
      return rod::make_kinematic(std::move(k));
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }
};

// A planar snake that shears; its sections nowhere slip along their own plane.
struct RodShear : Robot {
  RodBody body;
  int variant = 0;
  rod::ShearedArc arc;
  rod::ShearGait gait;
  double V_o = -0.5;
  RodLoads loads;

  void describe(Keys& keys) override {
    static constexpr std::array<std::string_view, 2> variants{"constant-shear", "varying-shear"};
    keys.choice({"variant", "", "the shear is given and the curvature follows, or the other way round"}, variants,
                variant);
    body.describe(keys);
    keys.number({"V_o", "m/s", "speed of the head along its normal"}, V_o);
    keys.number({"kappa0", "1/m", "constant-shear: curvature at the start, of either sign, or 0"}, arc.kappa);
    keys.number({"Gamma_Y", "1", "constant-shear: the shear, of either sign, or 0"}, arc.gamma);
    keys.number({"K_Z", "1/m", "varying-shear: the curvature", positive}, gait.K);
    keys.number({"Omega_o", "rad/s", "varying-shear: turning speed of the head"}, gait.Omega_o);
    keys.number({"GammaY_initial", "1", "varying-shear: shear at the start"}, gait.start);
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) -> std::shared_ptr<const SectionPlant> {
      rod::KinematicPlan<rod::Plane> k;
      const rod::Grid grid = robot.body.grid();
      rod::ShearedArc arc = robot.arc;
      rod::ShearGait gait = robot.gait;
      arc.V_o = gait.V_o = robot.V_o;
      const rod::StrainLawPtr<rod::Plane> law =
          robot.variant ? rod::shear_law(grid, gait) : rod::sheared_arc_law(grid, arc);
      k.rod = robot.body.make<rod::Plane>(law, robot.loads.finish(final, robot.body, 2));
      k.looks = robot.body.looks(0);
      k.connect = rod::Connect::Given;
      // V_Y = 0 at the head: Omega = K V - Gamma_Y'
      k.given = [law, V = robot.V_o](double t, rod::Vec<3>& eta, rod::Vec<3>& rate) {
        const rod::Strain<rod::Plane> s = law->at(0.0, t);
        eta = {V, 0.0, s.xi[2] * V - s.xi_t[1]};
        rate = {0.0, 0.0, s.xi_t[2] * V - s.xi_tt[1]};
      };
      return rod::make_kinematic(std::move(k));
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }
};

}  // namespace

std::unique_ptr<Robot> make_rod_snake() { return std::make_unique<RodSnake>(); }
std::unique_ptr<Robot> make_rod_arc() { return std::make_unique<RodArc>(); }
std::unique_ptr<Robot> make_rod_shear() { return std::make_unique<RodShear>(); }

}  // namespace sinew::robots
