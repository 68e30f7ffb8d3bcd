// Arrays of numbers from numpy's files: .npz, a ZIP archive of .npy files, stored or deflated
// (numpy/lib/format.py, "NEP 1: a simple file format for NumPy arrays"; PKWARE's APPNOTE.TXT 6.3).
// Numbers of 4 or 8 bytes, integers or floating, little-endian. Objects are refused: to read them is to run what the file says.
#pragma once
#include <string>
#include <vector>

namespace sinew::imports {

struct NumpyArray {
  std::string name;  // without .npy
  std::vector<std::size_t> shape;
  std::vector<double> values;  // row by row
};

// In the order of the archive. Throws InputError, "FILE: WHAT: HOW TO FIX".
std::vector<NumpyArray> read_npz(const std::string& file);

}  // namespace sinew::imports
