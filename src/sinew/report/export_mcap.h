// A recording as MCAP: JSON messages in schemas that the robotics viewers know (docs/mcap.md).
#pragma once
#include <functional>
#include <string_view>

#include "sinew/record/reader.h"

namespace sinew::report {

// A message of each topic for each row of the recording; topics whose signals it does not hold are left out. `write` takes the bytes piece
// by piece.
void export_mcap(const record::Reader& reader, const std::function<void(std::string_view)>& write);

}  // namespace sinew::report
