#include "sinew/world/contact_problem.h"

#include <algorithm>

#include "sinew/step/workspace.h"

namespace sinew {
namespace {

// What the form does not know; empty: nothing.
std::string strange_law(const DenseProblem& p) {
  if (!p.axes.empty()) return "limits, dry friction or servos of joints are laws of it as well";
  for (const DenseContact& c : p.contacts) {
    if (c.drills || c.rolls) return "a contact has drilling or rolling friction";
    if (!c.slides) return "a contact has no friction, and the problem no rows for its sliding";
    if (c.law.shear != 0.0) return "adhesion holds a contact against sliding";
    if (c.law.mu_forward != c.law.mu_trans || c.law.mu_backward != c.law.mu_trans)
      return "friction of a contact depends on the direction";
  }
  return {};
}

}  // namespace

NextProblem next_contact_problem(const World<double>& world, double dt) {
  SINEW_CHECK(dt > 0.0, "next_contact_problem: the step must be > 0 s");
  const auto none = [](const char* why) { return NextProblem{{}, why}; };
  if (world.model().plant) return none("the robot has equations of its own");
  Model model = world.model();
  if (model.contact.response != Response::Rigid) return none("contact.law is not rigid");
  model.contact.solver = ContactSolver::Newton;  // the one that makes a matrix
  Workspace<double> work(model);
  State<double> state = world.state;
  world.stepper().one(model, world.params, world.input, dt, state, work);
  const DenseProblem& p = work.delassus.problem;
  if (p.contacts.empty()) return none("no contact is closed");
  if (const std::string why = strange_law(p); !why.empty()) return {{}, why};
  return {cone_problem(p), {}};
}

}  // namespace sinew
