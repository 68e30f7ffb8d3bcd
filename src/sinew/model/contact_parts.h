// Into how many parts a step goes for the sake of penalty contacts, whose forces swing faster than the step sees.
#pragma once
#include <algorithm>
#include <cmath>

#include "sinew/model/model.h"

namespace sinew {

inline constexpr double most_parts = 100.0;
inline constexpr double many_parts =
    10.0;  // beyond which stiff contacts are better not followed (ContactOptions::stiff_step)

// About sixty in a period of the fastest contact (docs/theory/step.md#penalty-contacts-in-a-step).
inline double contact_parts(const Model& model, double dt) { return std::ceil(dt * model.contact_frequency / 0.1); }

// Those of a run with steps of dt, as far as they are known before it: fast and thin bodies may need more.
inline int least_parts(const Model& model, double dt) {
  if (model.substeps > 0) return model.substeps;
  return int(std::clamp(contact_parts(model, dt), 1.0, most_parts));
}

}  // namespace sinew
