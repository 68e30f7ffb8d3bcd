// Tables of numbers as PyTorch saves them (torch.save of a tensor, .pt): a ZIP archive with a pickle and the numbers beside it, or, before
// version 1.6, pickles one after the other and the numbers behind them. Of the pickle only what a tensor of numbers needs is read: it may
// call nothing.
#pragma once
#include <string>
#include <vector>

#include "sinew/record/errors.h"

namespace sinew::record {

struct Tensor {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row
};

// Of one or two dimensions. Throws FileError; Error if it is none.
Tensor read_tensor(const std::string& file);

}  // namespace sinew::record
