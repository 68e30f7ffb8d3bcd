// Many bodies in a tray: a floor (the plane z = 0) and four walls. Loose spheres, or spheres, boxes and capsules, that fall, pile
// up and come to rest. The same numbers for every simulator.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/model/plan.h"

namespace sinew::bench {

struct PileBody {
  Shape shape;
  double mass;
  Vec3d inertia;  // principal, in the shape's axes
  Vec3d position;
  Quatd orientation;
};

struct Pile {
  std::vector<PileBody> bodies;
  struct Wall {
    Vec3d centre, half;
  };
  std::vector<Wall> walls;
  double gravity = 9.81, mu = 0.5;
  double dt = 1.0 / 240.0;
  double duration;  // [s]
};

Pile spheres_in_a_tray(int n);
Pile mixed_bodies(int n);

// One of the programs that are compared.
class PilePeer {
 public:
  virtual ~PilePeer() = default;
  virtual void step() = 0;
  virtual Posed pose(int body) = 0;
  virtual Twist<double> velocity(int body) = 0;  // of the mass centre, world axes
  virtual double iterations() { return 0.0; }    // of the last step
  virtual int unsolved() { return 0; }           // steps that missed their tolerance so far
};
using MakePilePeer = std::function<std::unique_ptr<PilePeer>(const Pile&)>;

// Registers the benchmarks of a program: pile/SCENE/name.
void add_pile_peer(const std::string& name, MakePilePeer make);

}  // namespace sinew::bench
