// Answers of a single robot to four impulses at once, one a lane: what the robot is in all lanes of registers, the impulses in one each. They go through the
// functions that answer to one impulse, for another scalar, so each answer has the bits that it has by itself (math/lanes.h).
#pragma once
#include "sinew/solve/cuts.h"

namespace sinew {

class FourAnswers {
 public:
  explicit FourAnswers(const Model& model);
  // With rows of cut joints, and a tree of some links: smaller ones take longer to be put into all lanes than to answer one by one.
  static bool is_worth_it(const Model& model);

  // The robot as it is factored now, without impulses.
  void take(const FactoredRobot<double>& robot);
  void clear();
  void push(int lane, int link, const Wrench<double>& impulse);  // about the link's origin
  // Changes of the links' velocities on the motions that cut joints allow: read by lanes.
  void respond(const FactoredRobot<double>& robot);
  void read(int lane, Twist<double>* moved) const;

 private:
  Frames<Lanes> frames_;
  Blocks<Lanes> blocks_;
  Cuts<Lanes> cuts_;
  std::vector<Twist<Lanes>> moved_;
  std::vector<Lanes> du_;
};

}  // namespace sinew
