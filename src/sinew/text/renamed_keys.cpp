#include "sinew/text/renamed_keys.h"

#include <fmt/format.h>

#include "sinew/model/glob.h"
#include "sinew/text/document_content.h"

namespace sinew::text {
namespace {

constexpr RenamedKey keys_since_0_1[] = {
    // size, material and cells of rods
    {"rod-*", "robot", "l", "length"},
    {"rod-*", "robot", "rad", "radius"},
    {"rod-*", "robot", "rho", "density"},
    {"rod-*", "robot", "N", "cells"},
    {"soft-rod", "robot", "l", "length"},
    {"soft-rod", "robot", "rad", "radius"},
    {"soft-rod", "robot", "rad_tip", "tip_radius"},
    {"soft-rod", "robot", "rho", "density"},
    {"soft-rod", "robot", "k_s", "shear_factor"},
    {"soft-rod", "robot", "H", "section_stiffness"},
    {"soft-rod", "robot", "xi_star", "rest_strain"},
    {"soft-rod", "robot", "damp", "bending_damping"},
    {"soft-rod", "robot", "group", "dimension"},
    {"soft-rod", "robot", "nb", "basis_size"},
    {"soft-rod", "robot", "segments", "segment_starts"},
    {"soft-rod", "robot", "N", "cells"},
    // loads
    {"rod-*", "robot", "ct", "drag_along"},
    {"rod-snake", "robot", "c_t", "drag_along"},
    {"rod-arc", "robot", "c_t", "drag_along"},
    {"rod-*", "robot", "cn", "drag_across"},
    {"rod-*", "robot", "crx", "drag_roll"},
    {"rod-*", "robot", "crn", "drag_turn"},
    {"rod-*", "robot", "nload", "friction_load"},
    {"rod-*", "robot", "muf", "mu_long"},
    {"rod-*", "robot", "mub", "mu_backward"},
    {"rod-*", "robot", "mun", "mu_trans"},
    {"rod-*", "robot", "vs", "v_th"},
    {"rod-*", "robot", "kqt", "fluid_drag_along"},
    {"rod-*", "robot", "kqn", "fluid_drag_across"},
    {"rod-*", "robot", "ma", "added_mass"},
    {"rod-*", "robot", "rho_f", "fluid_density"},
    {"rod-*", "robot", "ground_k", "ground_stiffness"},
    {"rod-*", "robot", "ground_c", "ground_damping"},
    {"rod-*", "robot", "ground_d", "ground_dissipation"},
    {"rod-*", "robot", "kpeg", "peg_stiffness"},
    {"rod-*", "robot", "dpeg", "peg_dissipation"},
    {"rod-*", "robot", "mupeg", "peg_mu"},
    {"rod-*", "robot", "head_couple", "head_moment"},
    {"rod-*", "robot", "tail_couple", "tail_moment"},
    {"soft-rod", "robot", "ct", "drag_along"},
    {"soft-rod", "robot", "cn", "drag_across"},
    // cables, servo, imposed motion
    {"soft-rod", "robot", "d", "cable_offset"},
    {"soft-rod", "robot", "d_tip", "cable_offset_tip"},
    {"soft-rod", "robot", "tension_swing", "tension_amplitude"},
    {"soft-rod", "robot", "imposed_swing", "imposed_amplitude"},
    {"soft-rod", "robot", "Mmax", "limit"},
    // waves
    {"soft-rod", "robot", "a0", "wave.amplitude"},
    {"soft-rod", "robot", "a1", "wave.slope"},
    {"soft-rod", "robot", "bias", "wave.bias"},
    {"soft-rod", "robot", "lam", "wave.wavelength"},
    {"soft-rod", "robot", "T", "wave.period"},
    {"soft-rod", "robot", "Tr", "wave.ramp"},
    {"soft-rod", "robot", "phase", "wave.phase"},
    {"rod-swimmer", "robot", "a0", "wave.amplitude"},
    {"rod-swimmer", "robot", "a1", "wave.slope"},
    {"rod-swimmer", "robot", "bias", "wave.bias"},
    {"rod-swimmer", "robot", "lam", "wave.wavelength"},
    {"rod-swimmer", "robot", "T", "wave.period"},
    {"rod-swimmer", "robot", "Tr", "wave.ramp"},
    {"rod-swimmer", "robot", "phase", "wave.phase"},
    {"rod-swimmer", "robot", "a0_y", "wave.amplitude_y"},
    {"rod-swimmer", "robot", "a1_y", "wave.slope_y"},
    {"rod-swimmer", "robot", "bias_y", "wave.bias_y"},
    {"rod-swimmer", "robot", "phase_y", "wave.phase_y"},
    {"rod-snake", "robot", "a", "amplitude"},
    {"rod-snake", "robot", "lam", "wavelength"},
    {"rod-snake", "robot", "a_y", "amplitude_y"},
    {"rod-snake", "robot", "lam_y", "wavelength_y"},
    {"rod-worm", "robot", "lam", "wavelength"},
    // start of a swimmer
    {"rod-swimmer", "robot", "xi", "mean_strain"},
    {"rod-swimmer", "robot", "eta0", "start_twist"},
    {"rod-swimmer", "robot", "start", "start_pose"},
    {"rod-swimmer", "robot", "h0", "start_height"},
    // sheets
    {"soft-limb", "robot", "L", "length"},
    {"soft-limb", "robot", "t", "thickness"},
    {"soft-limb", "robot", "rho", "density"},
    {"soft-limb", "robot", "plate", "nu"},
    {"soft-robot", "robot", "L", "length"},
    {"soft-robot", "robot", "t", "thickness"},
    {"soft-robot", "robot", "rho", "density"},
    {"soft-robot", "robot", "plate", "nu"},
    {"soft-robot", "robot.left", "L", "length"},
    {"soft-robot", "robot.left", "t", "thickness"},
    {"soft-robot", "robot.left", "rho", "density"},
    {"soft-robot", "robot.left", "plate", "nu"},
    {"soft-robot", "robot.right", "L", "length"},
    {"soft-robot", "robot.right", "t", "thickness"},
    {"soft-robot", "robot.right", "rho", "density"},
    {"soft-robot", "robot.right", "plate", "nu"},
};

std::string robot_of(const Document& document) {
  return document.content().root["robot"]["kind"].value_or(std::string("bodies"));
}

}  // namespace

std::span<const RenamedKey> renamed_keys() { return keys_since_0_1; }

std::vector<OldKey> old_keys_in(const Document& document) {
  std::vector<OldKey> found;
  const std::string robot = robot_of(document);
  for (const RenamedKey& r : renamed_keys()) {
    if (!matches(r.robot, robot)) continue;
    for (const char* unit : {"", "_deg"}) {
      std::string was = fmt::format("{}.{}{}", r.table, r.was, unit);
      if (document.contains(was)) found.push_back({std::move(was), fmt::format("{}.{}{}", r.table, r.is, unit)});
    }
  }
  return found;
}

std::string new_key(const Document& document, std::string_view old) {
  const std::string robot = robot_of(document);
  for (const RenamedKey& r : renamed_keys()) {
    if (!matches(r.robot, robot)) continue;
    for (const char* unit : {"", "_deg"}) {
      const std::string last = fmt::format("{}{}", r.was, unit), dotted = fmt::format("{}.{}", r.table, last);
      if (old == last || old == dotted || dotted.ends_with(fmt::format(".{}", old)))
        return fmt::format("{}.{}{}", r.table, r.is, unit);
    }
  }
  return {};
}

}  // namespace sinew::text
