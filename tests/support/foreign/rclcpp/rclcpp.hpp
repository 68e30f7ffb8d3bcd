// A stand-in: hardware_interface/system_interface.hpp.
#pragma once
#include <cstdio>

#define RCLCPP_ERROR(logger, ...) ((void)(logger), std::fprintf(stderr, __VA_ARGS__))
namespace rclcpp {
inline int get_logger(const char*) { return 0; }
}  // namespace rclcpp
