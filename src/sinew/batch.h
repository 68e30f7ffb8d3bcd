// Batch: many robots of one experiment, each with numbers of its own, in lanes and by several threads; the bits of each are those of a run
// of its own. Needs sinew::sinew.
#pragma once
#include "sinew/batch/batch.h"
#include "sinew/sim/errors.h"
