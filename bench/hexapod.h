// The walking hexapod in every simulator: its links, gains and gait, and what a simulator must offer to walk as this robot.
// Three segments of 0.14 m with universal joints between them, a pair of legs of three joints on each, spheres for feet: 28 freedoms, six
// contacts. Parents come before children; axes are those of the link at the start.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace sinew::bench {

using Triple = std::array<double, 3>;

struct HexapodLink {
  int parent;           // -1: the first one, which is free
  int axes;             // 0, 1 or 2 of its joint
  Triple at;            // joint in the parent's axes [m]
  Triple axis1, axis2;  // of the joint
  Triple com, inertia;  // in its own axes [m, kg m^2]
  double mass;          // [kg]
  double foot;          // z of the foot in its own axes; 0: none [m]
  double kp, kd;        // of its servo [N m/rad, N m s/rad]
};

inline constexpr double foot_radius = 0.015, hexapod_mu = 0.8, hexapod_height = 0.145;  // of the first joint [m]
inline constexpr int hexapod_axes = 22, watched_segment = 7;                            // the middle segment's link

std::vector<HexapodLink> hexapod_links();

// Angles and rates wanted at a time, of all axes: hold still, or walk in a tripod of 1 Hz, growing over the first second.
void hexapod_reference(bool walks, double t, double* angle, double* rate);

class HexapodPeer {
 public:
  virtual ~HexapodPeer() = default;
  virtual void read(double* angle, double* rate) = 0;
  virtual void command(const double* torque) = 0;  // held over the next step
  virtual void step() = 0;
  virtual Triple place() = 0;                   // centre of the middle segment [m]
  virtual int unsolved() const { return 0; }    // steps that it did not solve, as far as it says so
  virtual int iterations() const { return 0; }  // of its solver, in all
};

using MakeHexapodPeer = std::function<std::unique_ptr<HexapodPeer>(double dt)>;
void add_hexapod_peer(const char* name, const MakeHexapodPeer& make);

}  // namespace sinew::bench
