// What several describe() functions share.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew {

template <class Names>
void choose(Keys& keys, const Key& key, const Names& names, auto& value) {
  int chosen = int(value);
  keys.choice(key, names, chosen);
  value = static_cast<std::remove_reference_t<decltype(value)>>(chosen);
}

inline void normalise(Keys& keys, std::string_view name, Quatd& q) {
  const double n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (std::abs(n2 - 1.0) > 1e-3)
    keys.reject(name, fmt::format("the quaternion (w, x, y, z) has length {:.6g}", std::sqrt(n2)),
                "give four numbers of length 1, w first");
  // a quaternion that was normalised once stays as it is, bit for bit
  else if (std::abs(n2 - 1.0) > 1e-12)
    q = normalized(q);
}

// Of a quaternion that is normalised where it is used: any length will do but none.
inline bool check_attitude(Keys& keys, std::string_view name, const std::vector<double>& q) {
  double n2 = 0.0;
  for (const double x : q) n2 += x * x;
  if (n2 > 1e-12 && std::isfinite(n2)) return true;
  keys.reject(name, fmt::format("a quaternion (w, x, y, z) of length {:.6g} is no attitude", std::sqrt(n2)),
              "give four numbers of length 1, w first");
  return false;
}

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

// The named entries of the open table: describe_one(keys, part) for each, in a table of its own. New ones start as
// `fresh`.
template <class Part, class F>
void describe_named(Keys& keys, std::vector<Part>& parts, const Part& fresh, F describe_one) {
  std::vector<Part> read;
  for (const std::string& name : keys.names(names_of(parts))) {
    const auto found = std::ranges::find(parts, name, &Part::name);
    read.push_back(found == parts.end() ? fresh : *found);
    read.back().name = name;
    const Table entry(keys, name);
    describe_one(read.back());
  }
  parts = std::move(read);
}

}  // namespace sinew
