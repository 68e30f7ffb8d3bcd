// One instance of an FMU, for both versions of the standard: which calls are allowed when, what is said about it, and the part that moves.
//   Instantiated -> Initialization -> Step -> Terminated; Failed after a step that could not be computed. reset() leads back to the first.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "fmu/part.h"
#include "sinew/fmi/interface.h"

namespace fmu {

using sinew::fmi::Status;

enum class Mode : std::uint8_t { Instantiated, Initialization, Step, Failed, Terminated };

// A state that an importer keeps, as bytes.
struct StoredState {
  std::string bytes;
};

class Instance {
 public:
  using Log = std::function<void(Status status, const char* category, const std::string& message)>;

  // folder: of the resources. Throws InputError, FileError.
  Instance(const std::string& folder, const std::string& token, Log log);

  void set_logging(bool is_on) { logging_ = is_on; }
  void log_error(const std::string& message) { tell(Status::Error, message); }

  Status set_experiment(double start, bool has_stop, double stop);
  Status enter_initialization();
  Status exit_initialization();
  Status terminate();
  Status reset();
  Status get(const std::uint32_t* references, std::size_t n, double* values);
  Status set(const std::uint32_t* references, std::size_t n, const double* values);
  Status do_step(double t, double step);

  Status save(StoredState** state);
  Status restore(const StoredState* state);
  Status deserialize(std::string_view bytes, StoredState** state);

  double last_time() const { return time_; }
  bool is_failed() const { return mode_ == Mode::Failed; }
  // Of types that none of its variables has: nothing to do for none of them.
  Status none_of_type(std::size_t n, const char* call);
  Status refuse(const char* call, const std::string& why);

 private:
  bool is_allowed(const char* call, std::initializer_list<Mode> modes);
  bool are_known(const char* call, const std::uint32_t* references, std::size_t n);
  template <class F>
  Status guard(const char* call, F f);
  void tell(Status status, const std::string& message);

  Log log_;
  bool logging_ = false;
  std::unique_ptr<MovingPart> part_;
  double step_;  // of the simulation [s]
  Mode mode_ = Mode::Instantiated;
  bool has_stop_ = false, has_told_ = false;
  double start_ = 0.0, stop_ = 0.0, time_ = 0.0;  // as the importer counts [s]
};

}  // namespace fmu
