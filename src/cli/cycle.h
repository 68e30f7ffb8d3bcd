// The option --cycle of sinew bridge and sinew ethercat.
#pragma once
#include <string>

namespace cli {

// "1ms", "500us", "0.001", "0.001s" [s]. Throws InputError: no time, or not from 0.1 to 10 ms.
double read_cycle(const std::string& given);

}  // namespace cli
