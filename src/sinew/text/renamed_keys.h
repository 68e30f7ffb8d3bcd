// What keys were called in earlier versions. Who uses an old name is told the new one; sinew upgrade
// rewrites it. There are no silent aliases.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/text/document.h"

namespace sinew::text {

struct RenamedKey {
  std::string_view robot;    // kind of the robot; may have wildcards
  std::string_view table;    // dotted
  std::string_view was, is;  // the new one counts from the same table and may be dotted
  std::string_view since = "0.1";
};
std::span<const RenamedKey> renamed_keys();

struct OldKey {
  std::string was, is;  // dotted
};
// Those that the document holds.
std::vector<OldKey> old_keys_in(const Document& document);

// The new dotted key for an old one, dotted or its last part, of the document's robot; empty: there is none.
std::string new_key(const Document& document, std::string_view old);

}  // namespace sinew::text
