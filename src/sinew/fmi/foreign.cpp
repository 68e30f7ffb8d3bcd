#include "sinew/fmi/foreign.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "sinew/files/errors.h"
#include "sinew/fmi/interface.h"
#include "sinew/sim/errors.h"

namespace sinew::fmi {
namespace {

namespace fs = std::filesystem;

// The archive on the disk, and its library in this process.
class Unpacked {
 public:
  explicit Unpacked(const ForeignStart& start) : file_(start.file) {
    std::string pattern = (fs::temp_directory_path() / "sinew-fmu-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw FileError(fmt::format("{}: no folder to unpack it to", pattern));
    folder_ = pattern;
    try {
      imports::unpack_fmu(start.file, folder_.string());
      library_ = dlopen((folder_ / start.fmu.library).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!library_) throw InputError(fmt::format("{}: its library cannot be loaded: {}", file_, dlerror()));
    } catch (...) {
      remove();
      throw;
    }
  }
  ~Unpacked() {
    dlclose(library_);
    remove();
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  template <class Function>
  Function* call(const std::string& name) const {
    void* found = dlsym(library_, name.c_str());
    if (!found) throw InputError(fmt::format("{}: its library has no function {}: export it again", file_, name));
    return reinterpret_cast<Function*>(found);
  }
  std::string resources(int version) const {
    const std::string place = (folder_ / "resources").string();
    return version == 2 ? "file://" + place : place + "/";
  }

 private:
  void remove() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string file_;
  fs::path folder_;
  void* library_ = nullptr;
};

// What it last complained of.
void hear_2(void* environment, const char*, Status status, const char*, const char* form, ...) {
  if (status < Status::Warning || !form) return;
  char text[1000];
  va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text, sizeof text, form, arguments);
  va_end(arguments);
  *static_cast<std::string*>(environment) = text;
}
void hear_3(void* environment, Status status, const char*, const char* text) {
  if (status >= Status::Warning && text) *static_cast<std::string*>(environment) = text;
}

class Foreign : public ForeignController {
 public:
  explicit Foreign(const ForeignStart& start) : start_(start), unpacked_(start) {
    const std::string v = start.fmu.version == 2 ? "fmi2" : "fmi3";
    free_ = unpacked_.call<fmi2::FreeInstance>(v + "FreeInstance");
    exit_ = unpacked_.call<fmi2::Simple>(v + "ExitInitializationMode");
    terminate_ = unpacked_.call<fmi2::Simple>(v + "Terminate");
    callbacks_ = {hear_2, std::calloc, std::free, nullptr, &heard_};
    for (const FmuWire& wire : start.wires.inputs)
      inputs_.push_back(start.fmu.variables[std::size_t(wire.variable)].reference);
    for (const FmuWire& wire : start.wires.outputs)
      outputs_.push_back(start.fmu.variables[std::size_t(wire.variable)].reference);
    in_.resize(inputs_.size());
    out_.resize(outputs_.size());
    instantiate();
  }
  ~Foreign() override { end(); }

  void update(const Readings& readings, std::span<double>, Input<double>& out) override {
    for (std::size_t i = 0; i < in_.size(); i++)
      in_[i] = *number_at(readings, std::size_t(start_.wires.inputs[i].channel));
    if (!is_begun_ || std::abs(readings.t - t_) > 0.999 * start_.period) begin(readings.t);
    const double h = readings.t + start_.period - t_;
    check("its inputs", set(inputs_, in_));
    if (h > 0.0) check("a step", step(h));
    t_ += h > 0.0 ? h : 0.0;
    check("its outputs", get(outputs_, out_));
    for (std::size_t i = 0; i < out_.size(); i++) {
      if (!std::isfinite(out_[i])) fail("its outputs", fmt::format("{} is no command", out_[i]));
      command_at(out, std::size_t(start_.wires.outputs[i].channel)) = out_[i];
    }
  }

 private:
  bool is_2() const { return start_.fmu.version == 2; }

  void instantiate() {
    const std::string resources = unpacked_.resources(start_.fmu.version);
    const char* token = start_.fmu.token.c_str();
    if (is_2())
      instance_ = unpacked_.call<fmi2::Instantiate>("fmi2Instantiate")("controller", fmi2::Kind::CoSimulation, token,
                                                                       resources.c_str(), &callbacks_, 0, 0);
    else
      instance_ = unpacked_.call<fmi3::InstantiateCoSimulation>("fmi3InstantiateCoSimulation")(
          "controller", token, resources.c_str(), false, false, false, false, nullptr, 0, &heard_, hear_3, nullptr);
    if (!instance_) fail("its start", "it makes no instance");
    std::vector<std::uint32_t> references;
    std::vector<double> values;
    for (const ForeignStart::Parameter& p : start_.parameters) {
      references.push_back(p.reference);
      values.push_back(p.value);
    }
    check("its parameters", set(references, values));
  }

  void end() {
    if (instance_ && is_begun_) terminate_(instance_);
    if (instance_) free_(instance_);
    instance_ = nullptr;
  }

  // From this time on; a second time with a fresh instance, because not every FMU can be reset.
  void begin(double t) {
    if (is_begun_) {
      end();
      is_begun_ = false;
      instantiate();
    }
    if (is_2()) {
      check("its setup", unpacked_.call<fmi2::SetupExperiment>("fmi2SetupExperiment")(instance_, 0, 0.0, t, 0, 0.0));
      check("its initialisation", unpacked_.call<fmi2::Simple>("fmi2EnterInitializationMode")(instance_));
    } else {
      check("its initialisation", unpacked_.call<fmi3::EnterInitializationMode>("fmi3EnterInitializationMode")(
                                      instance_, false, 0.0, t, false, 0.0));
    }
    check("its inputs", set(inputs_, in_));
    check("its initialisation", exit_(instance_));
    is_begun_ = true;
    t_ = t;
  }

  Status set(const std::vector<std::uint32_t>& references, const std::vector<double>& values) {
    if (references.empty()) return Status::Ok;
    if (is_2()) {
      if (!set_2_) set_2_ = unpacked_.call<fmi2::SetReal>("fmi2SetReal");
      return set_2_(instance_, references.data(), references.size(), values.data());
    }
    if (!set_3_) set_3_ = unpacked_.call<fmi3::SetFloat64>("fmi3SetFloat64");
    return set_3_(instance_, references.data(), references.size(), values.data(), values.size());
  }

  Status get(const std::vector<std::uint32_t>& references, std::vector<double>& values) {
    if (is_2()) {
      if (!get_2_) get_2_ = unpacked_.call<fmi2::GetReal>("fmi2GetReal");
      return get_2_(instance_, references.data(), references.size(), values.data());
    }
    if (!get_3_) get_3_ = unpacked_.call<fmi3::GetFloat64>("fmi3GetFloat64");
    return get_3_(instance_, references.data(), references.size(), values.data(), values.size());
  }

  Status step(double h) {
    if (is_2()) {
      if (!step_2_) step_2_ = unpacked_.call<fmi2::DoStep>("fmi2DoStep");
      return step_2_(instance_, t_, h, 1);
    }
    if (!step_3_) step_3_ = unpacked_.call<fmi3::DoStep>("fmi3DoStep");
    bool needs_events = false, ends = false, early = false;
    double last = 0.0;
    const Status status = step_3_(instance_, t_, h, true, &needs_events, &ends, &early, &last);
    if (status <= Status::Warning && (ends || early)) fail("a step", "it has ended its simulation");
    return status;
  }

  void check(const char* what, Status status) {
    if (status > Status::Warning) fail(what, "its library answers with an error");
  }
  [[noreturn]] void fail(const char* what, const std::string& why) {
    throw InputError(fmt::format("{}: {} failed at t = {:.6g} s: {}{}{}", start_.file, what, t_, why,
                                 heard_.empty() ? "" : ": ", heard_));
  }

  ForeignStart start_;
  Unpacked unpacked_;
  std::string heard_;
  fmi2::Callbacks callbacks_{};
  fmi2::FreeInstance* free_;
  fmi2::Simple *exit_, *terminate_;
  fmi2::SetReal* set_2_ = nullptr;
  fmi2::GetReal* get_2_ = nullptr;
  fmi2::DoStep* step_2_ = nullptr;
  fmi3::SetFloat64* set_3_ = nullptr;
  fmi3::GetFloat64* get_3_ = nullptr;
  fmi3::DoStep* step_3_ = nullptr;
  void* instance_ = nullptr;
  std::vector<std::uint32_t> inputs_, outputs_;
  std::vector<double> in_, out_;
  bool is_begun_ = false;
  double t_ = 0.0;  // of the FMU [s]
};

}  // namespace

std::unique_ptr<ForeignController> start_foreign(const ForeignStart& start) { return std::make_unique<Foreign>(start); }

}  // namespace sinew::fmi
