// Legs (namespace legged): angles and feet of legs, step cycles, gaits as tables and their generator, paths of feet for any motion of the body, bodies of
// hinged segments, support polygons and shifts of the mass centre, climbing; forces of any number of feet that move a body as wanted, torques
// that make them. Of bipeds: legs of six joints, zero-moment points, pendulum, preview control, capture point, steps.
#pragma once
#include "sinew/control/legs/biped_body.h"
#include "sinew/control/legs/capture_feedback.h"
#include "sinew/control/legs/climbing.h"
#include "sinew/control/legs/com_shift.h"
#include "sinew/control/legs/footsteps.h"
#include "sinew/control/legs/free_gait.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/leg.h"
#include "sinew/control/legs/pendulum.h"
#include "sinew/control/legs/preview.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/six_joint_leg.h"
#include "sinew/control/legs/step_cycle.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/control/legs/support.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/control/legs/yaw_leg.h"
#include "sinew/control/legs/zmp.h"
