#include "sinew/contact/detect.h"

#include "sinew/parts/touch/collide.h"

namespace sinew {
namespace {

template <Real S>
Pose<S> pose_of(const ShapeInfo& s, const Frames<S>& frames) {
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
void orient(const Model& model, const Frames<S>& frames, const std::vector<S>& memory, ContactPoint<S>& c) {
  const ShapeInfo& s = model.shapes[model.pairs[c.pair].axes_of];
  const Vec3<S> along = s.link < 0 ? broadcast<S>(s.along_F) : frames.link[s.link].X.R * broadcast<S>(s.along_F);
  const auto tangential = [&c](const Vec3<S>& a) { return a - c.n * dot(a, c.n); };
  const Vec3<S> t = tangential(along);
  c.upright = dot(t, t) < S(1e-12);
  if (!any(c.upright)) {
    c.t1 = t * (S(1.0) / sqrt(dot(t, t)));
    return;
  }
  const S* old = memory.data() + std::size_t(c.slot) * slot::size;
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
  Contacts<S>& out;

  void add(const ContactPoint<S>& c) {
    if (!any(c.closed)) return;
    out.point[out.count] = c;
    orient(model, frames, memory, out.point[out.count]);
    out.count++;
  }

  // A sphere (a corner where radius is zero) on the plane; all robots of a batch at once.
  void add_on_plane(int pair, int feature, const Vec3<S>& centre, double radius) {
    const Terrain& ground = model.terrain;
    ContactPoint<S> c;
    c.pair = pair, c.slot = model.pairs[pair].slot + feature;
    c.n = broadcast<S>(ground.normal);
    c.gap = dot(c.n, centre) - S(ground.height + radius);
    c.closed = c.gap <= S(model.contact.activation_gap);
    c.p = centre - c.n * (S(radius) + S(0.5) * c.gap);
    c.key = S(feature + 1.0);
    add(c);
  }

  void on_plane(int pair) {
    const ShapeInfo& info = model.shapes[model.pairs[pair].shape2];
    const Shape& shape = info.shape;
    if (shape.kind == ShapeKind::Sphere)  // needs no axes
      return add_on_plane(pair, 0, centre_of(info, frames), shape.radius);
    const Pose<S> X = pose_of(info, frames);
    // out of reach in every lane?
    const S height = dot(broadcast<S>(model.terrain.normal), X.p) - S(model.terrain.height);
    if (!any(height <= S(shape.reach() + model.contact.activation_gap))) return;
    switch (shape.kind) {
      case ShapeKind::Sphere:
        break;  // done above
      case ShapeKind::Capsule:
        for (int end = 0; end < 2; end++)
          add_on_plane(pair, end, X.p + X.R.col(2) * S(end ? shape.half_length : -shape.half_length), shape.radius);
        return;
      case ShapeKind::Box:
        for (int k = 0; k < 8; k++) {
          const Vec3d corner{k & 1 ? shape.half[0] : -shape.half[0], k & 2 ? shape.half[1] : -shape.half[1],
                             k & 4 ? shape.half[2] : -shape.half[2]};
          add_on_plane(pair, k, X * broadcast<S>(corner), 0.0);
        }
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

  // The slot of a feature: where it was, else a free one.
  int slot_for(const ShapePair& pair, int feature, int k, unsigned taken) const {
    int free = -1;
    for (int s = 0; s < pair.n_slots; s++) {
      const double key = lane(memory[std::size_t(pair.slot + s) * slot::size + slot::key], k);
      if (key == feature + 1.0 && !(taken >> s & 1)) return s;
      if (key == 0.0 && free < 0 && !(taken >> s & 1)) free = s;
    }
    for (int s = 0; s < pair.n_slots && free < 0; s++)  // all remembered by features that are gone
      if (!(taken >> s & 1)) free = s;
    return free;
  }

  void general(int index) {
    const ShapePair& pair = model.pairs[index];
    const ShapeInfo& info2 = model.shapes[pair.shape2];
    const ShapeInfo* info1 = pair.shape1 < 0 ? nullptr : &model.shapes[pair.shape1];
    const double margin = model.contact.activation_gap;
    if (info1) {  // most pairs are far apart in every lane, and end here
      const Vec3<S> d = centre_of(info2, frames) - centre_of(*info1, frames);
      const double reach = info1->shape.reach() + info2.shape.reach() + margin;
      if (!any(dot(d, d) <= S(reach * reach))) return;
    }
    const Pose<S> X2 = pose_of(info2, frames), X1 = info1 ? pose_of(*info1, frames) : Pose<S>::identity();
    ContactPoint<S> found[max_touches];
    for (int s = 0; s < pair.n_slots; s++) {
      found[s].pair = index, found[s].slot = pair.slot + s, found[s].closed = mask_of<S>(false);
      found[s].p = X2.p, found[s].n = broadcast<S>(Vec3d(0, 0, 1)), found[s].gap = found[s].key = S(0.0);
    }
    for (int k = 0; k < lanes_of<S>; k++) {
      Touch touch[max_touches];
      const int n = info1 ? collide(info1->shape, lane_pose(X1, k), info2.shape, lane_pose(X2, k), margin, touch)
                          : collide(model.terrain, info2.shape, lane_pose(X2, k), margin, touch);
      place(pair, touch, n, k, found);
    }
    for (int s = 0; s < pair.n_slots; s++) add(found[s]);
  }

  // Features known from the last step first, so that a new one never takes their slot.
  void place(const ShapePair& pair, const Touch* touch, int n, int k, ContactPoint<S>* found) const {
    unsigned taken = 0, done = 0;
    for (const bool known : {true, false})
      for (int i = 0; i < n; i++) {
        if (done >> i & 1) continue;
        const int s = slot_for(pair, touch[i].feature, k, taken);
        if (s < 0) continue;
        const double key = lane(memory[std::size_t(pair.slot + s) * slot::size + slot::key], k);
        if (known && key != touch[i].feature + 1.0) continue;
        taken |= 1u << s, done |= 1u << i;
        ContactPoint<S>& c = found[s];
        for (int a = 0; a < 3; a++) set_lane(c.p[a], k, touch[i].p[a]), set_lane(c.n[a], k, touch[i].n[a]);
        set_lane(c.gap, k, touch[i].gap), set_lane(c.key, k, touch[i].feature + 1.0), set_lane(c.closed, k, true);
      }
  }
};

}  // namespace

template <Real S>
void detect(const Model& model, const Frames<S>& frames, const std::vector<S>& memory, Contacts<S>& out) {
  out.count = 0;
  Detector<S> detector{model, frames, memory, out};
  const bool flat = model.terrain.kind == TerrainKind::Plane || model.terrain.kind == TerrainKind::Steps;
  for (int i = 0; i < int(model.pairs.size()); i++)
    if (model.pairs[i].shape1 < 0 && flat)
      detector.on_plane(i);
    else
      detector.general(i);
}
template void detect(const Model&, const Frames<double>&, const std::vector<double>&, Contacts<double>&);
template void detect(const Model&, const Frames<Lanes>&, const std::vector<Lanes>&, Contacts<Lanes>&);

}  // namespace sinew
