// A problem in terms of bodies, M v = H r + f and u = H^T v + w, in terms of its contacts alone.
#pragma once
#include <string>
#include <vector>

#include "sinew/exchange/triplets.h"
#include "sinew/solve/cone_problem.h"

namespace sinew::exchange {

struct SparseMatrix {
  int rows = 0, columns = 0;
  std::vector<Triplet> numbers;  // equal places are summed
};

struct GlobalProblem {
  SparseMatrix M, H;
  std::vector<double> f, w, mu;
};

// W = H^T M^-1 H, q = H^T M^-1 f + w. Freedoms that M couples are solved together. Throws Error, which begins with the name of the
// file: M has no inverse, or couples too many.
ConeProblem reduce(const GlobalProblem& global, const std::string& file);

}  // namespace sinew::exchange
