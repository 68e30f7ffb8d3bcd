#include "sinew/contact/detect.h"

#include "sinew/math/check.h"
#include "sinew/parts/touch/collide.h"

namespace sinew {
namespace {

template <Real S>
Pose<S> pose_of(const ShapeInfo& s, const Frames<S>& frames) {
  SINEW_ASSERT(s.link < int(frames.link.size()));
  const Pose<S> X_FS = broadcast<S>(s.X_FS);
  return s.link < 0 ? X_FS : frames.link[s.link].X * X_FS;
}

template <Real S>
Vec3<S> centre_of(const ShapeInfo& s, const Frames<S>& frames) {
  const Vec3<S> p_FS = broadcast<S>(s.X_FS.p);
  return s.link < 0 ? p_FS : frames.link[s.link].X * p_FS;
}

// The tangent along the long axis; where that stands upright the one of the last step, or any.
template <Real S>
void orient(const Model& model, int axes_of, const Frames<S>& frames, const std::vector<S>& memory,
            ContactPoint<S>& c) {
  SINEW_ASSERT(axes_of >= 0 && axes_of < int(model.shapes.size()));
  SINEW_ASSERT(c.old < model.n_slots);
  const ShapeInfo& s = model.shapes[axes_of];
  const Vec3<S> along = s.link < 0 ? broadcast<S>(s.along_F) : frames.link[s.link].X.R * broadcast<S>(s.along_F);
  const auto tangential = [&c](const Vec3<S>& a) { return a - c.n * dot(a, c.n); };
  const Vec3<S> t = tangential(along);
  c.upright = dot(t, t) < S(1e-12);
  if (!any(c.upright)) {
    c.t1 = t * (S(1.0) / sqrt(dot(t, t)));
    return;
  }
  static const S nothing[slot::size] = {};
  const S* old = c.old < 0 ? nothing : memory.data() + std::size_t(c.old) * slot::size;
  const auto remembered = old[slot::key] > S(0.0);
  const auto steep = abs(c.n[0]) > S(0.7);
  Vec3<S> other;
  for (int i = 0; i < 3; i++) {
    const S any_axis = i == 0 ? select(steep, S(0.0), S(1.0)) : i == 1 ? select(steep, S(1.0), S(0.0)) : S(0.0);
    other[i] = select(remembered, old[slot::t1 + i], any_axis);
  }
  other = tangential(other);
  Vec3<S> chosen;
  for (int i = 0; i < 3; i++) chosen[i] = select(c.upright, other[i], t[i]);
  c.t1 = chosen * (S(1.0) / sqrt(dot(chosen, chosen)));
}

template <Real S>
struct Detector {
  const Model& model;
  const Frames<S>& frames;
  const std::vector<S>& memory;
  double margin;
  Contacts<S>& out;
  // of a crowd
  int next_slot = 0;  // the first that is not taken
  int next_old = 0;   // the first remembered pair that has not been passed

  void add(const ShapePair& pair, const ContactPoint<S>& c) {
    if (!any(c.closed)) return;
    SINEW_ASSERT(out.count < int(out.point.size()));
    SINEW_ASSERT(c.slot >= 0 && c.slot < model.n_slots && c.slot >= c.block && c.slot < c.block + c.n_slots);
    SINEW_ASSERT(is_unit(c.n));
    out.point[out.count] = c;
    orient(model, pair.axes_of, frames, memory, out.point[out.count]);
    out.count++;
  }

  // A point of the pair in its k-th slot.
  ContactPoint<S> fresh(const ShapePair& pair, int id, int old, int k) const {
    SINEW_ASSERT(id >= 0 && id < model.pair_count() && k >= 0 && k < pair.n_slots);
    SINEW_ASSERT(pair.shape2 >= 0 && model.shapes[pair.shape2].link >= 0);  // the second shape is on a body
    ContactPoint<S> c;
    c.pair = id;
    c.shape1 = pair.shape1;
    c.shape2 = pair.shape2;
    c.law = pair.law;
    c.block = pair.slot;
    c.n_slots = pair.n_slots;
    c.slot = pair.slot + k;
    c.old = old < 0 ? -1 : old + k;
    return c;
  }

  // A sphere (a corner where radius is zero) on the plane; all robots of a batch at once.
  void add_on_plane(const ShapePair& pair, int id, int old, int feature, const Vec3<S>& centre, double radius) {
    const Terrain& ground = model.terrain;
    ContactPoint<S> c = fresh(pair, id, old, feature);
    c.n = broadcast<S>(ground.normal);
    c.gap = dot(c.n, centre) - S(ground.height + radius);
    c.closed = c.gap <= S(margin);
    c.p = centre - c.n * (S(radius) + S(0.5) * c.gap);
    c.key = S(feature + 1.0);
    add(pair, c);
  }

  void on_plane(const ShapePair& pair, int id, int old) {
    const ShapeInfo& info = model.shapes[pair.shape2];
    const Shape& shape = info.shape;
    if (shape.kind == ShapeKind::Sphere)  // needs no axes
      return add_on_plane(pair, id, old, 0, centre_of(info, frames), shape.radius);
    const Pose<S> X = pose_of(info, frames);
    // out of reach in every lane?
    const S height = dot(broadcast<S>(model.terrain.normal), X.p) - S(model.terrain.height);
    if (!any(height <= S(shape.reach() + margin))) return;
    if (shape.kind == ShapeKind::Capsule) {
      for (int end = 0; end < 2; end++)
        add_on_plane(pair, id, old, end, X.p + X.R.col(2) * S(end ? shape.half_length : -shape.half_length),
                     shape.radius);
      return;
    }
    for (int k = 0; k < 8; k++) {
      const Vec3d corner{k & 1 ? shape.half[0] : -shape.half[0], k & 2 ? shape.half[1] : -shape.half[1],
                         k & 4 ? shape.half[2] : -shape.half[2]};
      add_on_plane(pair, id, old, k, X * broadcast<S>(corner), 0.0);
    }
  }

  static Posed lane_pose(const Pose<S>& X, int k) {
    Posed out;
    for (int i = 0; i < 3; i++) {
      out.p[i] = lane(X.p[i], k);
      for (int j = 0; j < 3; j++) out.R(i, j) = lane(X.R(i, j), k);
    }
    return out;
  }

  // What the s-th slot of a pair remembers: feature + 1, or 0.
  double key_of(int old, int s, int k) const {
    return old < 0 ? 0.0 : lane(memory[std::size_t(old + s) * slot::size + slot::key], k);
  }

  // The slot of a feature: where it was, else a free one.
  int slot_for(const ShapePair& pair, int old, int feature, int k, unsigned taken) const {
    SINEW_ASSERT(feature >= 0 && pair.n_slots <= max_touches);
    int free = -1;
    for (int s = 0; s < pair.n_slots; s++) {
      const double key = key_of(old, s, k);
      if (key == feature + 1.0 && !(taken >> s & 1)) return s;
      if (key == 0.0 && free < 0 && !(taken >> s & 1)) free = s;
    }
    for (int s = 0; s < pair.n_slots && free < 0; s++)  // all remembered by features that are gone
      if (!(taken >> s & 1)) free = s;
    return free;
  }

  void general(const ShapePair& pair, int id, int old) {
    const ShapeInfo& info2 = model.shapes[pair.shape2];
    const ShapeInfo* info1 = pair.shape1 < 0 ? nullptr : &model.shapes[pair.shape1];
    if (info1) {  // most pairs are far apart in every lane, and end here
      const Vec3<S> d = centre_of(info2, frames) - centre_of(*info1, frames);
      const double reach = info1->shape.reach() + info2.shape.reach() + margin;
      if (!any(dot(d, d) <= S(reach * reach))) return;
    }
    const Pose<S> X2 = pose_of(info2, frames), X1 = info1 ? pose_of(*info1, frames) : Pose<S>::identity();
    ContactPoint<S> found[max_touches];
    SINEW_ASSERT(pair.n_slots <= max_touches);
    for (int s = 0; s < pair.n_slots; s++) {
      found[s] = fresh(pair, id, old, s);
      found[s].closed = mask_of<S>(false);
      found[s].p = X2.p;
      found[s].n = broadcast<S>(Vec3d(0, 0, 1));
      found[s].gap = found[s].key = S(0.0);
    }
    for (int k = 0; k < lanes_of<S>; k++) {
      Touch touch[max_touches];
      const int n = info1 ? collide(info1->shape, lane_pose(X1, k), info2.shape, lane_pose(X2, k), margin, touch)
                          : collide(model.terrain, info2.shape, lane_pose(X2, k), margin, touch);
      SINEW_ASSERT(n >= 0 && n <= max_touches);
      place(pair, old, touch, n, k, found);
    }
    for (int s = 0; s < pair.n_slots; s++) add(pair, found[s]);
  }

  // Features known from the last step first, so that a new one never takes their slot.
  void place(const ShapePair& pair, int old, const Touch* touch, int n, int k, ContactPoint<S>* found) const {
    unsigned taken = 0, done = 0;
    for (const bool known : {true, false})
      for (int i = 0; i < n; i++) {
        if (done >> i & 1) continue;
        const int s = slot_for(pair, old, touch[i].feature, k, taken);
        if (s < 0) continue;
        if (known && key_of(old, s, k) != touch[i].feature + 1.0) continue;
        taken |= 1u << s;
        done |= 1u << i;
        ContactPoint<S>& c = found[s];
        for (int a = 0; a < 3; a++) {
          set_lane(c.p[a], k, touch[i].p[a]);
          set_lane(c.n[a], k, touch[i].n[a]);
        }
        set_lane(c.gap, k, touch[i].gap);
        set_lane(c.key, k, touch[i].feature + 1.0);
        set_lane(c.closed, k, true);
      }
  }

  void meet(const ShapePair& pair, int id, int old) {
    const TerrainKind ground = model.terrain.kind;
    const bool flat = ground == TerrainKind::Plane || ground == TerrainKind::Steps || ground == TerrainKind::Profile;
    if (pair.shape1 < 0 && flat && model.shapes[pair.shape2].shape.kind <= ShapeKind::Box)
      on_plane(pair, id, old);
    else
      general(pair, id, old);
  }

  // Pairs that touched in the last step stand in ascending order, each with all of its slots.
  int remembered(int id) {
    while (next_old < model.n_slots) {
      const int other = int(lane(memory[std::size_t(next_old) * slot::size + slot::pair], 0)) - 1;
      if (other < 0 || other > id) return -1;
      const int at = next_old;
      next_old += model.pair(other).n_slots;
      if (other == id) return at;
    }
    return -1;
  }

  void meet_in_crowd(int a, int b) {
    SINEW_ASSERT(a >= 0 && a < b && b <= int(model.shapes.size()));
    const int id = crowd_pair(model, a, b);
    ShapePair pair = model.pair(id);
    const int old = remembered(id), before = out.count;
    if (next_slot + pair.n_slots > model.n_slots) {
      out.lost = id;
      return;
    }
    pair.slot = next_slot;
    meet(pair, id, old);
    if (out.count > before) next_slot += pair.n_slots;
  }

  // Tight but for rounding; of a batch: around all of its robots.
  Aabb box_of(const ShapeInfo& info) const {
    const Pose<S> X = pose_of(info, frames);
    Aabb box;
    for (int k = 0; k < lanes_of<S>; k++) {
      const Aabb one = aabb_of(info.shape, lane_pose(X, k));
      box = k == 0 ? one : join(box, one);
    }
    for (int i = 0; i < 3; i++) {
      box.low[i] -= 0.5 * margin;
      box.high[i] += 0.5 * margin;
    }
    return box;
  }

  void crowd() {
    SINEW_ASSERT(out.boxes.size() == model.shapes.size());
    const int n = int(model.shapes.size());
    for (int i = 0; i < n; i++) out.boxes[i] = box_of(model.shapes[i]);
    const bool ground = model.terrain.kind != TerrainKind::None;
    int next = 0;  // shape whose ground contact has not been looked for
    const auto ground_up_to = [&](int a) {
      for (; ground && next < a; next++)
        if (model.shapes[next].link >= 0) meet_in_crowd(next, n);
    };
    for (const auto& [a, b] : out.cull.overlaps(out.boxes, model.contact.culling)) {
      if (!model.may_touch(a, b)) continue;
      ground_up_to(a);
      meet_in_crowd(a, b);
    }
    ground_up_to(n);
  }
};

}  // namespace

template <Real S>
void detect(const Model& model, const Frames<S>& frames, const std::vector<S>& memory, double margin,
            Contacts<S>& out) {
  SINEW_ASSERT(int(out.point.size()) == model.n_slots);
  SINEW_ASSERT(memory.size() == std::size_t(model.n_slots) * slot::size);
  SINEW_ASSERT(frames.link.size() == model.links.size());
  SINEW_ASSERT(!(margin < 0.0));
  out.count = 0;
  out.lost = -1;
  Detector<S> detector{model, frames, memory, margin, out};
  if (model.crowd) return detector.crowd();
  for (int i = 0; i < int(model.pairs.size()); i++) detector.meet(model.pairs[i], i, model.pairs[i].slot);
}
template void detect(const Model&, const Frames<double>&, const std::vector<double>&, double, Contacts<double>&);
template void detect(const Model&, const Frames<Lanes>&, const std::vector<Lanes>&, double, Contacts<Lanes>&);

}  // namespace sinew
