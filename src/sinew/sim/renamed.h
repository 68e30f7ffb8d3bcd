// What values and results were called in earlier versions. Who uses an old name is told the new one; text/renamed_keys.h has the
// keys. There are no silent aliases.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace sinew::sim {

struct RenamedText {
  std::string_view key, was, is;  // key: of whose values; empty: a quantity of the run
  std::string_view since = "0.1";
};
inline constexpr std::array renamed_texts{RenamedText{"restitution_rule", "seed", "konyev"},
                                          RenamedText{"", "run.restitution_seed", "run.restitution_konyev"}};

// "it is called \"konyev\" now; " or nothing
inline std::string now_called(std::string_view key, std::string_view given) {
  for (const RenamedText& r : renamed_texts)
    if (r.key == key && r.was == given) return "it is called \"" + std::string(r.is) + "\" now; ";
  return {};
}

}  // namespace sinew::sim
