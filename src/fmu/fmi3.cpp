// The functions of FMI 3.0 for co-simulation. All of the standard are here, as it wants; those for what this FMU is not refuse. They are
// declared with the instance alone, the first of their arguments: importers find them by name, and nothing of the rest is read.
#include <cstring>

#include "fmu/instance.h"
#include "fmu/load.h"
#include "sinew/fmi/interface.h"

namespace {

using fmu::Instance;
using fmu::StoredState;
using sinew::fmi::Status;
namespace fmi3 = sinew::fmi3;

Instance* part_of(fmi3::Instance instance) { return static_cast<Instance*>(instance); }

}  // namespace

#define SINEW_FMI3 extern "C" [[gnu::visibility("default")]]

SINEW_FMI3 const char* fmi3GetVersion() { return "3.0"; }

SINEW_FMI3 fmi3::Instance fmi3InstantiateCoSimulation(const char*, const char* token, const char* resources, bool,
                                                      bool logging_on, bool event_mode, bool,
                                                      const fmi3::ValueReference*, std::size_t, void* environment,
                                                      fmi3::LogMessage message, fmi3::IntermediateUpdate) {
  Instance::Log tell;
  if (message)
    tell = [=](Status status, const char* category, const std::string& text) {
      message(environment, status, category, text.c_str());
    };
  try {
    if (event_mode) throw std::runtime_error("it has no event mode");
    if (!resources || !token) throw std::runtime_error("no place of its resources, or no token, was given");
    auto* out = new Instance(resources, token, tell);  // the importer's, until fmi3FreeInstance
    out->set_logging(logging_on);
    return out;
  } catch (const std::exception& e) {
    if (tell) tell(Status::Error, "error", std::string("fmi3InstantiateCoSimulation: ") + e.what());
    return nullptr;
  }
}

SINEW_FMI3 void fmi3FreeInstance(fmi3::Instance i) { delete part_of(i); }

SINEW_FMI3 Status fmi3SetDebugLogging(fmi3::Instance i, bool is_on, std::size_t, const char* const*) {
  part_of(i)->set_logging(is_on);
  return Status::Ok;
}

SINEW_FMI3 Status fmi3EnterInitializationMode(fmi3::Instance i, bool, double, double start, bool has_stop,
                                              double stop) {
  const Status told = part_of(i)->set_experiment(start, has_stop, stop);
  return told == Status::Ok ? part_of(i)->enter_initialization() : told;
}
SINEW_FMI3 Status fmi3ExitInitializationMode(fmi3::Instance i) { return part_of(i)->exit_initialization(); }
SINEW_FMI3 Status fmi3Terminate(fmi3::Instance i) { return part_of(i)->terminate(); }
SINEW_FMI3 Status fmi3Reset(fmi3::Instance i) { return part_of(i)->reset(); }

SINEW_FMI3 Status fmi3GetFloat64(fmi3::Instance i, const fmi3::ValueReference* references, std::size_t n,
                                 double* values, std::size_t n_values) {
  if (n != n_values) return part_of(i)->refuse("fmi3GetFloat64", "every variable is one number: give as many values");
  return part_of(i)->get(references, n, values);
}
SINEW_FMI3 Status fmi3SetFloat64(fmi3::Instance i, const fmi3::ValueReference* references, std::size_t n,
                                 const double* values, std::size_t n_values) {
  if (n != n_values) return part_of(i)->refuse("fmi3SetFloat64", "every variable is one number: give as many values");
  return part_of(i)->set(references, n, values);
}

#define SINEW_FMI3_NO_TYPE(NAME)                                                                  \
  SINEW_FMI3 Status fmi3Get##NAME(fmi3::Instance i, const fmi3::ValueReference*, std::size_t n) { \
    return part_of(i)->none_of_type(n, "fmi3Get" #NAME);                                          \
  }                                                                                               \
  SINEW_FMI3 Status fmi3Set##NAME(fmi3::Instance i, const fmi3::ValueReference*, std::size_t n) { \
    return part_of(i)->none_of_type(n, "fmi3Set" #NAME);                                          \
  }
SINEW_FMI3_NO_TYPE(Float32)
SINEW_FMI3_NO_TYPE(Int8)
SINEW_FMI3_NO_TYPE(UInt8)
SINEW_FMI3_NO_TYPE(Int16)
SINEW_FMI3_NO_TYPE(UInt16)
SINEW_FMI3_NO_TYPE(Int32)
SINEW_FMI3_NO_TYPE(UInt32)
SINEW_FMI3_NO_TYPE(Int64)
SINEW_FMI3_NO_TYPE(UInt64)
SINEW_FMI3_NO_TYPE(Boolean)
SINEW_FMI3_NO_TYPE(String)
SINEW_FMI3_NO_TYPE(Binary)
SINEW_FMI3_NO_TYPE(Clock)

SINEW_FMI3 Status fmi3EnterStepMode(fmi3::Instance i) {
  return part_of(i)->refuse("fmi3EnterStepMode", "it has no event mode");
}

SINEW_FMI3 Status fmi3DoStep(fmi3::Instance i, double t, double step, bool, bool* needs_events, bool* terminate,
                             bool* early_return, double* last_time) {
  const Status status = part_of(i)->do_step(t, step);
  if (needs_events) *needs_events = false;
  if (terminate) *terminate = false;
  if (early_return) *early_return = false;
  if (last_time) *last_time = part_of(i)->last_time();
  return status;
}

SINEW_FMI3 Status fmi3GetFMUState(fmi3::Instance i, fmi3::State* state) {
  return part_of(i)->save(reinterpret_cast<StoredState**>(state));
}
SINEW_FMI3 Status fmi3SetFMUState(fmi3::Instance i, fmi3::State state) {
  return part_of(i)->restore(static_cast<StoredState*>(state));
}
SINEW_FMI3 Status fmi3FreeFMUState(fmi3::Instance, fmi3::State* state) {
  if (state) delete static_cast<StoredState*>(*state);
  if (state) *state = nullptr;
  return Status::Ok;
}
SINEW_FMI3 Status fmi3SerializedFMUStateSize(fmi3::Instance i, fmi3::State state, std::size_t* size) {
  if (!state) return part_of(i)->refuse("fmi3SerializedFMUStateSize", "there is no state");
  *size = static_cast<StoredState*>(state)->bytes.size();
  return Status::Ok;
}
SINEW_FMI3 Status fmi3SerializeFMUState(fmi3::Instance i, fmi3::State state, std::uint8_t* bytes, std::size_t size) {
  const auto* stored = static_cast<StoredState*>(state);
  if (!stored || size < stored->bytes.size())
    return part_of(i)->refuse("fmi3SerializeFMUState", "there is no state, or not enough room for it");
  std::memcpy(bytes, stored->bytes.data(), stored->bytes.size());
  return Status::Ok;
}
SINEW_FMI3 Status fmi3DeserializeFMUState(fmi3::Instance i, const std::uint8_t* bytes, std::size_t size,
                                          fmi3::State* state) {
  return part_of(i)->deserialize({reinterpret_cast<const char*>(bytes), size}, reinterpret_cast<StoredState**>(state));
}

// Other kinds of FMU: there is no instance that one could have of them.
SINEW_FMI3 fmi3::Instance fmi3InstantiateModelExchange() { return nullptr; }
SINEW_FMI3 fmi3::Instance fmi3InstantiateScheduledExecution() { return nullptr; }

#define SINEW_FMI3_REFUSED(NAME) \
  SINEW_FMI3 Status NAME(fmi3::Instance i) { return part_of(i)->refuse(#NAME, "this FMU has no such ability"); }
SINEW_FMI3_REFUSED(fmi3EnterEventMode)
SINEW_FMI3_REFUSED(fmi3EnterConfigurationMode)
SINEW_FMI3_REFUSED(fmi3ExitConfigurationMode)
SINEW_FMI3_REFUSED(fmi3GetNumberOfVariableDependencies)
SINEW_FMI3_REFUSED(fmi3GetVariableDependencies)
SINEW_FMI3_REFUSED(fmi3GetDirectionalDerivative)
SINEW_FMI3_REFUSED(fmi3GetAdjointDerivative)
SINEW_FMI3_REFUSED(fmi3GetIntervalDecimal)
SINEW_FMI3_REFUSED(fmi3GetIntervalFraction)
SINEW_FMI3_REFUSED(fmi3GetShiftDecimal)
SINEW_FMI3_REFUSED(fmi3GetShiftFraction)
SINEW_FMI3_REFUSED(fmi3SetIntervalDecimal)
SINEW_FMI3_REFUSED(fmi3SetIntervalFraction)
SINEW_FMI3_REFUSED(fmi3SetShiftDecimal)
SINEW_FMI3_REFUSED(fmi3SetShiftFraction)
SINEW_FMI3_REFUSED(fmi3EvaluateDiscreteStates)
SINEW_FMI3_REFUSED(fmi3UpdateDiscreteStates)
SINEW_FMI3_REFUSED(fmi3EnterContinuousTimeMode)
SINEW_FMI3_REFUSED(fmi3CompletedIntegratorStep)
SINEW_FMI3_REFUSED(fmi3SetTime)
SINEW_FMI3_REFUSED(fmi3SetContinuousStates)
SINEW_FMI3_REFUSED(fmi3GetContinuousStateDerivatives)
SINEW_FMI3_REFUSED(fmi3GetEventIndicators)
SINEW_FMI3_REFUSED(fmi3GetContinuousStates)
SINEW_FMI3_REFUSED(fmi3GetNominalsOfContinuousStates)
SINEW_FMI3_REFUSED(fmi3GetNumberOfEventIndicators)
SINEW_FMI3_REFUSED(fmi3GetNumberOfContinuousStates)
SINEW_FMI3_REFUSED(fmi3GetOutputDerivatives)
SINEW_FMI3_REFUSED(fmi3ActivateModelPartition)
