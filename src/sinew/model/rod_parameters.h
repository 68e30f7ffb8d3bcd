// What all rods have, in one vocabulary: rods as parts of a robot (RodPlan) and robots made of one rod use these fields,
// and the keys that describe() gives them.
#pragma once

namespace sinew {

class Keys;

struct RodSize {
  double length = 1.0, radius = 0.01;  // of a round section [m]
  double density = 1000.0;             // [kg/m^3]
};

struct RodElasticity {
  double E = 1e6, nu = 0.5, G = 0.0;  // Young's modulus [Pa], Poisson's ratio, shear modulus; 0: from these two [Pa]
  double shear_factor = 1.0;          // by which shear is stiffer than G A
  double EA = -1.0, GA = -1.0, GJ = -1.0, EI_y = -1.0, EI_z = -1.0;  // < 0: from the section [N, N m^2]
  double viscosity = 0.0;                                            // Kelvin-Voigt [Pa s]

  double shear_modulus() const { return G > 0.0 ? G : E / (2.0 * (1.0 + nu)); }
};

// A travelling wave of curvature, X / l from 0 to 1 along the rod:
//   K(X, t) = r(t) (bias + (amplitude + slope X / l) cos(2 pi (X / wavelength - t / period) + phase))
struct RodWave {
  double amplitude = 0.0, slope = 0.0, bias = 0.0;  // [rad/m]
  double wavelength = 1.0, period = 1.0;            // [m, s]
  double phase = 0.0, ramp = 0.0;                   // [rad]; r rises smoothly from 0 to 1 [s]
};

void describe(Keys& keys, RodSize& size);
void describe(Keys& keys, RodElasticity& elasticity, bool is_live);  // is_live: it says how stiff the rod is
void describe(Keys& keys, RodWave& wave);                            // keys of the open table [.. wave]
inline constexpr char rod_wave_doc[] =
    "r(t) (bias + (amplitude + slope X/l) cos(2 pi (X/wavelength - t/period) + phase)), the curvature";

}  // namespace sinew
