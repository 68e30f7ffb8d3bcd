#include "sinew/solve/axis_inertia.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {

template <Real S>
void hold_axes(const Model& model, const Frames<S>& frames, const ReflectedInfo& info, const S* added, Cuts<S>& cuts) {
  const Cut& cut = cut_of(model, info);
  const int n = info.n_axes;
  SINEW_ASSERT(is_cut(info) && cut.n_rows == cut.n_ideal + n);
  CutRows<S>& rows = cuts.rows[std::size_t(-1 - info.link)];
  joint::visit(cut.kind, [&]<class J>() {
    if constexpr (J::nu > 0) {
      J::axes(rows.R_WJ, rows.R_WF, rows.e.data() + cut.n_ideal);
      for (int c = 0; c < J::nu; c++) rows.dir[cut.n_ideal + c] = J::dirs[c];
    }
  });
  const S* A = frames.reflected.data() + 6 * reflected_axis(model, info);
  const auto on = [&](int c) { return added ? A[c * (n + 1)] + added[c] : A[c * (n + 1)]; };
  S* R = cuts.compliance.data() + cut.row + cut.n_ideal;
  S& coupling = cuts.compliance[std::size_t(model.n_rows - 1 - info.link)];
  const auto rest = [&](int c, const Mask<S>& acts) {
    for (int k = 0; k < 3; k++) rows.e[cut.n_ideal + c][k] = select(acts, rows.e[cut.n_ideal + c][k], S(0.0));
  };
  if (n == 2) {
    const S a = on(0), d = on(1), b = A[1], det = a * d - b * b;
    const Mask<S> both = det > S(0.0);
    const S inverse = S(1.0) / select(both, det, S(1.0));
    const Mask<S> first = a > S(0.0),
                  second = d > S(0.0);  // where not both: b is 0, or the rods are where they cannot move
    R[0] = select(both, d * inverse, select(first, S(1.0) / select(first, a, S(1.0)), S(0.0)));
    R[1] = select(both, a * inverse, select(second, S(1.0) / select(second, d, S(1.0)), S(0.0)));
    coupling = select(both, -b * inverse, S(0.0));
    rest(0, both | first);
    rest(1, both | second);
    return;
  }
  for (int c = 0; c < n; c++) {
    const S a = on(c);
    const Mask<S> acts = a > S(0.0);
    R[c] = select(acts, S(1.0) / select(acts, a, S(1.0)), S(0.0));
    rest(c, acts);
  }
}

template <Real S>
void add_compliant(const Model& model, const ReflectedInfo& info, const Cuts<S>& cuts, const S* x, const S& scale,
                   S* y) {
  const Cut& cut = cut_of(model, info);
  const int first = cut.row + cut.n_ideal, n = cut.n_rows - cut.n_ideal;
  SINEW_ASSERT(x && y && n > 0);
  const S coupling = cuts.compliance[std::size_t(model.n_rows - 1 - info.link)];
  for (int c = 0; c < n; c++) y[c] += scale * cuts.compliance[first + c] * x[c];
  if (n != 2) return;
  y[0] += scale * coupling * x[1];
  y[1] += scale * coupling * x[0];
}

#define SINEW_INSTANTIATE_AXIS_INERTIA(S)                                                            \
  template void hold_axes(const Model&, const Frames<S>&, const ReflectedInfo&, const S*, Cuts<S>&); \
  template void add_compliant(const Model&, const ReflectedInfo&, const Cuts<S>&, const S*, const S&, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_AXIS_INERTIA)

}  // namespace sinew
