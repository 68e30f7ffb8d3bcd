// Drives of a plan: what they do to its joints, and what they become in a model.
#pragma once
#include "sinew/model/params.h"
#include "sinew/model/plan.h"

namespace sinew {

bool has_unmade_drives(const Plan& plan);

// The plan with a drive for each joint that is meant. Joints get the inertia and friction that drives reflect to them, and follow their
// motions by them (Drive::Device); a drive of kind servo becomes the joint's own. Each other one has a block "drive.NAME" of memory.
// Throws PlanError.
Plan with_drives(Plan plan);

// All problems of drives, made or not.
std::vector<Problem> problems_of_drives(const Plan& plan);

// Motor angle for a unit of the axis [rad/rad or rad/m]; inertia and Coulomb friction that the axis feels.
double drive_ratio(const DrivePlan& drive, JointKind joint);
double reflected_inertia(const DrivePlan& drive, JointKind joint);  // [kg m^2 or kg]

// Part of compile: Model::drives and Params::drives of a plan whose drives are made. The joints are there.
void compile_drives(const Plan& plan, Model& model, Params<double>& params);

}  // namespace sinew
