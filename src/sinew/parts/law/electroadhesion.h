// Electroadhesion: the pressure with which a pad of electrodes under a film pulls at what it lies on.
//   p_ideal = f_e 1/2 eps_0 kappa ((V/2) / d)^2,   d = d_p/eps_p + d_s + c_R S_q + d_extra      p = chi p_ideal      [Pa]
//   V voltage between neighbouring electrodes [V]; f_e share of the area that is electrode [1]; d_p, eps_p film [m, 1];
//   d_s series dielectric of the surface, thickness over permittivity [m]; S_q its rms roughness [m]; kappa image factor [1];
//   chi conformity, calibrated [1]; d_extra a further gap, as of grains [m]
// V^2 and the gap are physics; kappa, S_q and mu_s of a surface are assumptions, and only the product mu_s p A of the reference
// pad is measured. docs/adhesion.md#electroadhesion; table 4.1 of Tambornini 2020.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/check.h"

namespace sinew::law {

inline constexpr double vacuum_permittivity = 8.8541878128e-12;  // [F/m]
inline constexpr double roughness_gap = 2.5;                     // c_R: mean gap over rms roughness [1]

struct ElectroPad {
  double voltage = 3000.0;          // V [V]
  double electrode_fraction = 0.5;  // f_e [1]
  double film_thickness = 50e-6;    // d_p [m]
  double film_permittivity = 3.4;   // eps_p [1]
};

struct ElectroSurface {
  double image_factor = 0.8;  // kappa [1]
  double roughness = 1.2e-4;  // S_q [m]
  double series_gap = 0.0;    // d_s [m]
  double conformity = 1.0;    // chi [1]
};

constexpr double electro_pressure(const ElectroPad& pad, const ElectroSurface& s, double extra_gap = 0.0) {
  SINEW_ASSERT(pad.film_permittivity > 0.0);
  const double d = pad.film_thickness / pad.film_permittivity + s.series_gap + roughness_gap * s.roughness + extra_gap;
  const double field = 0.5 * pad.voltage / d;
  return s.conformity * pad.electrode_fraction * 0.5 * vacuum_permittivity * s.image_factor * field * field;
}

// How a pull on the shear bench fails: a peak in the force, or a knee in the position.
enum class SurfaceClass { Solid, Rough, Granular };
inline constexpr std::array<std::string_view, 3> surface_class_names{"solid", "rough", "granular"};

// A surface of table 4.1: shear forces of the reference pad at 3 kV, six tests.
struct ElectroMaterial {
  std::string_view name;
  SurfaceClass kind;
  double image_factor, roughness, series_gap, friction;  // kappa, S_q, d_s, mu_s
  double low, mean, high;                                // as printed [N]
  double low_used;  // for slate 5.06: 5.96, 6.01 and 7.31 cannot be the extremes and mean of six tests
};

inline constexpr double reference_area = 0.01;  // of the reference pad [m^2]

inline constexpr std::array electro_materials{
    ElectroMaterial{"gravel", SurfaceClass::Granular, 0.6, 3.0e-3, 0.0, 0.5, -0.05, -0.012, 0.011, -0.05},
    ElectroMaterial{"leaves", SurfaceClass::Granular, 0.5, 2.5e-4, 0.0, 0.5, -0.011, 0.02, 0.069, -0.011},
    ElectroMaterial{"sand", SurfaceClass::Granular, 0.6, 1.5e-4, 0.0, 0.5, 0.004, 0.042, 0.071, 0.004},
    ElectroMaterial{"regolith", SurfaceClass::Granular, 0.8, 1.2e-4, 0.0, 0.5, 0.035, 0.058, 0.078, 0.035},
    ElectroMaterial{"cork", SurfaceClass::Rough, 0.31, 3.0e-5, 0.0, 0.5, 0.54, 0.64, 0.93, 0.54},
    ElectroMaterial{"PMMA", SurfaceClass::Solid, 0.5, 1.0e-6, 0.0, 0.3, 2.77, 3.1, 3.56, 2.77},
    ElectroMaterial{"wood", SurfaceClass::Solid, 0.43, 8.0e-6, 0.0, 0.4, 4.97, 5.33, 5.66, 4.97},
    ElectroMaterial{"cardboard", SurfaceClass::Solid, 0.39, 6.0e-6, 0.0, 0.4, 5.43, 5.88, 6.25, 5.43},
    ElectroMaterial{"slate", SurfaceClass::Solid, 0.75, 1.5e-5, 0.0, 0.5, 5.96, 6.01, 7.31, 5.06},
    ElectroMaterial{"glass", SurfaceClass::Solid, 0.733, 1.0e-7, 0.0, 0.3, 8.92, 9.51, 9.97, 8.92},
    ElectroMaterial{"metalized-PET", SurfaceClass::Solid, 1.0, 1.0e-6, 25e-6 / 3.2, 0.3, 10.18, 14.44, 17.59, 10.18},
};

constexpr double ideal_pressure(const ElectroMaterial& m, const ElectroPad& pad = {}) {
  return electro_pressure(pad, {m.image_factor, m.roughness, m.series_gap, 1.0});
}

// The surface, with the conformity that gives the reference pad its measured mean. A mean below zero, scatter of the
// friction that was taken off, says nothing: then 1.
constexpr ElectroSurface surface_of(const ElectroMaterial& m) {
  const double measured = m.mean / (m.friction * reference_area);
  return {m.image_factor, m.roughness, m.series_gap, m.mean > 0.0 ? measured / ideal_pressure(m) : 1.0};
}

}  // namespace sinew::law
