// A step of an exported FMU, through its C interface, against the same step of the simulation: a communication step for each step.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "sinew/files/zip.h"
#include "sinew/fmi/interface.h"
#include "sinew/report/export_fmu.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"

namespace sinew::bench {
namespace {

namespace fs = std::filesystem;

sim::Experiment scenario_of_fmu(const std::string& name) {
  return text::load_experiment(fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, name), name);
}

// The library of the build, with the resources of an export. The folder stays until the end of the program.
class BenchFmu {
 public:
  explicit BenchFmu(const sim::Experiment& experiment) {
    std::string pattern = (fs::temp_directory_path() / "sinew-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    const ZipArchive archive(report::export_fmu(experiment, {3, fmi::Part::Scenario, "none"}));
    fs::create_directories(folder_ / "resources");
    for (const ZipEntry& e : archive.entries())
      if (e.name.starts_with("resources/")) std::ofstream(folder_ / e.name, std::ios::binary) << archive.content(e);
    const fs::path binary = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {binary / "sinew-fmu.so", binary.parent_path() / "sinew-fmu.so"})
      if (!library_) library_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error("no library of FMUs: build the target sinew_fmu");
    const std::string resources = (folder_ / "resources/").string();
    instance_ = call<fmi3::InstantiateCoSimulation>("fmi3InstantiateCoSimulation")(
        "bench", "", resources.c_str(), false, false, false, false, nullptr, 0, nullptr, nullptr, nullptr);
    if (!instance_) throw std::runtime_error("no instance");
    call<fmi3::EnterInitializationMode>("fmi3EnterInitializationMode")(instance_, false, 0.0, 0.0, false, 0.0);
    call<fmi3::Simple>("fmi3ExitInitializationMode")(instance_);
    step_ = call<fmi3::DoStep>("fmi3DoStep");
  }
  ~BenchFmu() {
    call<fmi3::FreeInstance>("fmi3FreeInstance")(instance_);
    dlclose(library_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void step(double t, double h) {
    bool events = false, ends = false, early = false;
    double last = 0.0;
    if (step_(instance_, t, h, true, &events, &ends, &early, &last) > fmi::Status::Warning)
      throw std::runtime_error("a step failed");
  }

 private:
  template <class Function>
  Function* call(const char* name) {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  fs::path folder_;
  void *library_ = nullptr, *instance_ = nullptr;
  fmi3::DoStep* step_ = nullptr;
};

void native(benchmark::State& state, const char* name) {
  sim::Simulation simulation(scenario_of_fmu(name));
  for (auto _ : state) simulation.advance();
}

void as_fmu(benchmark::State& state, const char* name) {
  const sim::Experiment experiment = scenario_of_fmu(name);
  BenchFmu fmu(experiment);
  const double h = experiment.scenario.step;
  std::int64_t k = 0;
  for (auto _ : state) {
    fmu.step(double(k) * h, h);
    k++;
  }
}

[[maybe_unused]] const int registered = [] {
  for (const char* name : {"snake/sidewinding", "hexapod/tripod", "basics/pendulum"}) {
    benchmark::RegisterBenchmark(fmt::format("fmu/native/{}", name).c_str(), native, name)->Iterations(4000);
    benchmark::RegisterBenchmark(fmt::format("fmu/step/{}", name).c_str(), as_fmu, name)->Iterations(4000);
  }
  return 0;
}();

}  // namespace
}  // namespace sinew::bench
