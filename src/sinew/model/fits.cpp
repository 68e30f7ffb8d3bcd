#include "sinew/model/fits.h"

#include <algorithm>
#include <array>

#include "sinew/math/check.h"
#include "sinew/model/section_plant.h"
#include "sinew/model/set_points.h"

namespace sinew {
namespace {

struct Size {
  const char* of;
  std::size_t has, needs;
};

template <Real S>
auto sizes(const Model& m, const Params<S>& p) {
  const std::size_t axes = std::size_t(m.n_axes);
  return std::to_array<Size>({{"links", p.links.size(), m.links.size()},
                              {"cut joints", p.cuts.size(), m.cuts.size()},
                              {"couplings", p.couplings.size(), m.couplings.size()},
                              {"terms of couplings", p.coupling_terms.size(), m.coupling_terms.size()},
                              {"springs", p.springs.size(), axes},
                              {"reflected inertias", p.armature.size(), axes},
                              {"transmissions", p.transmissions.size(), std::size_t(m.n_transmissions)},
                              {"rest coordinates", p.rest.size(), std::size_t(m.n_coords)},
                              {"servos", p.servos.size(), axes},
                              {"drives", p.drives.size(), m.drives.size()},
                              {"motions", p.motions.size(), std::size_t(m.n_motions)},
                              {"lower ends of axes", p.lower.size(), axes},
                              {"upper ends of axes", p.upper.size(), axes},
                              {"details of friction", p.friction.size(), axes},
                              {"laws of penalty", p.penalty_laws.size(), p.contact_laws.size()},
                              {"patches of the ground", p.patches.size(), m.patches.size()},
                              {"pads", p.pads.size(), m.pads.size()},
                              {"dragged links", p.drags.size(), m.drag_links.size()},
                              {"carried weights", p.lifts.size(), m.lifted_links.size()},
                              {"loads", p.loads.size(), m.loads.size()},
                              {"cables", p.cables.size(), m.cables.size()},
                              {"points of cables", p.cable_points.size(), m.cable_links.size()}});
}

template <Real S>
auto sizes(const Model& m, const State<S>& s) {
  return std::to_array<Size>(
      {{"coordinates", s.q.size(), std::size_t(m.nq)},
       {"velocities", s.u.size(), std::size_t(m.nu)},
       {"numbers of contacts", s.contact.size(), std::size_t(m.n_slots) * slot::size},
       {"impulses of axes", s.axis_P.size(), m.axis_rows.size()},
       {"numbers of pads", s.pad.size(), m.pads.size() * pad::size},
       {"numbers of the plant", s.plant.size(), m.plant ? std::size_t(m.plant->state_size()) : 0},
       {"numbers of memory", s.memory.size(), std::size_t(memory_size(m.memory))}});
}

template <Real S>
auto sizes(const Model& m, const Input<S>& i) {
  const std::size_t commands = m.plant ? m.plant->commands().size() : std::size_t(m.n_axes);
  return std::to_array<Size>({{"torques", i.torque.size(), commands},
                              {"commands to drives and pads", i.drive.size(), std::size_t(set_point_count(m))},
                              {"external wrenches", i.external.size(), m.links.size()}});
}

template <Real A, Real B>
auto sizes(const State<A>& a, const State<B>& b) {
  return std::to_array<Size>({{"coordinates", a.q.size(), b.q.size()},
                              {"velocities", a.u.size(), b.u.size()},
                              {"numbers of contacts", a.contact.size(), b.contact.size()},
                              {"impulses of axes", a.axis_P.size(), b.axis_P.size()},
                              {"numbers of pads", a.pad.size(), b.pad.size()},
                              {"numbers of the plant", a.plant.size(), b.plant.size()},
                              {"numbers of the past", a.past.size(), b.past.size()},
                              {"numbers of memory", a.memory.size(), b.memory.size()}});
}

bool are_right(const auto& list) {
  return std::ranges::all_of(list, [](const Size& s) { return s.has == s.needs; });
}

void check_right(std::string_view who, const char* what, const auto& list, const char* other) {
  for (const Size& s : list)
    SINEW_CHECK(s.has == s.needs, who, ": ", what, " has ", s.has, " ", s.of, ", ", other, " ", s.needs);
}

}  // namespace

template <Real S>
bool fits(const Model& model, const Params<S>& params) {
  return are_right(sizes(model, params));
}
template <Real S>
bool fits(const Model& model, const State<S>& state) {
  return are_right(sizes(model, state));
}
template <Real S>
bool fits(const Model& model, const Input<S>& input) {
  return are_right(sizes(model, input));
}

template <Real S>
void check_fits(std::string_view who, const Model& model, const Params<S>& params) {
  check_right(who, "the set of parameters", sizes(model, params), "the model");
}
template <Real S>
void check_fits(std::string_view who, const Model& model, const State<S>& state) {
  check_right(who, "the state", sizes(model, state), "the model");
}
template <Real S>
void check_fits(std::string_view who, const Model& model, const Input<S>& input) {
  check_right(who, "the input", sizes(model, input), "the model");
}

template <Real A, Real B>
void check_same_sizes(std::string_view who, const State<A>& a, const State<B>& b) {
  check_right(who, "the state", sizes(a, b), "the other");
}

#define SINEW_INSTANTIATE(S)                                                  \
  template bool fits(const Model&, const Params<S>&);                         \
  template bool fits(const Model&, const State<S>&);                          \
  template bool fits(const Model&, const Input<S>&);                          \
  template void check_fits(std::string_view, const Model&, const Params<S>&); \
  template void check_fits(std::string_view, const Model&, const State<S>&);  \
  template void check_fits(std::string_view, const Model&, const Input<S>&);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Lanes)
#undef SINEW_INSTANTIATE
template void check_same_sizes(std::string_view, const State<double>&, const State<Lanes>&);

}  // namespace sinew
