// Laws: sets of admissible impulses, laws on joint axes and of contact, friction and adhesion, as numbers and as functions,
// to build another one of. Which laws joints have is in sinew/plan.h: what is listed there includes this.
#pragma once
#include "sinew/parts/law/adhesion.h"
#include "sinew/parts/law/axis_law.h"
#include "sinew/parts/law/contact_law.h"
#include "sinew/parts/law/dry_friction.h"
#include "sinew/parts/law/electroadhesion.h"
#include "sinew/parts/law/penalty.h"
#include "sinew/parts/law/sets.h"
