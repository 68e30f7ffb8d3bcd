// How large shifts must be: above what gaps and round-off make of redundant rows, below all that the mechanism needs.
#include "sinew/solve/redundant.h"

#include "sinew/math/check.h"

namespace sinew {

using joint::Dir;

namespace {

constexpr double shift_in_mid_step = 1e-6;  // relative to the diagonal of G
// A diagonal below that, relative to what the bodies by themselves would do, is round-off: nothing can move along the row, as
// across the plane of a loop whose hinges are parallel. Its force would be the quotient of two errors.
constexpr double round_off = 1e-12;
// By the gaps: rows that are redundant on closed positions have l ~ gap^2 here, and 1e4 times that leaves no more of their
// force than (l / shift)^2 = 1e-8. Where joints are closed, round-off is left: at an angle a from a position where rows lose rank
// l ~ a^2, and a gap of 1e-14 lets velocities deviate by 1e-14 / a^2. Without a shift it would throw the mechanism into another
// branch where a step ends at a = 1e-7. With 1e-9 it is 1e-5, and forces of a < 3e-5 may stay out, because they have
// next to no lever. Relative to what the bodies by themselves would do: a row along which the mechanism can hardly move is one
// that is being lost, however small its own diagonal is.
constexpr double shift_least = 1e-9, shift_over_gap2 = 1e4;

// Square of the largest gap, those of lengths relative to the bodies' radii of gyration.
template <Real S>
S relative_gap2(const Model& model, const Cuts<S>& cuts) {
  S largest = S(0.0), gap[6] = {};
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const CutRows<S>& rows = cuts.rows[i];
    const S over_length2 = select(rows.linear > S(0.0), rows.angular / rows.linear, S(0.0));
    joint::visit(cut.kind, [&]<class J>() { J::gap(rows.X_JF, gap); });
    for (int r = 0; r < cut.n_ideal; r++)
      largest = max(largest, gap[r] * gap[r] * (rows.dir[r] == Dir::Angular ? S(1.0) : over_length2));
  }
  return largest;
}

}  // namespace

template <Real S>
void own_mobility(const Cut& cut, const Params<S>& params, S& linear, S& angular) {
  linear = angular = S(0.0);
  for (int body : {cut.body1, cut.body2}) {
    if (body < 0) continue;
    const LinkParams<S>& link = params.links[body];
    const Sym3<S> I = central(link.I_F.I, link.c_F, link.I_F.mc);
    const S half_trace = S(0.5) * (I.xx + I.yy + I.zz);
    linear += select(link.I_F.m > S(0.0), S(1.0) / link.I_F.m, S(0.0));
    angular += select(half_trace > S(0.0), S(1.0) / half_trace, S(0.0));
  }
}

template <Real S>
void choose_shifts(const Model& model, Cuts<S>& cuts) {
  SINEW_ASSERT(int(cuts.shift.size()) == model.n_rows &&
               cuts.pattern.columns.size() == model.cuts.size() + model.couplings.size());
  const bool by_gap = cuts.redundant == Redundant::ByGap;
  S relative = S(shift_in_mid_step);
  if (by_gap) relative = min(relative, max(S(shift_least), S(shift_over_gap2) * relative_gap2(model, cuts)));
  for (const auto& column : cuts.pattern.columns) {
    if (column.block >= int(model.cuts.size())) {
      const int row = model.couplings[column.block - int(model.cuts.size())].row;
      cuts.shift[row] = max(cuts.G.values[column.diagonal], S(0.0)) * relative;
      continue;
    }
    const Cut& cut = model.cuts[column.block];
    const CutRows<S>& rows = cuts.rows[column.block];
    for (int r = 0; r < cut.n_rows; r++) {
      const S g = cuts.G.values[column.diagonal + r * cut.n_rows + r];
      const S of_bodies = rows.dir[r] == Dir::Angular ? rows.angular : rows.linear;
      const S own = by_gap ? max(g, of_bodies) : select(g > of_bodies * S(round_off), g, S(0.0));
      cuts.shift[cut.row + r] = own * relative;
    }
  }
}

#define SINEW_INSTANTIATE_REDUNDANT(S)                              \
  template void own_mobility(const Cut&, const Params<S>&, S&, S&); \
  template void choose_shifts(const Model&, Cuts<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_REDUNDANT)

}  // namespace sinew
