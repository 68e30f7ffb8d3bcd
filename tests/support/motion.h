// A given motion at one time.
#pragma once
#include "sinew/parts/device/motion.h"

namespace sinew::support {

struct Values {
  double m, rate, accel;
};

inline Values at(const Motion<double>& motion, double t) {
  Values x;
  motion.evaluate(t, x.m, x.rate, x.accel);
  return x;
}

}  // namespace sinew::support
