// The energy account of set-valued laws: what each took out or put in, with the mean of the velocities before and after.
#include "sinew/step/laws.h"

#include "sinew/step/impact.h"

namespace sinew {

template <Real S>
void book_laws(const Model& model, const Rows<S>& rows, Work<S>& work) {
  work.impact += rows.lost_in_impact;
  work.friction += rows.lost_in_friction;
  for (int i = 0; i < rows.n_points(); i++) {
    const ContactRow<S>& c = rows.contact[i];
    work.impact -= (c.P[row::N] - c.pull * S(rows.span)) * (c.before[row::N] + c.gamma[row::N]) * S(0.5);
    book_friction(c.P, c.before, c.gamma, work.friction, work.impact);
  }
  for (int i = 0; i < rows.n_axes; i++) {
    const AxisRow<S>& a = rows.axis[i];
    const S done = a.P * (a.before + a.gamma) * S(0.5);
    using Kind = AxisRowInfo::Kind;
    const AxisRowInfo& info = model.axis_rows[a.index];
    law::Account account = info.kind == Kind::Servo ? law::Account::Actuators : law::Account::Impact;
    if (info.kind == Kind::Law) account = law::visit_axis_law(info.law, []<class L>() { return L::account; });
    if (account == law::Account::Friction)
      work.friction -= done;
    else if (account == law::Account::Actuators)
      work.actuators += done;
    else
      work.impact -= done;
  }
}

#define SINEW_INSTANTIATE_BOOK_LAWS(S) template void book_laws(const Model&, const Rows<S>&, Work<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_BOOK_LAWS)

}  // namespace sinew
