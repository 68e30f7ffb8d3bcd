#include "sinew/model/ranks.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/model.h"

namespace sinew {
namespace {

using Limb = std::vector<int>;  // links from the leaf up

bool may_join(const Link& link) { return link.parent >= 0 && !link.driven && link.kind != JointKind::Free; }

// Links come depth first: the only child follows its parent and is its last.
bool only_child(const Model& model, int i) { return model.links[i].parent == i - 1 && model.links[i].last_child; }

std::vector<Limb> find_limbs(const Model& model) {
  std::vector<Limb> limbs;
  for (int i = 0; i < model.link_count(); i++) {
    if (!model.links[i].leaf || !may_join(model.links[i])) continue;
    Limb limb{i};
    while (only_child(model, limb.back()) && may_join(model.links[limb.back() - 1])) limb.push_back(limb.back() - 1);
    limbs.push_back(std::move(limb));
  }
  std::stable_sort(limbs.begin(), limbs.end(), [](const Limb& a, const Limb& b) { return a.size() > b.size(); });
  return limbs;
}

bool in_step(const Model& model, const Limb& longer, const Limb& limb) {
  for (std::size_t h = 0; h < limb.size(); h++)
    if (model.links[limb[h]].kind != model.links[longer[h]].kind) return false;
  return true;
}

// Limbs that walk in step, longest first.
std::vector<std::vector<Limb>> bundles_of(const Model& model) {
  std::vector<std::vector<Limb>> bundles;
  for (Limb& limb : find_limbs(model)) {
    const auto bundle = std::find_if(bundles.begin(), bundles.end(), [&](const std::vector<Limb>& b) {
      return int(b.size()) < lane_count && in_step(model, b[0], limb);
    });
    if (bundle == bundles.end())
      bundles.push_back({std::move(limb)});
    else
      bundle->push_back(std::move(limb));
  }
  return bundles;
}

Rank rank_at(const Model& model, const std::vector<Limb>& bundle, int height) {
  SINEW_ASSERT(height >= 0 && !bundle.empty() && int(bundle.size()) <= lane_count);
  Rank rank{};
  rank.all_aligned = true;
  for (int k = 0; k < lane_count; k++) {
    const bool used = k < int(bundle.size()) && int(bundle[k].size()) > height;
    rank.link[k] = bundle[used ? k : 0][height];
    const Link& link = model.links[rank.link[k]];
    rank.kind = link.kind;
    rank.count += used;
    rank.all_aligned &= link.aligned;
    set_lane(rank.aligned, k, link.aligned);
  }
  return rank;
}

}  // namespace

void find_ranks(Model& model) {
  int n_limbs = 0;
  for (const std::vector<Limb>& bundle : bundles_of(model)) {
    if (bundle.size() < 2) continue;
    int above = 0;
    for (int height = int(bundle[1].size()) - 1; height >= 0; height--) {  // no lane walks alone
      Rank rank = rank_at(model, bundle, height);
      rank.above = std::exchange(above, rank.count);
      rank.ends = height == 0;
      rank.axis = model.n_rank_axes;
      model.n_rank_axes += joint::freedom_count(rank.kind);
      for (int k = 0; k < rank.count; k++) model.links[rank.link[k]].limb = n_limbs + k;
      model.ranks.push_back(rank);
    }
    n_limbs += int(bundle.size());
  }
  model.n_limbs = n_limbs;
  for (int i = 0; i < model.link_count(); i++)
    if (model.links[i].limb < 0) model.single.push_back(i);
}

}  // namespace sinew
