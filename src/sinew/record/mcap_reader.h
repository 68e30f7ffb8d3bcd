// Reads the JSON messages of an MCAP file as columns over time. What was cut off is lost alone.
#pragma once
#include <string>

#include "sinew/record/json_rows.h"

namespace sinew::record {

// Columns are called TOPIC.NUMBER (record/json_rows.h); those of the topic /signals of sinew by the names of the signals. Times are those at which
// messages were logged, in s: of a file of sinew as they stand, else from the first message on. Throws FileError; Error if this is no MCAP file, is
// damaged, is compressed, or has no messages in JSON.
TimedTable read_mcap(const std::string& file);

}  // namespace sinew::record
