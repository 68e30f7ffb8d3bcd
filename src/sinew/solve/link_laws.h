// Forces of links by smooth laws of their own, solved together with the set-valued laws of a step (solve/recursion.h).
#pragma once
#include "sinew/solve/recursion.h"

namespace sinew {

// Each iteration makes them linear anew: P = f - K gamma.
template <Real S>
struct LinkLaws {
  virtual ~LinkLaws() = default;
  // By how much P misses the laws [m/s], at the last velocities; around these `add` makes them linear.
  virtual S error() = 0;
  virtual void add(UnsymmetricWork<S>& links, S rate) = 0;
  // From the change of the links' accelerations; lanes that are done keep what they have.
  virtual void read(const std::vector<Twist<S>>& change, Mask<S> done) = 0;
  // P as it is, as forces on the links about their mass centres.
  virtual void push(std::vector<Wrench<S>>& applied, S rate) const = 0;
};

template <Real S>
struct SmoothProblem {
  ImpulseProblem<S> rest;
  LinkLaws<S>& laws;
};

// As solve_by_recursion; `failed` are also lanes in which the laws of the links are missed by more than 1e-8 m/s.
template <Real S>
SolveReport solve_by_recursion(const SmoothProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work,
                               Blocks<S>& blocks, S* u_rate, Mask<S>& failed);

}  // namespace sinew
