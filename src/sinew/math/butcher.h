// Explicit Runge-Kutta methods as tables: stage k is taken at t + node[k] h, from y + h sum over j < k of a[k][j] k_j, and
// y(t + h) = y + h sum of weight[k] k_k (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 1993, II.1, II.5).
// Who sums in which order decides about bits, so the steppers keep loops of their own over arrays; what moves one small value
// takes classical_step.
#pragma once

namespace sinew::butcher {

template <int n>
struct Table {
  static constexpr int stages = n;
  double node[n], a[n][n], weight[n];
};

inline constexpr Table<4> classical{
    {0.0, 0.5, 0.5, 1.0}, {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// Dormand and Prince, orders 5 and 4: the last stage is the end of the step.
inline constexpr Table<7> dormand_prince{{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0},
                                         {{},
                                          {1.0 / 5},
                                          {3.0 / 40, 9.0 / 40},
                                          {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                          {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
                                         {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0.0}};
// Weights of the difference between the two orders.
inline constexpr double dormand_prince_error[7] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

// y(t + h) of y' = rate(t, y) by the classical method, from k1 = rate(t, y). On a manifold y holds a displacement since the start of
// the step, 0 in the y that is given, and the caller moves along the one that comes back.
template <class Y, class Rate>
Y classical_step(const Y& y, const Y& k1, double t, double h, const Rate& rate) {
  const Y k2 = rate(t + 0.5 * h, y + k1 * (0.5 * h));
  const Y k3 = rate(t + 0.5 * h, y + k2 * (0.5 * h));
  const Y k4 = rate(t + h, y + k3 * h);
  return y + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
}

}  // namespace sinew::butcher
