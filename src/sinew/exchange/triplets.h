// Numbers of a matrix one by one -> rows of 3 x 3 blocks.
#pragma once
#include <vector>

#include "sinew/math/block_lu.h"

namespace sinew::exchange {

struct Triplet {
  int row, column;
  double value;
};

// Equal places are summed. All rows and columns must be below 3 * contacts.
BlockRows block_rows(int contacts, std::vector<Triplet> numbers);

}  // namespace sinew::exchange
