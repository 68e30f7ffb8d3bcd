// A catalogue: kinds of one thing that users choose by name. It is a list in one source; a new kind is one more line of it.
#pragma once
#include <memory>
#include <span>
#include <string_view>

namespace sinew {

template <class T>
struct CatalogEntry {
  std::string_view name, summary;
  std::unique_ptr<T> (*make)();
};

template <class T>
struct Catalog {
  std::span<const CatalogEntry<T>> entries;

  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }
  std::unique_ptr<T> make(std::string_view name) const {  // nullptr: unknown
    for (const CatalogEntry<T>& entry : entries)
      if (entry.name == name) return entry.make();
    return nullptr;
  }
};

}  // namespace sinew
