#include "sinew/control/legs/terrain_strip.h"

#include <algorithm>
#include <cmath>

namespace sinew::legged {
namespace {

double cell_of(double x) { return std::floor(x / TerrainStrip::length); }
int slot_of(double cell) {
  const double turns = std::floor(cell / TerrainStrip::cells);
  return int(cell - turns * TerrainStrip::cells);
}

}  // namespace

void TerrainStrip::move_to(double rear) {
  const double now = cell_of(rear);
  if (begun == 0.0 || now > first + cells || now < first - cells) {
    kind.fill(0.0);
    first = now;
    begun = 1.0;
  }
  for (; first < now; first += 1.0) kind[std::size_t(slot_of(first))] = 0.0;  // becomes the foremost
  for (; first > now; first -= 1.0) kind[std::size_t(slot_of(first - 1.0))] = 0.0;
}

void TerrainStrip::see(double x, Footing what) {
  const double cell = cell_of(x);
  if (begun == 0.0 || !(cell >= first && cell < first + cells)) return;
  double& k = kind[std::size_t(slot_of(cell))];
  k = std::max(k, double(what));
}

void TerrainStrip::see(double from, double to, Footing what) {
  const double low = std::max(cell_of(from), first), high = std::min(cell_of(to), first + cells - 1.0);
  for (double c = low; c <= high; c += 1.0) see((c + 0.5) * length, what);
}

Footing TerrainStrip::at(double x) const {
  const double cell = cell_of(x);
  if (begun == 0.0 || !(cell >= first && cell < first + cells)) return Footing::Unknown;
  return Footing(int(kind[std::size_t(slot_of(cell))]));
}

Footing TerrainStrip::around(double x, double around) const {
  Footing worst = at(x);
  for (double d = -around; d < around + length; d += length) {
    const Footing here = at(x + std::min(d, around));
    if (here == Footing::Bad) return here;
    if (here == Footing::Unknown) worst = here;
  }
  return worst;
}

void see_by_ray(TerrainStrip& strip, const SeenRay& ray, double zone) {
  const double end = ray.z + ray.dz, here = ray.x + ray.dx;
  if (ray.met && end > zone) return strip.see(here, Footing::Bad);
  if (ray.met && end >= -zone) return strip.see(here, Footing::Ground);
  if (!(ray.dz < 0.0) || !(ray.z > 0.0) || !(end < -zone)) return;
  const double a = -ray.z / ray.dz,
               b = -(ray.z + zone) / ray.dz;  // where it passes the ground, and the bottom of the zone
  strip.see(ray.x + a * ray.dx, ray.x + b * ray.dx, Footing::Bad);
}

}  // namespace sinew::legged
