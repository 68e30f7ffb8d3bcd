// Scratch of penalty contacts in one step.
#pragma once
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

template <Real S>
struct SoftWork {
  std::vector<SoftContact<S>> contact;  // beside Rows::contact
  bool implicit = false;                // their forces are not in Workspace::applied
  std::vector<S> robot_mass;            // by Model::robot
  std::vector<S> fastest;               // by slot: at which a new point was seen to close, in the stages of a step
  // of one lane, implicit
  std::vector<SoftPoint> points;
  std::vector<law::PenaltyForce<double>> forces;
  std::vector<double> P, way, residual, trial, matrix, scale;
  std::vector<int> pivots;

  explicit SoftWork(const Model& model) {
    if (model.contact.response != Response::Penalty) return;
    contact.resize(model.n_slots);
    robot_mass.resize(model.n_robots);
    if (!model.crowd) fastest.resize(model.n_slots);
  }
};

}  // namespace sinew
