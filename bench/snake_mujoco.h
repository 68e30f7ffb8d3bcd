// The snake in MuJoCo; also the multibody part of the Siconos one.
#pragma once
#include <vector>

#include "mujoco_model.h"
#include "snake.h"

namespace sinew::bench {

class MujocoSnake : public SnakePeer {
 public:
  MujocoSnake(const SnakeNumbers& numbers, double dt, const char* cone);

  void read(double* angle, double* rate) override;
  void command(const double* torque) override;
  void step() override;
  std::array<double, 3> place() override;

 protected:
  SnakeNumbers numbers_;
  MujocoModel mujoco_;
  std::vector<int> body_;  // of each link
};

}  // namespace sinew::bench
