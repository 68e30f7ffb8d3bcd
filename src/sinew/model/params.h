// Params: the numbers of a model that may differ from robot to robot.
#pragma once
#include "sinew/model/model.h"
#include "sinew/parts/device/servo.h"
#include "sinew/parts/force/cable.h"
#include "sinew/parts/force/drag.h"
#include "sinew/parts/force/spring.h"
#include "sinew/parts/law/patch_numbers.h"
#include "sinew/parts/transmission/transmission.h"

namespace sinew {

template <Real S>
struct LinkParams {
  Pose<S> X_PJ;    // joint frame in the parent link's frame (in the world for roots)
  Inertia<S> I_F;  // about the link frame's origin, in its axes
  Vec3<S> c_F;     // centre of mass in the link frame
  Vec3<S> n_F;     // normal of its plate in the link frame
  S area;          // of the plate [m^2]; 0: none
};

template <Real S>
struct CutParams {
  Pose<S> X_1J, X_2F;  // the joint's two frames in the frames of body1 and body2
};

// Of Model::coupling_terms: of q, q^2, q^3 and q^4. Of a distance: where the two points are in the frames of body1 and body2.
template <Real S>
struct CouplingTermParams {
  S factor[4];
  Vec3<S> p_1, p_2;
};

// Of Model::couplings.
template <Real S>
struct CouplingParams {
  S value;    // of the sum, or the distance
  S modulus;  // a whole turn of some joint changes the sum by it; 0: the sum is as it is
};

// Of Model::loads: the point in the link's frame; what acts there, in the world's axes or, where it follows, in the link's.
template <Real S>
struct LoadParams {
  Vec3<S> p_F, force, couple;  // [m, N, N m]
};

// What moves with each drive of a transmission [kg; without rods kg m^2].
template <Real S>
struct JointTransmission {
  Transmission<S> rods;
  S mass;
};

template <Real S>
struct Params : law::AxisLawNumbers<S> {  // per joint axis
  std::vector<LinkParams<S>> links;
  std::vector<CutParams<S>> cuts;
  std::vector<CouplingParams<S>> couplings;
  std::vector<CouplingTermParams<S>> coupling_terms;
  std::vector<Spring<S>> springs;                   // per joint axis
  std::vector<S> armature;                          // per joint axis [kg m^2 or kg]
  std::vector<JointTransmission<S>> transmissions;  // of RobotPlan::transmissions
  std::vector<S> rest;                              // per joint coordinate
  std::vector<Servo<S>> servos;                     // per joint axis
  std::vector<Motion<S>> motions;
  std::vector<drive::Numbers<S>> drives;          // of Model::drives
  std::vector<S> lower, upper;                    // per joint axis
  std::vector<law::FrictionDetails<S>> friction;  // per joint axis
  std::vector<ContactLaw<S>> contact_laws;
  std::vector<PenaltyLaw<S>> penalty_laws;  // of the same pairs of materials
  std::vector<PatchNumbers<S>> patches;     // of Model::patches
  AdhesionLaw<S> adhesion;
  std::vector<PadNumbers<S>> pads;    // of Model::pads
  std::vector<Drag<S>> drags;         // of Model::drag_links
  std::vector<S> lifts;               // of Model::lifted_links: share of the weight [1]
  std::vector<LoadParams<S>> loads;   // of Model::loads
  std::vector<Cable<S>> cables;       // of Model::cables
  std::vector<Vec3<S>> cable_points;  // of Model::cable_links, in the link's frame
  Gravity<S> gravity;
  Sunlight<S> sun;
};

}  // namespace sinew
