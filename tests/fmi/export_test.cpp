// Exported FMUs, driven by a client that knows the standard's interface alone, against the simulation itself.
#include "sinew/report/export_fmu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/fmi_client.h"
#include "tests/support/shipped.h"

namespace sinew::fmi {
namespace export_test {

using test::FmuInstance;
using test::LoadedFmu;
using ::testing::HasSubstr;

constexpr int versions[] = {2, 3};

// All outputs of an instance, and the same numbers of a simulation.
struct Outputs {
  Outputs(const LoadedFmu& fmu) {
    for (const auto& v : fmu.variables)
      if (v.causality == "output") {
        references.push_back(v.reference);
        names.push_back(v.name.starts_with("actual.") ? v.name.substr(7) : v.name);
        signals.push_back(v.name.starts_with("actual."));
      }
  }
  void expect_equal(FmuInstance& one, FmuInstance& other, double t) const {
    std::vector<double> a, b;
    ASSERT_EQ(one.get(references, a), Status::Ok);
    ASSERT_EQ(other.get(references, b), Status::Ok);
    for (std::size_t i = 0; i < a.size(); i++) ASSERT_EQ(a[i], b[i]) << names[i] << " at " << t;
  }
  std::vector<std::uint32_t> references;
  std::vector<std::string> names;
  std::vector<bool> signals;
};

// Body by body: what anybody would look at.
void expect_as_native(FmuInstance& instance, sim::Simulation& native, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    ASSERT_EQ(instance.get(name), native.get(name)) << name << " at " << native.time();
}

TEST(Fmu, ten_seconds_of_a_snake_robot_are_those_of_the_native_run) {
  const auto experiment = std::make_shared<const sim::Experiment>(test::shipped_experiment("snake/sidewinding"));
  const LoadedFmu fmu(test::fmu_of(*experiment, 3), 3);
  FmuInstance instance(fmu);
  sim::Simulation native(experiment);
  instance.begin(0.0, 10.0);
  const double h = 0.1;
  const int steps = int(std::lround(h / experiment->scenario.step));
  for (int n = 0; n < 100; n++) {
    ASSERT_EQ(instance.step(n * h, h), Status::Ok);
    for (int k = 0; k < steps; k++) native.advance();
    expect_as_native(instance, native, {"com.p.x", "com.p.y", "com.p.z", "energy.kinetic", "energy.balance_error"});
  }
  EXPECT_NEAR(native.time(), 10.0, 1e-9);
  EXPECT_GT(std::hypot(native.get("com.p.x"), native.get("com.p.y")), 0.1) << "it goes somewhere";
}

TEST(Fmu, a_walking_robot_with_its_controller_and_sensors_is_that_of_the_native_run) {
  const auto experiment = std::make_shared<const sim::Experiment>(test::shipped_experiment("hexapod/tripod"));
  for (const int version : versions) {
    const LoadedFmu fmu(test::fmu_of(*experiment, version), version);
    FmuInstance instance(fmu);
    sim::Simulation native(experiment);
    instance.begin();
    const double step = experiment->scenario.step;
    for (int n = 0; n < 100; n++) {
      ASSERT_EQ(instance.step(n * 5 * step, 5 * step), Status::Ok);
      for (int k = 0; k < 5; k++) native.advance();
    }
    expect_as_native(instance, native, {"com.p.x", "com.p.y", "com.p.z", "energy.kinetic", "energy.work_actuators"});
  }
}

TEST(Fmu, steps_of_any_length_lead_to_the_same_places) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("contact/box-drop"), 3), 3);
  const Outputs outputs(fmu);
  FmuInstance coarse(fmu), fine(fmu);
  coarse.begin();
  fine.begin();
  const double h = 0.05;
  for (int n = 0; n < 8; n++) {
    ASSERT_EQ(coarse.step(n * h, h), Status::Ok);
    for (int i = 0; i < 10; i++) ASSERT_EQ(fine.step(n * h + i * h / 10, h / 10), Status::Ok);
    outputs.expect_equal(coarse, fine, n * h);
  }
}

TEST(Fmu, two_instances_do_not_disturb_one_another) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("contact/box-drop"), 2), 2);
  const Outputs outputs(fmu);
  FmuInstance alone(fmu);
  alone.begin();
  for (int n = 0; n < 30; n++) ASSERT_EQ(alone.step(n * 0.01, 0.01), Status::Ok);
  FmuInstance a(fmu), b(fmu);
  ASSERT_EQ(b.set("gravity.g[2]", -1.6), Status::Ok);
  a.begin();
  b.begin();
  for (int n = 0; n < 30; n++) {
    ASSERT_EQ(a.step(n * 0.01, 0.01), Status::Ok);
    ASSERT_EQ(b.step(n * 0.01, 0.01), Status::Ok);
  }
  outputs.expect_equal(alone, a, 0.3);
  EXPECT_NE(a.get("com.p.z"), b.get("com.p.z")) << "another gravity";
}

TEST(Fmu, a_state_kept_in_mid_contact_goes_on_bit_by_bit_in_this_and_in_another_instance) {
  const auto experiment = test::shipped_experiment("contact/box-drop");
  for (const int version : versions) {
    const LoadedFmu fmu(test::fmu_of(experiment, version), version);
    const Outputs outputs(fmu);
    FmuInstance one(fmu), other(fmu);
    one.begin(2.0);
    other.begin();
    const double h = 0.002;
    int n = 0;
    const auto go = [&](FmuInstance& instance, int from, int to) {
      for (int i = from; i < to; i++) ASSERT_EQ(instance.step(2.0 + i * h, h), Status::Ok);
    };
    while (one.get("contacts.count") < 1.0 && n < 1000) go(one, n, n + 1), n++;
    ASSERT_GE(one.get("contacts.count"), 1.0);
    void* state = nullptr;
    ASSERT_EQ(one.save(&state), Status::Ok);
    const std::string bytes = one.serialized(state);
    go(one, n, n + 60);
    std::vector<double> first, again;
    ASSERT_EQ(one.get(outputs.references, first), Status::Ok);
    ASSERT_EQ(one.restore(state), Status::Ok);
    go(one, n, n + 60);
    ASSERT_EQ(one.get(outputs.references, again), Status::Ok);
    EXPECT_EQ(first, again);
    void* copy = nullptr;
    ASSERT_EQ(other.deserialize(bytes, &copy), Status::Ok);
    ASSERT_EQ(other.restore(copy), Status::Ok);
    go(other, n, n + 60);
    ASSERT_EQ(other.get(outputs.references, again), Status::Ok);
    EXPECT_EQ(first, again);
    EXPECT_EQ(one.free(&state), Status::Ok);
    EXPECT_EQ(other.free(&copy), Status::Ok);
    EXPECT_EQ(state, nullptr);
  }
}

TEST(Fmu, a_state_holds_parameters_that_were_changed_on_the_way) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("snake/lateral-undulation"), 3), 3);
  const Outputs outputs(fmu);
  FmuInstance one(fmu), other(fmu);
  one.begin();
  other.begin();
  const double h = 0.01;
  for (int n = 0; n < 10; n++) ASSERT_EQ(one.step(n * h, h), Status::Ok);
  const double before = one.get("gait.wh_deg_s");
  ASSERT_EQ(one.set("gait.wh_deg_s", before + 10.0), Status::Ok);
  for (int n = 10; n < 15; n++) ASSERT_EQ(one.step(n * h, h), Status::Ok);  // in the midst of the passage
  void *state = nullptr, *copy = nullptr;
  ASSERT_EQ(one.save(&state), Status::Ok);
  ASSERT_EQ(other.deserialize(one.serialized(state), &copy), Status::Ok);
  ASSERT_EQ(other.restore(copy), Status::Ok);
  EXPECT_EQ(other.get("gait.wh_deg_s"), before + 10.0);
  for (int n = 15; n < 40; n++) {
    ASSERT_EQ(one.step(n * h, h), Status::Ok);
    ASSERT_EQ(other.step(n * h, h), Status::Ok);
  }
  outputs.expect_equal(one, other, 0.4);
  one.free(&state);
  other.free(&copy);
}

TEST(Fmu, bytes_that_are_no_state_or_of_another_robot_are_refused) {
  const LoadedFmu box(test::fmu_of(test::shipped_experiment("contact/box-drop"), 3), 3);
  const LoadedFmu ball(test::fmu_of(test::shipped_experiment("basics/pendulum"), 3), 3);
  FmuInstance a(box), b(ball);
  a.begin();
  b.begin();
  void *state = nullptr, *other = nullptr;
  ASSERT_EQ(b.save(&state), Status::Ok);
  const std::string bytes = b.serialized(state);
  EXPECT_EQ(a.deserialize("nonsense", &other), Status::Error);
  ASSERT_EQ(a.deserialize(bytes, &other), Status::Ok);
  EXPECT_EQ(a.restore(other), Status::Error);
  const double z = a.get("com.p.z");
  for (std::size_t n = bytes.size() - 1; n > 20; n /= 2) {
    ASSERT_EQ(b.deserialize(bytes.substr(0, n), &other), Status::Ok);
    EXPECT_EQ(b.restore(other), Status::Error) << n;
  }
  EXPECT_EQ(a.get("com.p.z"), z);
  EXPECT_EQ(a.step(0.0, 0.01), Status::Ok);
  b.free(&state);
  a.free(&other);
}

TEST(Fmu, reset_begins_anew_with_the_numbers_of_the_archive) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("contact/box-drop"), 2), 2);
  const Outputs outputs(fmu);
  FmuInstance fresh(fmu), used(fmu);
  used.set("gravity.g[2]", -3.0);
  used.begin(5.0);
  used.set("push.box.force.x", 2.0);
  for (int n = 0; n < 20; n++) ASSERT_EQ(used.step(5.0 + n * 0.01, 0.01), Status::Ok);
  ASSERT_EQ(used.reset(), Status::Ok);
  used.begin();
  fresh.begin();
  for (int n = 0; n < 20; n++) {
    ASSERT_EQ(used.step(n * 0.01, 0.01), Status::Ok);
    ASSERT_EQ(fresh.step(n * 0.01, 0.01), Status::Ok);
  }
  outputs.expect_equal(fresh, used, 0.2);
}

TEST(Fmu, calls_in_the_wrong_state_are_refused_and_do_no_harm) {
  const auto experiment = test::shipped_experiment("basics/pendulum");
  for (const int version : versions) {
    const LoadedFmu fmu(test::fmu_of(experiment, version), version);
    FmuInstance i(fmu);
    std::vector<double> values;
    EXPECT_EQ(i.step(0.0, 0.01), Status::Error);
    EXPECT_EQ(i.exit(), Status::Error);
    EXPECT_EQ(i.terminate(), Status::Error);
    EXPECT_EQ(i.get({0}, values), Status::Error);
    ASSERT_EQ(i.setup(0.0, 0.1), Status::Ok);
    ASSERT_EQ(i.enter(), Status::Ok);
    EXPECT_EQ(i.enter(), Status::Error);
    EXPECT_EQ(i.step(0.0, 0.01), Status::Error);
    EXPECT_EQ(i.get({0}, values), Status::Ok);
    ASSERT_EQ(i.exit(), Status::Ok);
    EXPECT_EQ(i.exit(), Status::Error);
    EXPECT_EQ(i.get({1000000}, values), Status::Error);
    EXPECT_EQ(i.set(0, 1.0), Status::Error) << "the time";
    EXPECT_EQ(i.set("energy.kinetic", 1.0), Status::Error) << "an output";
    EXPECT_EQ(i.set("gravity.g[1]", std::nan("")), Status::Error);
    EXPECT_EQ(i.step(0.05, 0.01), Status::Error) << "another time";
    EXPECT_EQ(i.step(0.0, -0.01), Status::Error);
    EXPECT_EQ(i.step(0.0, 0.2), Status::Error) << "beyond the stop time";
    EXPECT_EQ(i.step(0.0, 0.1), Status::Ok) << "in spite of all that";
    EXPECT_NEAR(i.get("time"), 0.1, 1e-15);
    ASSERT_EQ(i.terminate(), Status::Ok);
    EXPECT_EQ(i.step(0.1, 0.0), Status::Error);
    EXPECT_EQ(i.get({0}, values), Status::Ok);
    EXPECT_GE(i.messages.size(), 14u) << "each is told why";
  }
}

TEST(Fmu, one_with_another_token_is_not_made) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("basics/pendulum"), 3), 3);
  FmuInstance other(fmu, "{00000000-0000-0000-0000-000000000000}");
  EXPECT_FALSE(other.is_there());
  ASSERT_EQ(other.messages.size(), 1u);
  EXPECT_THAT(other.messages[0], HasSubstr("token"));
}

TEST(Fmu, commands_and_pushes_act_as_in_the_simulation) {
  const auto experiment = std::make_shared<const sim::Experiment>(
      test::shipped_experiment("basics/pendulum", std::vector<std::string>{"joint.pivot.damping=0.1"}));
  const LoadedFmu fmu(test::fmu_of(*experiment, 3), 3);
  FmuInstance instance(fmu);
  sim::Simulation native(experiment);
  instance.begin();
  const double step = experiment->scenario.step;
  for (int n = 0; n < 200; n++) {
    const double torque = n < 100 ? 0.3 * n / 100 : -0.2, force = n < 50 ? 0.0 : 0.7;
    ASSERT_EQ(instance.set("joint.pivot.torque", torque), Status::Ok);
    ASSERT_EQ(instance.set("push.bob.force.x", force), Status::Ok);
    native.set("joint.pivot.torque", torque);
    native.stepping().input.external[std::size_t(native.world().model().body("bob"))].f[0] = force;
    ASSERT_EQ(instance.step(n * step, step), Status::Ok);
    native.advance();
  }
  expect_as_native(instance, native,
                   {"joint.pivot.q", "joint.pivot.u", "energy.work_external", "energy.work_actuators"});
  EXPECT_NE(native.get("energy.work_external"), 0.0);
}

TEST(Fmu, parameters_are_those_that_a_run_could_begin_with_and_change) {
  const LoadedFmu fmu(test::fmu_of(test::shipped_experiment("basics/pendulum"), 3), 3);
  FmuInstance instance(fmu);
  const auto heavy = std::make_shared<const sim::Experiment>(
      test::shipped_experiment("basics/pendulum", std::vector<std::string>{"body.bob.mass=3.7"}));
  sim::Simulation native(heavy);
  ASSERT_EQ(instance.set("body.bob.mass", 3.7), Status::Ok);
  EXPECT_EQ(instance.set("body.bob.mass", -1.0), Status::Error) << "out of its range";
  instance.begin();
  const double step = heavy->scenario.step;
  for (int n = 0; n < 100; n++) {
    if (n == 50) {
      ASSERT_EQ(instance.set("body.bob.mass", 9.0), Status::Ok);
      native.set("body.bob.mass", 9.0);
    }
    ASSERT_EQ(instance.step(n * step, step), Status::Ok);
    native.advance();
  }
  expect_as_native(instance, native, {"joint.pivot.q", "joint.pivot.u"});
}

TEST(Fmu, meshes_are_in_the_archive_and_their_files_may_be_gone) {
  namespace fs = std::filesystem;
  test::Folder folder;
  fs::copy(fs::path(SINEW_SCENARIO_DIR) / "contact/meshes", folder.path() / "meshes", fs::copy_options::recursive);
  fs::copy_file(fs::path(SINEW_SCENARIO_DIR) / "contact/mesh-sphere-drop.toml", folder.path() / "drop.toml");
  const auto experiment = std::make_shared<const sim::Experiment>(text::load_experiment(folder / "drop.toml", "drop"));
  const LoadedFmu fmu(test::fmu_of(*experiment, 3), 3);
  fs::remove_all(folder.path() / "meshes");
  FmuInstance instance(fmu);
  ASSERT_TRUE(instance.is_there()) << instance.messages.at(0);
  sim::Simulation native(experiment);
  instance.begin();
  const double h = 0.4;
  ASSERT_EQ(instance.step(0.0, h), Status::Ok);
  const int steps = int(std::lround(h / experiment->scenario.step));
  for (int k = 0; k < steps; k++) native.advance();
  expect_as_native(instance, native, {"com.p.x", "com.p.z", "energy.kinetic", "contacts.count"});
}

TEST(Fmu, the_same_scenario_gives_the_same_archive) {
  EXPECT_EQ(test::fmu_of(test::shipped_experiment("basics/pendulum"), 3),
            test::fmu_of(test::shipped_experiment("basics/pendulum"), 3));
}

TEST(Fmu, what_does_not_move_or_has_no_controller_is_refused) {
  EXPECT_THROW(test::fmu_of(test::shipped_experiment("drive/constants"), 3), InputError);
  EXPECT_THROW(test::fmu_of(test::shipped_experiment("basics/pendulum"), 3, Part::Controller), InputError);
}

}  // namespace export_test
}  // namespace sinew::fmi
