// MuJoCo as the independent side of comparisons: a robot's file, read by it and by us, at the same random place and velocity.
//   u_ours = T u_theirs, where T differs from a permutation only for free joints (ours: turn in the body's axes and velocity of the
//   centre of mass; theirs: velocity of the origin and turn);  M_theirs = T^T M_ours T,  h_theirs = T^T (h_ours + M_ours dT/dt u_theirs)
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/sim/experiment.h"

namespace sinew::support {

struct MujocoErrors {
  std::string unread;  // why MuJoCo does not read it, or what only one of the two has; empty: all is compared
  double place = 0;    // largest distance of a body's origin [m]
  double inertia = 0;  // largest |M_ij - M_ij| / sqrt(M_ii M_jj)
  double bias = 0;     // largest difference of a force over the largest of all, weight and quadratic terms
  double mass = 0;     // largest difference of a body with all that it carries, over its mass [1]
  int bodies = 0, freedoms = 0;
};

// A model as some version of MuJoCo has read it.
struct MujocoModel {
  struct Joint {
    int q = 0, u = 0, body = 0;  // its first numbers in qpos and qvel
    std::string name;
  };
  std::vector<Joint> joints;
  std::map<std::string, int> bodies;
  std::vector<double> qpos;  // where all joints are at their ref
  int nv = 0;

  struct Answer {
    std::vector<double> xpos, M, bias;  // origins of bodies, M(q) row by row, weight and quadratic terms
    std::vector<double> mass;           // of bodies with all that they carry
  };
  MujocoModel() = default;
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;
  virtual ~MujocoModel() = default;
  virtual Answer forward(const std::vector<double>& at, const std::vector<double>& qvel) = 0;
};

// By Debian's MuJoCo; none, and the reason in `error`, if that cannot read it.
std::unique_ptr<MujocoModel> read_by_debian(const std::string& file, std::string& error);

MujocoErrors compare_with_model(const sim::Experiment& experiment, MujocoModel& model, unsigned seed);
// `text`: what MuJoCo reads; `folder`: where it finds its files.
MujocoErrors compare_with_mujoco(const sim::Experiment& experiment, const std::string& file_for_mujoco, unsigned seed);
MujocoErrors compare_text_with_mujoco(const sim::Experiment& experiment, const std::string& text, unsigned seed);

// Where rays straight down from z = 100 m meet what does not move, at points x, y.
std::vector<double> heights_by_mujoco(const std::string& file, const std::vector<std::array<double, 2>>& points);

}  // namespace sinew::support
