#include "robots/catalog.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace sinew::robots {

std::unique_ptr<Robot> make_balls();
std::unique_ptr<Robot> make_biped();
std::unique_ptr<Robot> make_biped_bench();
std::unique_ptr<Robot> make_bridge_bench();
std::unique_ptr<Robot> make_drive_bench();
std::unique_ptr<Robot> make_force_sensor_bench();
std::unique_ptr<Robot> make_four_bars();
std::unique_ptr<Robot> make_hexapod();
std::unique_ptr<Robot> make_hexapod_bench();
std::unique_ptr<Robot> make_impacts();
std::unique_ptr<Robot> make_pile();
std::unique_ptr<Robot> make_quadruped();
std::unique_ptr<Robot> make_quadruped_bench();
std::unique_ptr<Robot> make_rod_arc();
std::unique_ptr<Robot> make_rod_arm();
std::unique_ptr<Robot> make_rod_inchworm();
std::unique_ptr<Robot> make_rod_shear();
std::unique_ptr<Robot> make_rod_snake();
std::unique_ptr<Robot> make_rod_swimmer();
std::unique_ptr<Robot> make_rod_worm();
std::unique_ptr<Robot> make_shear_bench();
std::unique_ptr<Robot> make_snake();
std::unique_ptr<Robot> make_soft_limb();
std::unique_ptr<Robot> make_soft_robot();
std::unique_ptr<Robot> make_soft_rod();
std::unique_ptr<Robot> make_spring_chain();
std::unique_ptr<Robot> make_transmission_bench();

namespace {
constexpr std::array entries{
    Entry{"balls", "balls that meet: one behind the other, or one and two", make_balls},
    Entry{"biped", "a trunk on two legs of six joints with flat soles; it stands, squats and walks", make_biped},
    Entry{"biped-bench", "closed forms of a biped: legs, zero-moment points, pendulum, preview control",
          make_biped_bench},
    Entry{"bridge-bench", "packets between a controller and a device: how old data are when they are used",
          make_bridge_bench},
    Entry{"drive-bench", "numbers of drives that follow without any motion", make_drive_bench},
    Entry{"force-sensor-bench", "weights on a six-component force sensor, and its calibration",
          make_force_sensor_bench},
    Entry{"four-bars", "four-bar linkages side by side that turn through their flat positions", make_four_bars},
    Entry{"hexapod", "hinged segments with two legs of three joints each, a neck and a head; it walks", make_hexapod},
    Entry{"hexapod-bench", "closed forms of a hexapod: step cycles, gaits, legs, forces of feet, climbing",
          make_hexapod_bench},
    Entry{"impacts", "balls that touch the ground one after the other, at every phase of a step", make_impacts},
    Entry{"pile", "many loose spheres, boxes and capsules", make_pile},
    Entry{"quadruped", "a plate on four legs of three hinges, with a tail", make_quadruped},
    Entry{"quadruped-bench", "closed forms of the quadruped: states, torques, runs and flights without a tree",
          make_quadruped_bench},
    Entry{"rod-arc", "a continuous snake stiff in an arc, which glides along its circle", make_rod_arc},
    Entry{"rod-arm", "a continuous arm, clamped at its base, whose bends, twist and stretch are driven", make_rod_arm},
    Entry{"rod-inchworm", "a continuous inchworm that clamps its head and its tail in turn", make_rod_inchworm},
    Entry{"rod-shear", "a continuous planar snake that shears", make_rod_shear},
    Entry{"rod-snake", "a continuous snake that glides along its own track, in the plane or in space", make_rod_snake},
    Entry{"rod-swimmer", "a continuous body with a travelling wave, moved by fluid, friction, ground and pegs",
          make_rod_swimmer},
    Entry{"rod-worm", "a continuous worm on a line that holds on where it is thickest", make_rod_worm},
    Entry{"shear-bench", "a pad of electrodes that is pulled along samples until it slips", make_shear_bench},
    Entry{"snake", "links in a row with two driven axes between neighbours, on two spheres each", make_snake},
    Entry{"soft-limb", "a thin sheet pinned at its root: links in a row with springs between them", make_soft_limb},
    Entry{"soft-robot", "a hub with two soft limbs, in a vertical plane", make_soft_robot},
    Entry{"soft-rod", "an elastic rod, clamped or afloat, with cables, chambers, servos and loads", make_soft_rod},
    Entry{"spring-chain", "equal masses in a row, joined by equal springs; the first is held by a wall",
          make_spring_chain},
    Entry{"transmission-bench", "rods and gears between drives and a joint: strokes, Jacobian, torques of a pose",
          make_transmission_bench},
};

std::vector<Entry>& all_entries() {
  static std::vector<Entry> all(entries.begin(), entries.end());
  return all;
}
}  // namespace

Catalog<Robot> catalog() { return {all_entries()}; }

void add_robot(const Entry& entry) {
  if (std::ranges::find(all_entries(), entry.name, &Entry::name) != all_entries().end())
    throw std::invalid_argument("a robot of the name " + std::string(entry.name) + " is there already");
  all_entries().push_back(entry);
}

}  // namespace sinew::robots
