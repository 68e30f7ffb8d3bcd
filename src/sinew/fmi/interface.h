// The C interface of FMI 2.0.4 and 3.0 (fmi-standard.org), as far as co-simulation needs it: types, and of each function that is called here
// its signature. Declared after the standard's text; names without its prefixes, in a namespace for each version.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sinew::fmi {

// The same numbers in both versions.
enum class Status : int { Ok = 0, Warning, Discard, Error, Fatal };

}  // namespace sinew::fmi

namespace sinew::fmi2 {

using fmi::Status;
using Component = void*;
using ValueReference = unsigned int;
using Boolean = int;
using State = void*;

using Logger = void (*)(void* environment, const char* instance, Status status, const char* category,
                        const char* message, ...);
struct Callbacks {
  Logger logger;
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*free)(void* memory);
  void (*step_finished)(void* environment, Status status);
  void* environment;
};
enum class Kind : int { ModelExchange = 0, CoSimulation };

using GetVersion = const char*();
using Instantiate = Component(const char* name, Kind kind, const char* guid, const char* resources,
                              const Callbacks* callbacks, Boolean visible, Boolean logging_on);
using FreeInstance = void(Component);
using SetupExperiment = Status(Component, Boolean has_tolerance, double tolerance, double start, Boolean has_stop,
                               double stop);
using Simple = Status(Component);  // EnterInitializationMode, ExitInitializationMode, Terminate, Reset
using GetReal = Status(Component, const ValueReference* references, std::size_t n, double* values);
using SetReal = Status(Component, const ValueReference* references, std::size_t n, const double* values);
using GetInteger = Status(Component, const ValueReference* references, std::size_t n, int* values);  // and GetBoolean
using SetInteger = Status(Component, const ValueReference* references, std::size_t n, const int* values);
using DoStep = Status(Component, double t, double step, Boolean no_way_back);
using GetState = Status(Component, State* state);  // and FreeFMUstate
using SetState = Status(Component, State state);
using StateSize = Status(Component, State state, std::size_t* size);
using SerializeState = Status(Component, State state, char* bytes, std::size_t size);
using DeserializeState = Status(Component, const char* bytes, std::size_t size, State* state);

}  // namespace sinew::fmi2

namespace sinew::fmi3 {

using fmi::Status;
using Instance = void*;
using ValueReference = std::uint32_t;
using State = void*;

using LogMessage = void (*)(void* environment, Status status, const char* category, const char* message);
using IntermediateUpdate = void (*)(void*, double, bool, bool, bool, bool, bool*, double*);

using GetVersion = const char*();
using InstantiateCoSimulation = Instance(const char* name, const char* token, const char* resources, bool visible,
                                         bool logging_on, bool event_mode, bool early_return,
                                         const ValueReference* intermediate, std::size_t n_intermediate,
                                         void* environment, LogMessage log, IntermediateUpdate update);
using FreeInstance = void(Instance);
using EnterInitializationMode = Status(Instance, bool has_tolerance, double tolerance, double start, bool has_stop,
                                       double stop);
using Simple = Status(Instance);  // ExitInitializationMode, Terminate, Reset
using GetFloat64 = Status(Instance, const ValueReference* references, std::size_t n, double* values,
                          std::size_t n_values);
using SetFloat64 = Status(Instance, const ValueReference* references, std::size_t n, const double* values,
                          std::size_t n_values);
using DoStep = Status(Instance, double t, double step, bool no_way_back, bool* needs_events, bool* terminate,
                      bool* early_return, double* last_time);
using GetState = Status(Instance, State* state);  // and FreeFMUState
using SetState = Status(Instance, State state);
using StateSize = Status(Instance, State state, std::size_t* size);
using SerializeState = Status(Instance, State state, std::uint8_t* bytes, std::size_t size);
using DeserializeState = Status(Instance, const std::uint8_t* bytes, std::size_t size, State* state);

}  // namespace sinew::fmi3
