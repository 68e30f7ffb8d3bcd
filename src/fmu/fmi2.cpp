// The functions of FMI 2.0.4 for co-simulation. Those that no co-simulation FMU without such abilities is asked say so.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "fmu/instance.h"
#include "fmu/load.h"
#include "sinew/fmi/interface.h"

namespace {

using fmu::Instance;
using fmu::StoredState;
using sinew::fmi::Status;
namespace fmi2 = sinew::fmi2;

Instance* instance_of(fmi2::Component component) { return static_cast<Instance*>(component); }

Instance::Log logger_of(const char* name, const fmi2::Callbacks* callbacks) {
  if (!callbacks || !callbacks->logger) return {};
  return
      [name = std::string(name ? name : ""), callbacks](Status status, const char* category, const std::string& text) {
        callbacks->logger(callbacks->environment, name.c_str(), status, category, "%s", text.c_str());
      };
}

Status no_such(fmi2::Component component, const char* call) {
  return component ? instance_of(component)->refuse(call, "this FMU has no such ability") : Status::Error;
}

}  // namespace

#define SINEW_FMI2 extern "C" [[gnu::visibility("default")]]

SINEW_FMI2 const char* fmi2GetTypesPlatform() { return "default"; }
SINEW_FMI2 const char* fmi2GetVersion() { return "2.0"; }

SINEW_FMI2 fmi2::Component fmi2Instantiate(const char* name, fmi2::Kind kind, const char* guid, const char* resources,
                                           const fmi2::Callbacks* callbacks, fmi2::Boolean, fmi2::Boolean logging_on) {
  const Instance::Log tell = logger_of(name, callbacks);
  try {
    if (kind != fmi2::Kind::CoSimulation) throw std::runtime_error("it is for co-simulation alone");
    if (!resources || !guid) throw std::runtime_error("no place of its resources, or no GUID, was given");
    auto* out = new Instance(fmu::path_of_uri(resources), guid, tell);  // the importer's, until fmi2FreeInstance
    out->set_logging(logging_on != 0);
    return out;
  } catch (const std::exception& e) {
    if (tell) tell(Status::Error, "error", std::string("fmi2Instantiate: ") + e.what());
    return nullptr;
  }
}

SINEW_FMI2 void fmi2FreeInstance(fmi2::Component c) { delete instance_of(c); }

SINEW_FMI2 Status fmi2SetDebugLogging(fmi2::Component c, fmi2::Boolean is_on, std::size_t, const char* const*) {
  instance_of(c)->set_logging(is_on != 0);
  return Status::Ok;
}

SINEW_FMI2 Status fmi2SetupExperiment(fmi2::Component c, fmi2::Boolean, double, double start, fmi2::Boolean has_stop,
                                      double stop) {
  return instance_of(c)->set_experiment(start, has_stop != 0, stop);
}
SINEW_FMI2 Status fmi2EnterInitializationMode(fmi2::Component c) { return instance_of(c)->enter_initialization(); }
SINEW_FMI2 Status fmi2ExitInitializationMode(fmi2::Component c) { return instance_of(c)->exit_initialization(); }
SINEW_FMI2 Status fmi2Terminate(fmi2::Component c) { return instance_of(c)->terminate(); }
SINEW_FMI2 Status fmi2Reset(fmi2::Component c) { return instance_of(c)->reset(); }

SINEW_FMI2 Status fmi2GetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t n,
                              double* values) {
  return instance_of(c)->get(references, n, values);
}
SINEW_FMI2 Status fmi2SetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t n,
                              const double* values) {
  return instance_of(c)->set(references, n, values);
}

#define SINEW_FMI2_NO_TYPE(NAME, VALUE)                                                                          \
  SINEW_FMI2 Status fmi2Get##NAME(fmi2::Component c, const fmi2::ValueReference*, std::size_t n, VALUE*) {       \
    return instance_of(c)->none_of_type(n, "fmi2Get" #NAME);                                                     \
  }                                                                                                              \
  SINEW_FMI2 Status fmi2Set##NAME(fmi2::Component c, const fmi2::ValueReference*, std::size_t n, const VALUE*) { \
    return instance_of(c)->none_of_type(n, "fmi2Set" #NAME);                                                     \
  }
SINEW_FMI2_NO_TYPE(Integer, int)
SINEW_FMI2_NO_TYPE(Boolean, int)
SINEW_FMI2_NO_TYPE(String, char*)

SINEW_FMI2 Status fmi2DoStep(fmi2::Component c, double t, double step, fmi2::Boolean) {
  return instance_of(c)->do_step(t, step);
}

SINEW_FMI2 Status fmi2GetFMUstate(fmi2::Component c, fmi2::State* state) {
  return instance_of(c)->save(reinterpret_cast<StoredState**>(state));
}
SINEW_FMI2 Status fmi2SetFMUstate(fmi2::Component c, fmi2::State state) {
  return instance_of(c)->restore(static_cast<StoredState*>(state));
}
SINEW_FMI2 Status fmi2FreeFMUstate(fmi2::Component, fmi2::State* state) {
  if (state) delete static_cast<StoredState*>(*state);
  if (state) *state = nullptr;
  return Status::Ok;
}
SINEW_FMI2 Status fmi2SerializedFMUstateSize(fmi2::Component c, fmi2::State state, std::size_t* size) {
  if (!state) return instance_of(c)->refuse("fmi2SerializedFMUstateSize", "there is no state");
  *size = static_cast<StoredState*>(state)->bytes.size();
  return Status::Ok;
}
SINEW_FMI2 Status fmi2SerializeFMUstate(fmi2::Component c, fmi2::State state, char* bytes, std::size_t size) {
  const auto* stored = static_cast<StoredState*>(state);
  if (!stored || size < stored->bytes.size())
    return instance_of(c)->refuse("fmi2SerializeFMUstate", "there is no state, or not enough room for it");
  std::memcpy(bytes, stored->bytes.data(), stored->bytes.size());
  return Status::Ok;
}
SINEW_FMI2 Status fmi2DeSerializeFMUstate(fmi2::Component c, const char* bytes, std::size_t size, fmi2::State* state) {
  return instance_of(c)->deserialize({bytes, size}, reinterpret_cast<StoredState**>(state));
}

SINEW_FMI2 Status fmi2GetDirectionalDerivative(fmi2::Component c, const fmi2::ValueReference*, std::size_t,
                                               const fmi2::ValueReference*, std::size_t, const double*, double*) {
  return no_such(c, "fmi2GetDirectionalDerivative");
}
SINEW_FMI2 Status fmi2SetRealInputDerivatives(fmi2::Component c, const fmi2::ValueReference*, std::size_t, const int*,
                                              const double*) {
  return no_such(c, "fmi2SetRealInputDerivatives");
}
SINEW_FMI2 Status fmi2GetRealOutputDerivatives(fmi2::Component c, const fmi2::ValueReference*, std::size_t, const int*,
                                               double*) {
  return no_such(c, "fmi2GetRealOutputDerivatives");
}
SINEW_FMI2 Status fmi2CancelStep(fmi2::Component c) { return no_such(c, "fmi2CancelStep"); }

// A step is over when fmi2DoStep returns, so there is nothing pending of which one could ask.
SINEW_FMI2 Status fmi2GetStatus(fmi2::Component, int, Status*) { return Status::Discard; }
SINEW_FMI2 Status fmi2GetRealStatus(fmi2::Component c, int kind, double* value) {
  constexpr int last_successful_time = 2;
  if (kind != last_successful_time) return Status::Discard;
  *value = instance_of(c)->last_time();
  return Status::Ok;
}
SINEW_FMI2 Status fmi2GetIntegerStatus(fmi2::Component, int, int*) { return Status::Discard; }
SINEW_FMI2 Status fmi2GetBooleanStatus(fmi2::Component c, int kind, fmi2::Boolean* value) {
  constexpr int terminated = 3;
  if (kind != terminated) return Status::Discard;
  *value = instance_of(c)->is_failed();
  return Status::Ok;
}
SINEW_FMI2 Status fmi2GetStringStatus(fmi2::Component, int, const char**) { return Status::Discard; }
