// libsdformat as the independent side of comparisons: what it makes of a model of SDF, in the axes of the model.
#pragma once
#include <string>
#include <vector>

#include "sinew/math/spatial.h"

namespace sinew::support {

struct SdformatShape {
  std::string name;
  Posed X_MS = Posed::identity();
  Vec3d size = Vec3d::zero();  // of a box its edges; radius and length; radii
  double mu = 0, mu2 = 0;
  Vec3d along = Vec3d::zero();
};

struct SdformatLink {
  std::string name;
  Posed X_M = Posed::identity();
  double mass = 0;
  Vec3d com = Vec3d::zero();           // in the link's axes
  Sym3d inertia = Sym3d::diagonal(0);  // about com, in the link's axes
  std::vector<SdformatShape> shapes;
};

struct SdformatJoint {
  struct Axis {
    Vec3d along = Vec3d::zero();
    double lower = 0, upper = 0, damping = 0, friction = 0, stiffness = 0, rest = 0;
  };
  std::string name, parent, child;
  Posed X_M = Posed::identity();
  std::vector<Axis> axes;
};

struct SdformatModel {
  std::string problem;  // why it is not read
  std::vector<SdformatLink> links;
  std::vector<SdformatJoint> joints;
};

SdformatModel read_with_sdformat(const std::string& text);

}  // namespace sinew::support
