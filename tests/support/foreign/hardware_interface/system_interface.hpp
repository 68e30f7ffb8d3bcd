// As much of ros2_control as examples/bridge/ros2_system.cpp uses, with its names, so that the example is compiled and run where there is no ROS.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

namespace rclcpp {
struct Time {};
struct Duration {};
}  // namespace rclcpp
namespace rclcpp_lifecycle {
struct State {};
}  // namespace rclcpp_lifecycle

namespace hardware_interface {

enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class return_type { OK, ERROR };

struct InterfaceInfo {
  std::string name;
};
struct ComponentInfo {
  std::string name;
  std::vector<InterfaceInfo> command_interfaces, state_interfaces;
  std::unordered_map<std::string, std::string> parameters;
};
struct HardwareInfo {
  std::vector<ComponentInfo> joints, sensors;
  std::unordered_map<std::string, std::string> hardware_parameters;
};

struct Handle {
  Handle(const std::string& component_, const std::string& interface_, double* value_)
      : component(component_), interface(interface_), value(value_) {}
  std::string component, interface;
  double* value;
};
using StateInterface = Handle;
using CommandInterface = Handle;

class SystemInterface {
 public:
  virtual ~SystemInterface() = default;
  virtual CallbackReturn on_init(const HardwareInfo& info) {
    info_ = info;
    return CallbackReturn::SUCCESS;
  }
  virtual std::vector<StateInterface> export_state_interfaces() = 0;
  virtual std::vector<CommandInterface> export_command_interfaces() = 0;
  virtual CallbackReturn on_activate(const rclcpp_lifecycle::State&) = 0;
  virtual CallbackReturn on_deactivate(const rclcpp_lifecycle::State&) = 0;
  virtual return_type read(const rclcpp::Time&, const rclcpp::Duration&) = 0;
  virtual return_type write(const rclcpp::Time&, const rclcpp::Duration&) = 0;

 protected:
  HardwareInfo info_;
};

}  // namespace hardware_interface
