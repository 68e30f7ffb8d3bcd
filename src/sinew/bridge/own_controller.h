// The controller's side of the bridge, with a robot's own controller behind it: images of measured values in, images of references out. What it
// remembers is here, not with the robot.
#pragma once
#include <atomic>
#include <functional>

#include "sinew/bridge/clock.h"
#include "sinew/bridge/transport.h"

namespace sinew::bridge {

class OwnController {
 public:
  // Throws InputError if the scenario has no controller.
  OwnController(const Layout& layout, const sim::Experiment& experiment);

  // The answer to measured values; its bytes stay until the next one. While the robot does not run yet it is a rehearsal, of which nothing is
  // remembered. The same values once more: the same answer. now: [ns].
  std::span<const std::byte> answer(std::span<const std::byte> measured, std::int64_t now);
  std::span<const std::byte> say(std::uint32_t status);  // hello, bye
  const ProcessImage& seen() const { return measured_; }

 private:
  void take_readings();
  void give_references();

  Layout layout_;
  std::unique_ptr<Controller> controller_;
  Readings readings_;
  std::vector<double> memory_, rehearsal_;
  Input<double> input_, rehearsed_;
  ProcessImage measured_, references_;
};

enum class Served { Stopped, Interrupted, Refused };  // the robot is through; we are; the robot has refused references

// Answers until the robot's run is over. connect: a way to a robot, nullptr while there is none. tell: remarks for people. Throws InputError.
using Connect = std::function<std::unique_ptr<Transport>()>;
struct ServeOptions {
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> tell = {};
  std::function<bool(Transport&)> is_there = {};  // whether a silent robot still is; empty: yes
};
Served serve(OwnController& controller, const Connect& connect, const ServeOptions& options);

}  // namespace sinew::bridge
