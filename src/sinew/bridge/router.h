// Router: parts of a robot that are elsewhere. It stands between a robot and its controller: slots that a route names are measured by another robot of the
// same layout, real or simulated, or come from a log; references go there as well as here. Neither side notices.
//   out    measured values: routed slots are replaced by those of the other robot, with the states of its devices
//   in     references: as they are, to the robot here and to each other one
#pragma once
#include <atomic>
#include <functional>

#include "sinew/bridge/log.h"
#include "sinew/bridge/transport.h"

namespace sinew::bridge {

// "joint.knee_*=udp:7001": slots by name with * and ?; "udp:[ADDRESS:]PORT", "shm:NAME" or "log:FILE".
struct Route {
  std::string slots, target;
};
Route read_route(const std::string& text);  // throws InputError

// A way to the other robot, as its controller. nullptr: it is not there yet.
using OpenTarget = std::function<std::unique_ptr<Transport>(const Route&)>;

class Router : public Transport {
 public:
  // Waits for the robots that routes name. Throws InputError: a route that names no slot; what `open` throws.
  Router(const Layout& layout, Transport& controller, const std::vector<Route>& routes, const OpenTarget& open,
         const std::atomic<bool>* interrupted, bool timed);
  ~Router() override;

  bool exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) override;
  std::uint32_t connections() override { return controller_.connections(); }
  std::string name() const override { return controller_.name(); }

 private:
  struct Other;
  void ask(Other& other);
  void replace(const Other& other);

  const Layout& layout_;
  Transport& controller_;
  const std::atomic<bool>* interrupted_;
  bool timed_;
  ProcessImage measured_, references_;
  std::uint64_t answered_ = 0;  // tick whose references have gone on
  std::vector<std::unique_ptr<Other>> others_;
};

}  // namespace sinew::bridge
