// One part of a group, as it is written in a file, turned into that of a copy: names, and all keys that hold places and directions.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sinew/math/rotation.h"
#include "sinew/text/document_content.h"

namespace sinew::text {

//   x' = c + R S (x - c) + d
struct Placement {
  Quatd turn = Quatd::identity();  // R
  int mirror = -1;                 // coordinate whose sign S changes; -1: none
  Vec3d center = Vec3d::zero(), shift = Vec3d::zero();

  Vec3d mirrored(const Vec3d& v) const;  // S v
  Quatd mirrored(const Quatd& q) const;  // S O S
  Vec3d turned(const Vec3d& v) const;    // R S v
  Vec3d placed(const Vec3d& x) const;    // as above
};

struct CopyTo {
  std::string group, name;  // parts called group... become name...
  Placement at;
  std::set<std::string> bodies;  // of the group
  std::string parent;            // on which parts hang that hang outside of the group; empty: as before
  const Parameters& parameters;
  std::set<std::string> names;  // of all parts of the group
};

// False, with the reason, if the part cannot be had so.
bool copy_part(std::string_view table, const CopyTo& to, toml::table& part, std::string& problem);

// All numbers of an array or a single one; nothing: something is none.
std::optional<std::vector<double>> numbers_of(const toml::node& node, const Parameters& parameters,
                                              std::string& problem);

}  // namespace sinew::text
