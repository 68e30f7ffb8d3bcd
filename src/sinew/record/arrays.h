// Numbers over time in HDF5 files of others, as h5py and MATLAB write them: each array with a row or a number for each moment is a column or
// several. `group/x` is called group.x, column 2 of a table group.x.2.
#pragma once
#include "sinew/record/json_rows.h"

namespace sinew::record {

// time: name of the array of times; rate: instead, so many rows a second, if it is above 0. Arrays of other lengths than the times, or than
// the longest one, are left out. Throws FileError; Error if there is nothing to read.
TimedTable read_arrays(const std::string& file, const std::string& time, double rate = 0.0);

}  // namespace sinew::record
