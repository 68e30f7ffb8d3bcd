// What values and results were called in earlier versions: who types an old name is told the new one.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace sinew::sim {

struct Renamed {
  std::string_view key, was, is;  // key: of whose values; empty: a quantity of the run
};
inline constexpr std::array renamed{Renamed{"restitution_rule", "seed", "konyev"},
                                    Renamed{"", "run.restitution_seed", "run.restitution_konyev"}};

// "it is called \"konyev\" now; " or nothing
inline std::string now_called(std::string_view key, std::string_view given) {
  for (const Renamed& r : renamed)
    if (r.key == key && r.was == given) return "it is called \"" + std::string(r.is) + "\" now; ";
  return {};
}

}  // namespace sinew::sim
