#include "robots/catalog.h"

#include <array>

namespace sinew::robots {

std::unique_ptr<Robot> make_balls();
std::unique_ptr<Robot> make_impacts();
std::unique_ptr<Robot> make_pile();
std::unique_ptr<Robot> make_shear_bench();
std::unique_ptr<Robot> make_snake();
std::unique_ptr<Robot> make_soft_limb();
std::unique_ptr<Robot> make_soft_robot();
std::unique_ptr<Robot> make_spring_chain();

namespace {
constexpr std::array entries{
    Entry{"balls", "balls that meet: one behind the other, or one and two", make_balls},
    Entry{"impacts", "balls that touch the ground one after the other, at every phase of a step", make_impacts},
    Entry{"pile", "many loose spheres, boxes and capsules", make_pile},
    Entry{"shear-bench", "a pad of electrodes that is pulled along samples until it slips", make_shear_bench},
    Entry{"snake", "links in a row with two driven axes between neighbours, on two spheres each", make_snake},
    Entry{"soft-limb", "a thin sheet pinned at its root: links in a row with springs between them", make_soft_limb},
    Entry{"soft-robot", "a hub with two soft limbs, in a vertical plane", make_soft_robot},
    Entry{"spring-chain", "equal masses in a row, joined by equal springs; the first is held by a wall",
          make_spring_chain},
};
}  // namespace

std::span<const Entry> catalog() { return entries; }

std::unique_ptr<Robot> make_robot(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.make();
  return nullptr;
}

}  // namespace sinew::robots
