#include "sinew/imports/height_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "sinew/files/png.h"
#include "sinew/parts/shape/aabb.h"
#include "sinew/parts/shape/mesh.h"
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

[[noreturn]] void fail_heights(const std::string& file, const std::string& what) {
  throw InputError(fmt::format("{}: {}: write it again", file, what));
}

std::string bytes_of_heights(const std::string& file) {
  std::error_code error;
  constexpr std::uintmax_t most = std::uintmax_t(128) << 20;
  if (std::filesystem::file_size(file, error) > most) fail_heights(file, "it has more than 128 MB");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || error) fail_heights(file, "it cannot be read");
  return text.str();
}

HeightValues read_png_heights(const std::string& file, const std::string& bytes) {
  try {
    const GreyImage image = read_grey_png(bytes);
    HeightValues out{image.height, image.width, {}};
    for (int r = image.height; r-- > 0;)
      for (int c = 0; c < image.width; c++) out.z.push_back(image.at(r, c));
    return out;
  } catch (const PngError& e) {
    fail_heights(file, e.what());
  }
}

HeightValues read_binary_heights(const std::string& file, const std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::int32_t size[2] = {};
  if (bytes.size() < sizeof size) fail_heights(file, "its head is missing");
  std::memcpy(size, bytes.data(), sizeof size);
  if (size[0] < 2 || size[1] < 2 || size[0] > max_png_side || size[1] > max_png_side ||
      bytes.size() != sizeof size + 4 * std::size_t(size[0]) * std::size_t(size[1]))
    fail_heights(file, "it is no field of rows and columns, each from 2 to 10000, with a float for each point");
  HeightValues out{size[0], size[1], {}};
  for (std::size_t at = sizeof size; at < bytes.size(); at += 4) {
    float z = 0.0F;
    std::memcpy(&z, bytes.data() + at, 4);
    if (!std::isfinite(z)) fail_heights(file, "a height is not finite");
    out.z.push_back(double(z));
  }
  return out;
}

}  // namespace

HeightValues read_heights(const std::string& file) {
  const std::string bytes = bytes_of_heights(file);
  HeightValues out = bytes.starts_with("\x89PNG") ? read_png_heights(file, bytes) : read_binary_heights(file, bytes);
  if (out.rows < 2 || out.columns < 2) fail_heights(file, "it has less than two rows or columns");
  if (out.z.size() > max_height_points) fail_heights(file, "it has more than a million points");
  return out;
}

void scale_to_one(HeightValues& heights) {
  const auto [low, high] = std::ranges::minmax_element(heights.z);
  const double from = *low, range = *high - *low;
  for (double& z : heights.z) z = range > 0.0 ? (z - from) / range : 0.0;
}

void set_ground(ImportedRobot& robot, const HeightValues& heights, double radius_x, double radius_y,
                const Posed& X_WH) {
  HeightField f;
  f.nx = heights.columns;
  f.ny = heights.rows;
  f.dx = 2.0 * radius_x / (f.nx - 1);
  f.dy = 2.0 * radius_y / (f.ny - 1);
  f.x0 = -radius_x;
  f.y0 = -radius_y;
  for (int i = 0; i < f.nx; i++)
    for (int k = 0; k < f.ny; k++) f.z.push_back(heights.z[std::size_t(k) * std::size_t(f.nx) + std::size_t(i)]);
  robot.has_ground = true;
  constexpr double straight = 1e-12;
  if (std::abs(X_WH.R.col(0)[0] - 1.0) < straight && std::abs(X_WH.R.col(2)[2] - 1.0) < straight) {
    f.x0 += X_WH.p[0];
    f.y0 += X_WH.p[1];
    for (double& z : f.z) z += X_WH.p[2];
    robot.heights = std::move(f);
    return;
  }
  const MeshPtr level = mesh_of(f);
  std::vector<Vec3d> vertices = level->vertex;
  for (Vec3d& x : vertices) x = X_WH * x;
  robot.ground_mesh = make_mesh(std::move(vertices), level->triangle);
}

double depth_in_ground(const ImportedRobot& robot, const std::vector<Posed>& poses) {
  double depth = -infinite;
  const auto look = [&](const Aabb& box, const Vec3d& point) {
    const bool under =
        point[0] >= box.low[0] && point[0] <= box.high[0] && point[1] >= box.low[1] && point[1] <= box.high[1];
    if (under) depth = std::max(depth, point[2] - box.low[2]);
  };
  // points of the grid from, to; one more on each side, for the slopes between
  const auto points = [](double low, double high, double first, double step, int n) {
    const double a = std::clamp((low - first) / step - 1.0, 0.0, double(n)),
                 b = std::clamp((high - first) / step + 2.0, 0.0, double(n));
    return std::pair(int(a), int(b));
  };
  for (std::size_t b = 0; b < poses.size(); b++)
    for (const RobotShape& shape : robot.bodies[b].shapes) {
      const Aabb box = aabb_of(shape.shape, poses[b] * shape.X_BS);
      if (robot.heights) {
        const HeightField& f = *robot.heights;
        const auto [i0, i1] = points(box.low[0], box.high[0], f.x0, f.dx, f.nx);
        const auto [k0, k1] = points(box.low[1], box.high[1], f.y0, f.dy, f.ny);
        for (int i = i0; i < i1; i++)
          for (int k = k0; k < k1; k++) depth = std::max(depth, f.at(i, k) - box.low[2]);
      } else if (robot.ground_mesh) {
        for (const Vec3d& x : robot.ground_mesh->vertex) look(box, x);
      }
    }
  return depth;
}

}  // namespace sinew::imports
