#include "sinew/world/crowd_contact.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/world/contact_point.h"

namespace sinew {

int find_crowd_pair(const Model& model, std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == name.npos) return -1;
  const int n = int(model.shapes.size());
  const auto shape = [&](std::string_view wanted) {
    return int(std::ranges::find(model.shapes, wanted, &ShapeInfo::name) - model.shapes.begin());
  };
  const std::string_view second = name.substr(colon + 1);
  int a = shape(name.substr(0, colon)), b = second == "ground" ? n : shape(second);
  if (a == n || (b == n && second != "ground")) return -1;
  if (a > b) std::swap(a, b);
  if (b < n ? !model.may_touch(a, b) : model.shapes[a].link < 0) return -1;
  const int pair = crowd_pair(model, a, b);
  return contact_name(model, pair) == name ? pair : -1;
}

ContactReading<double> read_crowd_contact(const World<double>& world, int pair) {
  SINEW_CHECK(pair >= 0 && pair < world.model().pair_count(), "read_crowd_contact: pair ", pair, " of ",
              world.model().pair_count());
  const double dt = world.state.dt;
  ContactReading<double> reading;
  PointSum<double> sum;
  sum.clear(reading);
  for_each_slot(world.model(), world.state, [&](const ShapePair&, int id, const double* s) {
    if (id == pair) sum.add(s, dt > 0.0 ? 1.0 / dt : 0.0, reading);
  });
  sum.finish(reading);
  return reading;
}

}  // namespace sinew
