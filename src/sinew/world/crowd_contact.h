// Contacts of a crowd, where not every pair has a reading that is kept.
#pragma once
#include "sinew/world/contacts.h"

namespace sinew {

// The number of a pair of a crowd by its name, as contact_name() has it; -1: there is none.
int find_crowd_pair(const Model& model, std::string_view name);

ContactReading<double> read_crowd_contact(const World<double>& world, int pair);

}  // namespace sinew
