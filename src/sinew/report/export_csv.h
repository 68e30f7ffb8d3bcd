// Signals of a recording as comma-separated values: a line of names, then a line per row; the first column is t.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "sinew/record/reader.h"

namespace sinew::report {

// columns: which to write after the time. every: rows at multiples of this after the first [s]; 0: the rows as they are.
// Between rows numbers are interpolated linearly; counts and states keep their last value. `write` takes the text piece by
// piece.
void export_csv(const record::Reader& reader, std::span<const std::size_t> columns, double every,
                const std::function<void(std::string_view)>& write);

}  // namespace sinew::report
