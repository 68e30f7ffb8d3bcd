// The robot behind a segment: frames come, the drives do what the master wants, the robot moves, sensors are sampled and wait for the next frame.
//   lock-step   an exchange of process data is a cycle: simulated time passes when a master asks for it. What a frame brings acts from its moment on;
//               what it takes away is of the same moment
//   timed       the clock paces cycles of T. What has come by n T acts from then on; sensors are sampled at sync 0 of the distributed clock, delay T
//               later (bridge.delay; T/2), or at n T where no master has switched that on. With sync 0, cycles follow it
// Time begins with the first slave that is Operational. It wants to be asked in every step.
#pragma once
#include <atomic>
#include <functional>

#include "sinew/bridge/clock.h"
#include "sinew/bridge/histogram.h"
#include "sinew/control/controller.h"
#include "sinew/ethercat/devices.h"
#include "sinew/ethercat/port.h"
#include "sinew/sim/bridge_plan.h"

namespace sinew::ethercat {

struct RobotOptions {
  bool timed = false;
  double step = 1e-3;  // of the simulation [s]
  sim::BridgePlan plan = {};
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> tell = {};
};

struct RobotReport {
  explicit RobotReport(std::int64_t width) : late(width / 5) {}
  std::int64_t frames = 0, refused = 0, cycles = 0, overruns = 0, missed = 0, falls = 0;
  bridge::Histogram late;  // timed: by which cycles began too late [ns]
};

class Robot : public Controller {
 public:
  // All but the options outlive it.
  Robot(const sim::Experiment& experiment, const bridge::Layout& layout, Port& port, bridge::Clock& clock,
        RobotOptions options);

  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override;
  const RobotReport& report() const { return report_; }
  Segment& segment() { return segment_; }
  const Devices& devices() const { return devices_; }

 private:
  bool is_to_stop() const { return options_.interrupted && options_.interrupted->load(std::memory_order_relaxed); }
  bool serve_frame(std::int64_t deadline);
  void sample(const Readings& readings);
  void find_drives(const Readings& readings, std::span<const double> memory);
  void wait_for_start(const Readings& readings);
  void begin_cycle(const Readings& readings);
  void wait_for_exchange();
  void wait_for_clock(double t);
  void follow_sync(std::int64_t now);
  void obey();
  void apply(Input<double>& out);

  const Model& model_;
  const Params<double> params_;
  double cycle_s_;
  std::int64_t cycle_;  // [ns]
  Devices devices_;
  Segment segment_;
  Port& port_;
  bridge::Clock& clock_;
  RobotOptions options_;
  RobotReport report_;
  std::vector<DriveMeasured> seen_;  // of drives, now
  std::vector<double> loads_;        // scratch of a sensor
  bool running_ = false;
  double delay_ = 0.0;  // [s]
  std::int64_t taken_ = 0, start_ = 0, n_ = 0;
};

}  // namespace sinew::ethercat
