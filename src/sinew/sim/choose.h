// A choice of names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/keys.h"

namespace sinew::sim {

// Held as a string.
inline void choose(Keys& keys, const Key& key, const std::vector<std::string_view>& names, std::string& value) {
  int chosen = 0;
  for (std::size_t i = 0; i < names.size(); i++)
    if (names[i] == value) chosen = int(i);
  keys.choice(key, names, chosen);
  value = names[chosen];
}

}  // namespace sinew::sim
