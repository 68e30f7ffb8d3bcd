#include "sinew/solve/four_answers.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

Wrench<Lanes> in_every_lane(const Wrench<double>& F) { return {broadcast<Lanes>(F.n), broadcast<Lanes>(F.f)}; }

void set_vector(int lane, const Vec3d& from, Vec3<Lanes>& to) {
  for (int i = 0; i < 3; i++) to[i].set(lane, to[i][lane] - from[i]);
}

}  // namespace

FourAnswers::FourAnswers(const Model& model)
    : frames_(model), blocks_(model), cuts_(model), moved_(model.links.size()), du_(model.nu) {}

bool FourAnswers::is_worth_it(const Model& model) {
  constexpr int few = 8;
  if (!model.has_rows()) return false;
  return std::ranges::any_of(model.links, [](const Link& link) { return link.tree_end - link.root > few; });
}

void FourAnswers::take(const FactoredRobot<double>& robot) {
  const auto& [model, frames, blocks, cuts] = robot;
  SINEW_ASSERT(frames.link.size() == frames_.link.size() && blocks.D.size() == blocks_.D.size());
  SINEW_ASSERT(cuts.rows.size() == cuts_.rows.size() && cuts.sides.size() == cuts_.sides.size());
  for (std::size_t i = 0; i < frames.link.size(); i++) {
    frames_.link[i].r = broadcast<Lanes>(frames.link[i].r);
    if (model.links[i].parent >= 0) continue;
    const ArticulatedInertia<double>& I = blocks.I[i];  // of a free root the factor; of others nobody asks
    blocks_.I[i] = {broadcast<Lanes>(I.A), broadcast<Lanes>(I.B), broadcast<Lanes>(I.C)};
  }
  for (std::size_t i = 0; i < frames.axis.size(); i++) {
    frames_.axis[i] = broadcast<Lanes>(frames.axis[i]);
    blocks_.Y[i] = in_every_lane(blocks.Y[i]);
  }
  std::ranges::copy(blocks.D, blocks_.D.begin());
  for (std::size_t i = 0; i < cuts.rows.size(); i++) {
    const CutRows<double>& from = cuts.rows[i];
    CutRows<Lanes>& to = cuts_.rows[i];
    to.dir = from.dir;
    to.arm1 = broadcast<Lanes>(from.arm1);
    to.arm2 = broadcast<Lanes>(from.arm2);
    for (int r = 0; r < model.cuts[i].n_rows; r++) to.e[r] = broadcast<Lanes>(from.e[r]);
  }
  for (std::size_t i = 0; i < cuts.sides.size(); i++) {
    const CouplingSide<double>& s = cuts.sides[i];
    cuts_.sides[i] = {
        broadcast<Lanes>(s.e), s.dir, broadcast<Lanes>(s.arm1), broadcast<Lanes>(s.arm2), s.factor, s.curve, s.value};
  }
  clear();
}

void FourAnswers::clear() { std::fill(blocks_.p.begin(), blocks_.p.end(), Wrench<Lanes>::zero()); }

void FourAnswers::push(int lane, int link, const Wrench<double>& impulse) {
  SINEW_ASSERT(lane >= 0 && lane < lane_count && link >= 0 && link < int(blocks_.p.size()));
  set_vector(lane, impulse.n, blocks_.p[link].n);
  set_vector(lane, impulse.f, blocks_.p[link].f);
}

void FourAnswers::respond(const FactoredRobot<double>& robot) {
  const Model& model = robot.model;
  solve_impulse(model, frames_, 0, model.link_count(), blocks_, du_.data());
  moved_ = blocks_.a;
  if (!model.has_rows()) return;
  row_velocities(model, cuts_, moved_.data(), cuts_.rhs.data());
  solve_cuts(model, robot.cuts.G, frames_, blocks_, cuts_);
  for (std::size_t i = 0; i < moved_.size(); i++) moved_[i] = moved_[i] + blocks_.a[i];
}

void FourAnswers::read(int lane, Twist<double>* moved) const {
  SINEW_ASSERT(lane >= 0 && lane < lane_count && (moved || moved_.empty()));
  for (std::size_t i = 0; i < moved_.size(); i++) {
    const Twist<Lanes>& V = moved_[i];
    moved[i] = {Vec3d(V.w[0][lane], V.w[1][lane], V.w[2][lane]), Vec3d(V.v[0][lane], V.v[1][lane], V.v[2][lane])};
  }
}

}  // namespace sinew
