// A robot of sinew as hardware of ros2_control (Humble, Jazzy), through shared memory. Compile it into a plugin of your own package:
//   sinew bridge SCENARIO --header robot.h
//   sinew bridge SCENARIO --shm robot            then the controller manager, with update_rate = 1 / SINEW_CYCLE
// In the robot's description; a drive takes set-points of its own, under its name in the scenario:
//   <ros2_control name="robot" type="system">
//     <hardware><plugin>sinew/SinewSystem</plugin><param name="shm">robot</param></hardware>
//     <joint name="pivot"><command_interface name="effort"/><state_interface name="position"/><state_interface name="velocity"/></joint>
//     <joint name="knee"><param name="drive">knee</param><command_interface name="position"/><state_interface name="position"/></joint>
//     <sensor name="foot"><state_interface name="fz"/></sensor>
//   </ros2_control>
// See docs/bridge.md.
#include <cmath>
#include <hardware_interface/system_interface.hpp>
#include <limits>
#include <pluginlib/class_list_macros.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_lifecycle/state.hpp>
#include <string>
#include <vector>

#include "robot.h"

namespace sinew {

using hardware_interface::CallbackReturn;
using hardware_interface::ComponentInfo;
using hardware_interface::return_type;

class SinewSystem : public hardware_interface::SystemInterface {
 public:
  CallbackReturn on_init(const hardware_interface::HardwareInfo& info) override {
    if (SystemInterface::on_init(info) != CallbackReturn::SUCCESS) return CallbackReturn::ERROR;
    sinew_clear(&nothing_);
    for (const ComponentInfo& joint : info_.joints) {
      for (const auto& i : joint.state_interfaces)
        add(joint.name, i.name, "joint." + joint.name + (i.name == "velocity" ? ".u" : ".q"), states_);
      const auto drive = joint.parameters.find("drive");
      for (const auto& i : joint.command_interfaces)
        add(joint.name, i.name,
            drive == joint.parameters.end()
                ? "joint." + joint.name + ".torque"
                : "drive." + drive->second + (i.name == "effort" ? ".torque" : "." + i.name),
            commands_);
    }
    for (const ComponentInfo& sensor : info_.sensors)
      for (const auto& i : sensor.state_interfaces)
        add(sensor.name, i.name, "sensor." + sensor.name + (i.name == "value" ? "" : "." + i.name), states_);
    return is_complete_ ? CallbackReturn::SUCCESS : CallbackReturn::ERROR;
  }

  std::vector<hardware_interface::StateInterface> export_state_interfaces() override {
    std::vector<hardware_interface::StateInterface> all;
    for (Wire& w : states_) all.emplace_back(w.component, w.interface, &w.value);
    return all;
  }
  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override {
    std::vector<hardware_interface::CommandInterface> all;
    for (Wire& w : commands_) all.emplace_back(w.component, w.interface, &w.value);
    return all;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State&) override {
    const auto shm = info_.hardware_parameters.find("shm");
    const char* name = shm == info_.hardware_parameters.end() ? "robot" : shm->second.c_str();
    int found = 1;
    for (int i = 0; i < 500 && found == 1; i++) {  // 10 s for the robot to come
      found = sinew_open(&link_, name);
      if (found == 1) usleep(20000);
    }
    const char* const problems[] = {"", "no robot is there", "another controller is at work",
                                    "robot.h is of another robot"};
    if (found != 0) {
      RCLCPP_ERROR(rclcpp::get_logger("sinew"), "%s: %s", name, problems[found]);
      return CallbackReturn::ERROR;
    }
    is_new_ = true;
    sinew_references out = nothing_;
    sinew_send(&link_, nullptr, &out);  // hello
    return CallbackReturn::SUCCESS;
  }
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State&) override {
    sinew_close(&link_);
    return CallbackReturn::SUCCESS;
  }

  return_type read(const rclcpp::Time&, const rclcpp::Duration&) override {
    if (sinew_receive(&link_, &in_) != 0) return return_type::ERROR;  // the robot has stopped
    for (Wire& w : states_) w.value = in_.value[w.slot];
    return return_type::OK;
  }
  return_type write(const rclcpp::Time&, const rclcpp::Duration&) override {
    sinew_references out = nothing_;
    for (int i = 0; i < SINEW_DEVICES;
         i++)  // faults are forgotten when the hardware is activated, and not behind your back
      out.control[i] = static_cast<uint16_t>(SINEW_OP | (is_new_ && in_.fault[i] != 0 ? SINEW_RESET : 0));
    is_new_ = false;
    for (const Wire& w : commands_)
      if (std::isfinite(w.value)) out.value[w.slot] = w.value;  // not yet given: NaN
    sinew_send(&link_, &in_, &out);
    return return_type::OK;
  }

 private:
  struct Wire {
    std::string component, interface;
    int slot;
    double value = std::numeric_limits<double>::quiet_NaN();
  };

  void add(const std::string& component, const std::string& interface, const std::string& name, std::vector<Wire>& to) {
    const bool is_state = &to == &states_;
    const char* const* names = is_state ? sinew_measured_name : sinew_references_name;
    const int n = is_state ? static_cast<int>(SINEW_MEASURED) : static_cast<int>(SINEW_REFERENCES);
    for (int i = 0; i < n; i++)
      if (name == names[i]) return to.push_back({component, interface, i});
    RCLCPP_ERROR(rclcpp::get_logger("sinew"), "%s/%s: the robot has no %s", component.c_str(), interface.c_str(),
                 name.c_str());
    is_complete_ = false;
  }

  sinew_link link_{};
  sinew_measured in_{};
  sinew_references nothing_{};
  std::vector<Wire> states_, commands_;
  bool is_complete_ = true, is_new_ = true;
};

}  // namespace sinew

PLUGINLIB_EXPORT_CLASS(sinew::SinewSystem, hardware_interface::SystemInterface)
