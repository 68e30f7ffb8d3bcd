// Scratch of penalty contacts in one step.
#pragma once
#include <vector>

#include "sinew/math/gmres.h"
#include "sinew/parts/law/penalty.h"
#include "sinew/solve/rows.h"

namespace sinew {

template <Real S>
struct SoftContact {
  const PenaltyLaw<S>* law;  // that of the materials, or:
  PenaltyLaw<S> own;         // on a patch
  S floor;                   // least impact speed, of a point that is new
  Mask<S> deep;              // was found deeper than its cap
  law::PenaltyPoint<S> at;
  law::PenaltyForce<S> force;
};

struct SoftPoint {  // of one lane
  ContactLaw<double> law;
  PenaltyLaw<double> penalty;
  law::PenaltyPoint<double> at;  // at the start
  double before[3];
};

struct SoftLine {            // of one contact in a linear system of many
  double D[3][3];            // -dt F'
  double B[3][3];            // inverse of I + D G, of its own response
  double free[3], gamma[3];  // velocities of the end, without these forces and with them
  bool slides;
};

template <Real S>
struct SoftWork {
  std::vector<SoftContact<S>> contact;  // beside Rows::contact
  bool implicit = false;                // their forces are not in Workspace::applied
  std::vector<S> robot_mass;            // by Model::robot
  std::vector<S> fastest;               // by slot: at which a new point was seen to close, in the stages of a step
  // of one lane, implicit
  std::vector<SoftPoint> points;
  std::vector<law::PenaltyForce<double>> forces;
  std::vector<double> P, way, residual, trial;
  std::vector<double> matrix, scale;  // of few contacts; of many: where a step begins
  std::vector<int> pivots;
  std::vector<double> found;  // of many
  std::vector<SoftLine> lines;
  GmresWork gmres;

  explicit SoftWork(const Model& model) {
    if (model.contact.response != Response::Penalty) return;
    contact.resize(model.n_slots);
    robot_mass.resize(model.n_robots);
    if (!model.crowd) fastest.resize(model.n_slots);
  }
};

}  // namespace sinew
