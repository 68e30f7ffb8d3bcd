// Joint kinds (namespace joint): the conventions, and the kinds that there are, to build another one of. The list of them, JointKind,
// is in sinew/plan.h: what is listed there includes this.
#pragma once
#include "sinew/parts/joint/ball.h"
#include "sinew/parts/joint/cylindrical.h"
#include "sinew/parts/joint/flex.h"
#include "sinew/parts/joint/free.h"
#include "sinew/parts/joint/joint.h"
#include "sinew/parts/joint/planar.h"
#include "sinew/parts/joint/prismatic.h"
#include "sinew/parts/joint/revolute.h"
#include "sinew/parts/joint/universal.h"
#include "sinew/parts/joint/weld.h"
