// The snake robot in every simulator: its numbers, what a simulator must offer to crawl as this robot, and how it takes part.
// Straight and at rest at the start: link 1 begins at x = 0, the others follow along x. Between two links a yaw about z and
// then a pitch about y. Nothing of sinew is included here: Simbody's headers need other flags than ours.
#pragma once
#include <array>
#include <functional>
#include <memory>

namespace sinew::bench {

struct SnakeNumbers {
  int links = 11;
  double length = 0.122, mass = 0.682;                       // of a link [m, kg]
  double inertia_along = 2.35e-4, inertia_across = 9.63e-4;  // about the link's centre [kg m^2]
  double radius = 0.0525, offset = 0.0393;                   // of its two spheres; from the link's centre to theirs [m]
  double mu = 0.2, gravity = 9.81;
  int axes() const { return 2 * (links - 1); }
};
inline constexpr int watched_link = 5;  // from 0: the middle of eleven

class SnakePeer {
 public:
  virtual ~SnakePeer() = default;
  virtual void read(double* angle, double* rate) = 0;  // yaw and pitch of joint 1, of joint 2, ...
  virtual void command(const double* torque) = 0;      // on the same axes, held over the next step
  virtual void step() = 0;
  virtual std::array<double, 3> place() = 0;  // centre of the watched link [m]
  virtual int unsolved() const { return 0; }  // steps of which it says itself that its solver failed
};

using MakeSnakePeer = std::function<std::unique_ptr<SnakePeer>(const SnakeNumbers& numbers, double dt)>;
void add_snake_peer(const char* name, const MakeSnakePeer& make);         // lateral and sidewinding
void add_snake_peer_growth(const char* name, const MakeSnakePeer& make);  // more and more links

}  // namespace sinew::bench
