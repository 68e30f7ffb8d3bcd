// A client of FMUs of our own, which knows the standard's interface alone: it unpacks an archive, loads its library and drives instances.
#pragma once
#include <dlfcn.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/files/zip.h"
#include "sinew/fmi/interface.h"
#include "sinew/report/export_fmu.h"
#include "tests/support/folder.h"

namespace sinew::test {

std::string built_fmu_library();  // its bytes
std::string fmu_of(const sim::Experiment& experiment, int version, fmi::Part part = fmi::Part::Scenario);
void write_bytes(const std::string& file, std::string_view bytes);

// The numbers of a variable in a description, by plain search: name, value reference.
struct DescribedVariable {
  std::string name, causality, variability, unit, start;
  std::uint32_t reference;
};
std::vector<DescribedVariable> described(const std::string& xml);
std::string attribute(std::string_view tag, std::string_view name);  // empty: it has none

// An archive, unpacked and loaded.
class LoadedFmu {
 public:
  LoadedFmu(const std::string& archive, int version);
  ~LoadedFmu();
  template <class Function>
  Function* call(const std::string& name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }
  std::uint32_t reference(const std::string& name) const;
  std::string resources() const;

  const int version;
  std::string xml, token;
  std::vector<DescribedVariable> variables;

 private:
  void* symbol(const std::string& name) const;
  Folder folder_;
  void* library_ = nullptr;
};

// One instance, by either version of the standard.
class FmuInstance {
 public:
  explicit FmuInstance(const LoadedFmu& fmu, std::string token = "");
  ~FmuInstance();
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;

  bool is_there() const { return instance_ != nullptr; }
  fmi::Status setup(double start = 0.0, double stop = -1.0);  // FMI 3 does that with initialisation; stop < start: none
  fmi::Status enter();
  fmi::Status exit();
  void begin(double start = 0.0, double stop = -1.0);  // all three
  fmi::Status terminate();
  fmi::Status reset();
  fmi::Status step(double t, double h);
  fmi::Status get(const std::vector<std::uint32_t>& references, std::vector<double>& values);
  fmi::Status set(std::uint32_t reference, double value);
  double get(const std::string& name);
  fmi::Status set(const std::string& name, double value);
  fmi::Status save(void** state);
  fmi::Status restore(void* state);
  fmi::Status free(void** state);
  std::string serialized(void* state);
  fmi::Status deserialize(const std::string& bytes, void** state);

  std::vector<std::string> messages;

 private:
  const LoadedFmu& fmu_;
  fmi2::Callbacks callbacks_{};
  void* instance_ = nullptr;
  double start_ = 0.0, stop_ = -1.0;
};

}  // namespace sinew::test
