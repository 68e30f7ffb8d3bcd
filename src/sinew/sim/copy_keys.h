// Copies the values of all keys that one object declares to another of the same kind: what a copy constructor would do, for classes
// that are known by their keys alone.
#pragma once
#include <functional>

#include "sinew/model/keys.h"

namespace sinew::sim {

using DeclareKeys = std::function<void(Keys& keys)>;

void copy_keys(const DeclareKeys& from, const DeclareKeys& to);

}  // namespace sinew::sim
