// The keys of the parts of a plan. Units, defaults and meaning of every key are written here and nowhere else.
#pragma once
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew {

void describe(Keys& keys, BodyPlan& body);
void describe(Keys& keys, JointPlan& joint);  // also loops: JointPlan::loop
void describe(Keys& keys, ShapePlan& shape);
void describe(Keys& keys, GroundPlan& ground);
void describe(Keys& keys, ContactPlan& contact);
void describe(Keys& keys, AdhesionPlan& adhesion);  // keys of [contact]
void describe_gravity(Keys& keys, Plan& plan);
void describe_sun(Keys& keys, Sunlight<double>& sun);

// The tables [body.NAME], [joint.NAME] and [loop.NAME].
void describe_parts(Keys& keys, Plan& plan);

// The tables [rod.NAME] and [cable.NAME].
void describe_rods(Keys& keys, Plan& plan);

// The tables [coupling.NAME].
void describe_couplings(Keys& keys, Plan& plan);

// The tables [marker.NAME].
void describe_loads(Keys& keys, Plan& plan);
void describe_markers(Keys& keys, Plan& plan);

// The tables [drive.NAME].
void describe_drives(Keys& keys, Plan& plan);

// The tables [sensor.NAME].
void describe_sensors(Keys& keys, Plan& plan);

// Units of a joint's coordinates, velocities and forces, one per entry.
std::string_view coordinate_unit(JointKind kind, int coordinate);
std::string_view velocity_unit(JointKind kind, int axis);
std::string_view force_unit(JointKind kind, int axis);

}  // namespace sinew
