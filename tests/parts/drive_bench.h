// A drive by itself, on an axis that is moved from outside.
#pragma once
#include <numbers>
#include <vector>

#include "sinew/parts/drive/drive.h"

namespace sinew::drive::bench {

using DriveSetup = Setup;  // a test has a member of that name

// The motor of docs/theory/drives.md#numbers.
inline Numbers<double> motor_numbers() {
  Numbers<double> n;
  n.motor = {.R = 0.25, .L = 60e-6, .k_e = 0.0136 / 1.5, .c = 1.5, .pairs = 2.0};
  n.V = 36.0 / std::numbers::sqrt3;
  n.J = 1.83e-6;
  n.w_c = 2.0 * std::numbers::pi * 1000.0;
  n.w_v = 2.0 * std::numbers::pi * 30.0;
  return n;
}

// A drive on an axis that is moved from outside.
template <Real S>
struct Bench {
  Setup setup;
  Numbers<S> n;
  std::vector<S> own = std::vector<S>(std::size_t(setup.memory_size()), S(0.0));
  std::vector<S> given = std::vector<S>(command::size, S(command::none));
  double t = 0.0;

  void step(double dt, S x, S u, S a = S(0.0)) {
    n.derive();
    advance(setup, n, Step<S>{t, dt, x, u, a, nullptr, given.data()}, own.data());
    t += dt;
  }
  S error() const {
    return own[memory::electrical] + own[memory::stored_start] - own[memory::copper] - own[memory::friction] -
           magnetic_energy(n, own.data()) - elastic_energy(setup, n, own.data());
  }
};

inline Setup full(Control control) {
  Setup s;
  s.kind = Kind::Pmsm;
  s.control = control;
  return s;
}

}  // namespace sinew::drive::bench
