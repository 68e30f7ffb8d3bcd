// Stages of a step that concern set-valued laws: which of them act, solving them, booking their work, remembering.
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {

// Penalty contacts: forces at the frames, which stand for the whole step; at its end or middle; or at a stage of it, dt after
// its start, where only they are asked for.
enum class SoftMode { Explicit, Implicit, Stage };

// How far a step goes, and how penalty contacts act in it.
struct LawSpan {
  double dt;
  SoftMode soft = SoftMode::Explicit;
  bool gaps_of_start = false;  // the frames are those of the start and not of the middle: soft ground looks at the end
};

// Finds contacts at ws.frames and makes the rows of all laws that act in this step. The frames are those of q with the
// velocities state.u of the start; given motions of the end of the step are in ws.driven_E. False: no law acts.
template <Real S>
bool gather(const Model& model, const Params<S>& params, const State<S>& state, const S* q, LawSpan span,
            Workspace<S>& ws);

// The robots of a batch on which some law acts.
template <Real S>
Mask<S> acting(const Rows<S>& rows);

// Can the rows be solved by recursion, and is that wanted?
template <Real S>
bool use_recursion(const Model& model, const Workspace<S>& ws);

// By recursion, with forward dynamics inside: u_E = u_A + dt du/dt, into ws.u. Robots for which it fails go the other way.
template <Real S>
SolveReport solve_laws_by_recursion(const Model& model, const Params<S>& params, const S* diag, const S* u_A, double dt,
                                    Workspace<S>& ws);

// By responses: u_E holds the velocities without laws, A factored in ws.blocks and cut joints in ws.cuts.
template <Real S>
SolveReport solve_laws_by_responses(const Model& model, const Params<S>& params, Mask<S> which, S* u_E,
                                    Workspace<S>& ws);

// Impulse of a contact's row r in the whole step, with what it had in an impact.
template <Real S>
SINEW_INLINE S whole_impulse(const Rows<S>& rows, int contact, int r) {
  const S P = rows.contact[contact].P[r];
  return rows.has_struck ? P + rows.struck[std::size_t(contact) * row::count + r] : P;
}

// Adds the rows' mean forces to ws.applied.
template <Real S>
void apply_laws(const Params<S>& params, double dt, Workspace<S>& ws);

// Work of the rows' impulses with the mean velocity; friction by book_friction.
template <Real S>
void book_laws(const Model& model, const Rows<S>& rows, Work<S>& work);

// Impulses into the state; slots that do not touch forget.
template <Real S>
void remember(const Model& model, double dt, const Workspace<S>& ws, State<S>& state);
template <Real S>
void remember_contacts(const Model& model, const Workspace<S>& ws, State<S>& state);
template <Real S>
void remember_axes(double dt, const Workspace<S>& ws, State<S>& state);

}  // namespace sinew
