// Where the joints of the quadruped are among the readings and commands of its plan.
#pragma once
#include <string>

#include "sinew/model/plan.h"

namespace sinew::robots {

struct Places {
  int plate_q = 0, plate_u = 0, tail_q = 0, tail_u = 0;
  int q[4][3] = {}, u[4][3] = {};

  // Of the closed form. Coordinates: plate, legs, tail; velocities: legs, tail, plate, of which the first 14 take torques.
  static constexpr int closed_coordinates = 7 + 14, closed_torques = 14, closed_velocities = 14 + 6;
  Places() : plate_q(0), plate_u(closed_torques), tail_q(7 + 12), tail_u(12) {
    for (int i = 0; i < 4; i++)
      for (int a = 0; a < 3; a++) {
        q[i][a] = 7 + 3 * i + a;
        u[i][a] = 3 * i + a;
      }
  }

  // Of the tree.
  explicit Places(const Plan& plan) {
    int coord = 0, axis = 0;
    for (const JointPlan& j : plan.joints) {
      if (j.name == "plate") {
        plate_q = coord;
        plate_u = axis;
      }
      if (j.name == "tail" || j.name == "tail1") {
        tail_q = coord;
        tail_u = axis;
      }
      for (int i = 0; i < 4; i++) {
        if (j.name == "hip" + std::to_string(i + 1))
          for (int c = 0; c < 2; c++) {
            q[i][c] = coord + c;
            u[i][c] = axis + c;
          }
        if (j.name == "knee" + std::to_string(i + 1)) {
          q[i][2] = coord;
          u[i][2] = axis;
        }
      }
      coord += joint::coordinate_count(j.kind);
      axis += joint::freedom_count(j.kind);
    }
  }
};

}  // namespace sinew::robots
