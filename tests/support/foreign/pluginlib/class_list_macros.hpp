// A stand-in (hardware_interface/system_interface.hpp): the controller manager that holds the pendulum at its top. Argument: name of the shared memory.
#pragma once
#include <cmath>
#include <cstdio>
#include <memory>

#define PLUGINLIB_EXPORT_CLASS(Class, Base)                                                                       \
  int main(int, char** argv) {                                                                                    \
    using namespace hardware_interface;                                                                           \
    const double top = -std::acos(-1.0) / 2;                                                                      \
    std::unique_ptr<Base> robot = std::make_unique<Class>();                                                      \
    HardwareInfo info;                                                                                            \
    info.joints.push_back({"pivot", {{"effort"}}, {{"position"}, {"velocity"}}, {}});                             \
    info.hardware_parameters["shm"] = argv[1];                                                                    \
    if (robot->on_init(info) != CallbackReturn::SUCCESS) return 1;                                                \
    std::vector<StateInterface> states = robot->export_state_interfaces();                                        \
    std::vector<CommandInterface> commands = robot->export_command_interfaces();                                  \
    if (robot->on_activate({}) != CallbackReturn::SUCCESS) return 2;                                              \
    while (robot->read({}, {}) == return_type::OK) {                                                              \
      const double torque = 80.0 * (top - *states[0].value) - 20.0 * *states[1].value;                            \
      *commands[0].value = std::fmax(-50.0, std::fmin(50.0, torque));                                             \
      robot->write({}, {});                                                                                       \
    }                                                                                                             \
    std::printf("%.6f rad from the top\n", *states[0].value - top);                                               \
    info.joints[0].name = "knee";                                                                                 \
    const bool refuses = std::make_unique<Class>()->on_init(info) == CallbackReturn::ERROR;                       \
    return robot->on_deactivate({}) == CallbackReturn::SUCCESS && refuses ? 0 : 3;                                \
  }
