// Jacobi's elliptic functions and the complete integral by the arithmetic-geometric mean.
// Source: Abramowitz and Stegun, 16.4 and 17.6. The complementary modulus k' is the argument: it keeps its digits where
// k is close to 1, k^2 + k'^2 = 1.
#pragma once

namespace sinew::test {

struct Jacobi {
  double sn, cn, dn;
};

double complete_K(double k_prime);
Jacobi jacobi(double u, double k_prime);

}  // namespace sinew::test
