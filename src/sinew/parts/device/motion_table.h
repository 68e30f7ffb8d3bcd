// A motion or a torque given by numbers at times: m(t_i) = m_i. Before the first time and after the last it stays.
// Linear: straight between two times; rate and acceleration are those of the straight line. Smooth: the cubic spline through all
// numbers with continuous acceleration inside and zero rate at both ends.
//   m(t) = m_i h00(x) + T r_i h10(x) + m_k h01(x) + T r_k h11(x),   x = (t - t_i) / T,  T = t_k - t_i,  k = i + 1
// with Hermite's cubics h and the rates r_i of the spline. What repeats goes on after the last time with what lies a period before.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct MotionTable {
  std::vector<double> t, value;  // [s], and what the motion is measured in
  std::vector<double> slope;     // of the spline at each time; empty: linear
  double repeat = 0.0;           // period of the end of the table, at most as long as it [s]; 0: it does not repeat

  void evaluate(double time, double& m, double& m_rate, double& m_accel) const;
};

// What is wrong with times and, row by row, `columns` numbers for each; empty: nothing.
std::string table_problem(std::span<const double> t, std::span<const double> values, std::size_t columns);
// Of numbers that have no such problem, at least one.
std::shared_ptr<const MotionTable> make_table(std::vector<double> t, std::vector<double> value, bool smooth);

}  // namespace sinew
