// Remote: a controller that is somewhere else. It sends what sensors say through a transport and gives the answer to the robot.
//   lock-step   every tick waits for the answer to its own values: simulated time has nothing to do with the clock, and a run has the bits of one
//               with the same controller in the same process
//   timed       the clock paces it. Cycle n begins at n T: what has come acts, and the sample of the last cycle goes out; delay T later sensors
//               are sampled. So from a sample to its effect it takes 2 T - delay T, however long the controller computes (docs/bridge.md#timing).
// In timed mode it wants to be asked in every step, in lock-step once a cycle.
#pragma once
#include <array>
#include <atomic>
#include <functional>

#include "sinew/bridge/clock.h"
#include "sinew/bridge/devices.h"
#include "sinew/bridge/histogram.h"
#include "sinew/bridge/log.h"
#include "sinew/bridge/transport.h"
#include "sinew/control/controller.h"
#include "sinew/sim/bridge_plan.h"

namespace sinew::bridge {

struct RemoteOptions {
  bool timed = false;
  double step = 1e-3;  // of the simulation [s]
  sim::BridgePlan plan = {};
  std::uint64_t seed = 0;                             // of injected faults
  std::uint64_t session = 0;                          // 0: drawn
  const std::atomic<bool>* interrupted = nullptr;     // looked at while it waits
  std::function<void(const std::string&)> tell = {};  // remarks for people, not in the midst of a run
  ImageLog* log = nullptr;
};

struct RemoteReport {
  explicit RemoteReport(std::int64_t width) : age(width), dead(width), late(width / 5), round_trip(width / 5) {}
  std::int64_t cycles = 0, overruns = 0, missed = 0, lost = 0, late_packets = 0, refused = 0, stale = 0, falls = 0;
  std::int64_t gaps =
      0;  // timed: images of the controller that by their count were sent and never came, or were overtaken
  std::uint64_t hash = 0;   // of all references that acted, in order
  std::string refusal;      // the first: its slot, its value, what is allowed
  Histogram age, dead;      // timed: of values when they were read, and when they had their effect [ns]
  Histogram late;           // timed: by which cycles began too late [ns]
  Histogram round_trip;     // lock-step [ns]
  double safe_from = -1.0;  // simulated time of the first fall into the safe state; -1: never [s]
};

class Remote : public Controller {
 public:
  // All three outlive it.
  Remote(const Layout& layout, const Model& model, Transport& transport, Clock& clock, RemoteOptions options);

  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override;
  void finish();  // tells the controller that the run is over
  const RemoteReport& report() const { return report_; }
  const Devices& devices() const { return devices_; }
  std::string note() const;  // cycle times of now, for people; any thread may ask

 private:
  bool is_to_stop() const { return options_.interrupted && options_.interrupted->load(std::memory_order_relaxed); }
  void sample(const Readings& readings);
  void find_faults(std::span<const double> memory);
  std::span<const std::byte> next_image(std::uint32_t status);
  void ask(const Readings& readings, Input<double>& out);
  bool wait_for_answer();
  void begin_timed(const Readings& readings);
  void begin_cycle(const Readings& readings, Input<double>& out);
  bool receive(std::int64_t now, double t);
  bool is_lost(std::int64_t now, double t);
  bool admit();
  void apply(Input<double>& out);
  void measure(std::int64_t now);
  void tell(const std::string& text) const {
    if (options_.tell) options_.tell(text);
  }

  const Layout& layout_;
  const Model& model_;
  Transport& transport_;
  Clock& clock_;
  RemoteOptions options_;
  std::int64_t cycle_;                             // [ns]
  ProcessImage measured_, references_, incoming_;  // incoming_: not admitted yet
  Devices devices_;
  std::vector<std::uint16_t> own_faults_;
  std::vector<double> acting_;  // references as they act
  RemoteReport report_;
  bool running_ = false;
  std::uint64_t tick_ = 0, last_tick_ = 0;  // sent; of the controller's last image
  std::uint32_t connection_ = 0, flags_ = 0;
  std::int64_t start_ = 0, n_ = 0, missed_in_a_row_ = 0;
  std::array<std::int64_t, 64> sampled_at_{};  // by tick
  std::atomic<std::int64_t> last_answer_ = -1,
                            last_missed_ = 0;  // of the last cycle: time until its answer [ns]; of all
};

// Problems of a scenario with timed mode: half cycles that no step meets, and the like; empty: none.
std::string problem_of_timing(double cycle, double step, double delay);

}  // namespace sinew::bridge
