// Newton's restitution without its flaw: an impact never puts energy in.
// Newton's law, gamma_N = -e gamma_N(before), says nothing of energy. With friction, or with several contacts of different e (one
// that is opening has none), the impulses can do positive work, E = 1/2 sum P (before + gamma) > 0 (Kane, Levinson 1985; Stronge
// 1990; the conditions under which they cannot: Leine, van de Wouw 2008; Glocker 2013). e = 0 never does: the plastic impact only
// takes out. So each island, robots that touch one another, that made energy is solved again with the largest share s < 1 of all
// its e for which E <= 0. The laws hold for s e as they would for e, and are certified with it. Impacts that make no energy keep
// s = 1 and are not solved twice.
// E is continuous in s where the laws have one solution, and convex where no contact changes between stick and slip: the root
// between 0 and 1 is found by regula falsi (Illinois; Dowell, Jarratt 1971), ending on the side that takes out.
#pragma once
#include <algorithm>

#include "sinew/step/workspace.h"

namespace sinew {

// Which robots of the batch have contacts that come in and are given back speed, and may not make energy of it.
template <Real S>
Mask<S> may_make_energy(const Model& model, const Rows<S>& rows) {
  const bool bounded = model.contact.impact != ImpactLaw::Newton && model.contact.response != Response::Penalty;
  return bounded ? rows.rebounds : mask_of<S>(false);
}

// Islands of the rows that were solved with all of their restitution. Robots outside `which` are left alone.
template <Real S>
void find_impact_islands(const Model& model, Mask<S> which, Rows<S>& rows, ImpactWork<S>& work);

// Judges the rows as they are solved now; where energy was made or the root is not yet found, sets the bias of the contacts for
// another share and returns the robots to be solved again. span: of the time over which adhesion pulls [s]; 0: in no time.
template <Real S>
Mask<S> choose_shares(const Model& model, double span, Mask<S> which, Rows<S>& rows, ImpactWork<S>& work);

// Velocities without laws, and impulses of cut joints: kept, and put back for some robots.
template <Real S>
void keep_free(const Model& model, const S* u, Workspace<S>& ws) {
  std::copy_n(u, model.nu, ws.impact.u_free.begin());
  std::copy_n(ws.cuts.P.begin(), model.n_rows, ws.impact.cut_P.begin());
}
template <Real S>
void back_to_free(const Model& model, Mask<S> which, S* u, Workspace<S>& ws) {
  for (int i = 0; i < model.nu; i++) u[i] = select(which, ws.impact.u_free[i], u[i]);
  for (int i = 0; i < model.n_rows; i++) ws.cuts.P[i] = select(which, ws.impact.cut_P[i], ws.cuts.P[i]);
}

// solve(lanes): solves these robots again from their velocities without laws.
template <Real S, class Solve>
SolveReport bound_rebounds(const Model& model, double span, Mask<S> which, SolveReport report, Workspace<S>& ws,
                           Solve solve) {
  find_impact_islands(model, which, ws.rows, ws.impact);
  for (Mask<S> again = choose_shares(model, span, which, ws.rows, ws.impact); any(again);
       again = choose_shares(model, span, again, ws.rows, ws.impact)) {
    SolveReport next = solve(again);
    next.iterations += report.iterations;
    if (any(negate(again)) && report.residual > next.residual) {  // of robots that were not solved again, perhaps
      report.iterations = next.iterations;
      continue;
    }
    report = next;
  }
  return report;
}

}  // namespace sinew
