// Forces and their powers come from the same pieces, so that the account of energy closes.
#include "sinew/step/loads.h"

#include "sinew/math/check.h"

namespace sinew {
namespace {

template <Real S>
Wrench<S> drag_on(const Params<S>& params, const Frames<S>& frames, int link, const Drag<S>& drag) {
  const Frame<S>& F = frames.link[link];
  const Vec3<S> c = F.X.R * params.links[link].c_F;
  return drag.wrench(F.X.R * drag.t_F, F.V.w, F.V.v + cross(F.V.w, c));
}

// Weight that is carried: -share m g at the centre of mass.
template <Real S>
Vec3<S> lift_on(const Params<S>& params, const Frames<S>& frames, int link, S share) {
  const Frame<S>& F = frames.link[link];
  const Vec3<S> c = F.X.R * params.links[link].c_F;
  return fall(params.gravity, F.X.p + c, F.V.v + cross(F.V.w, c)) * (-share * params.links[link].I_F.m);
}

// A load over time, about the link's mass centre.
template <Real S>
Wrench<S> load_on(const Params<S>& params, const Frames<S>& frames, const LoadInfo& info, const LoadParams<S>& load,
                  const S& factor) {
  const Mat3<S>& R = frames.link[info.link].X.R;
  const Vec3<S> f = (info.follows ? R * load.force : load.force) * factor;
  const Vec3<S> n = (info.follows ? R * load.couple : load.couple) * factor;
  return {n + cross(R * (load.p_F - params.links[info.link].c_F), f), f};
}

template <Real S>
struct GuidePoint {
  int link;
  Vec3<S> p, arm;  // in the world; from the link's origin
};

template <Real S>
GuidePoint<S> guide_point(const Model& model, const Params<S>& params, const Frames<S>& frames, int index) {
  SINEW_ASSERT(index >= 0 && index < int(model.cable_links.size()));
  const int link = model.cable_links[index];
  if (link == world_body) return {link, params.cable_points[index], Vec3<S>::zero()};
  const Frame<S>& F = frames.link[link];
  const Vec3<S> arm = F.X.R * params.cable_points[index];
  return {link, F.X.p + arm, arm};
}

template <Real S>
Vec3<S> velocity_of(const GuidePoint<S>& at, const Twist<S>& V) {
  return V.v + cross(V.w, at.arm);
}

// Calls piece(a, b, direction from a to b, length) for each straight piece; one without length has no direction.
template <Real S, class F>
void each_piece(const Model& model, const Params<S>& params, const Frames<S>& frames, const CableInfo& cable, F piece) {
  GuidePoint<S> a = guide_point(model, params, frames, cable.point);
  for (int i = 1; i < cable.n_points; i++) {
    const GuidePoint<S> b = guide_point(model, params, frames, cable.point + i);
    const Vec3<S> way = b.p - a.p;
    const S length = norm(way);
    const auto some = length > S(0.0);
    piece(a, b, way * select(some, S(1.0) / select(some, length, S(1.0)), S(0.0)), length);
    a = b;
  }
}

// velocity(link): of its origin. How fast the cable gets longer.
template <Real S, class Velocity>
S stretching(const Model& model, const Params<S>& params, const Frames<S>& frames, const CableInfo& cable,
             Velocity velocity) {
  S rate = S(0.0);
  each_piece(model, params, frames, cable, [&](const auto& a, const auto& b, const Vec3<S>& e, S) {
    if (b.link != world_body) rate += dot(e, velocity_of(b, velocity(b.link)));
    if (a.link != world_body) rate -= dot(e, velocity_of(a, velocity(a.link)));
  });
  return rate;
}

template <Real S>
void pull(const Model& model, const Params<S>& params, int index, Workspace<S>& ws) {
  const CableInfo& cable = model.cables[index];
  S length = S(0.0);
  each_piece(model, params, ws.frames, cable, [&](const auto&, const auto&, const Vec3<S>&, S l) { length += l; });
  const Cable<S>& numbers = params.cables[index];
  const S m = ws.driven.motion[cable.motion];
  S T = numbers.given(m);
  if (is_elastic(cable.kind)) {
    const auto velocity = [&ws](int link) { return ws.frames.link[link].V; };
    T = numbers.elastic(m, length, stretching(model, params, ws.frames, cable, velocity));
    if (cable.kind == CableKind::Spring) T = max(T, S(0.0));  // slack
  }
  ws.cable_length[index] = length;
  ws.cable_tension[index] = T;
  const auto add = [&](const GuidePoint<S>& at, const Vec3<S>& f) {
    if (at.link == world_body) return;
    const Vec3<S> from_com = at.arm - ws.frames.link[at.link].X.R * params.links[at.link].c_F;
    ws.applied[at.link].f += f;
    ws.applied[at.link].n += cross(from_com, f);
  };
  each_piece(model, params, ws.frames, cable, [&](const auto& a, const auto& b, const Vec3<S>& e, S) {
    add(a, e * T);
    add(b, e * -T);
  });
}

}  // namespace

template <Real S>
void add_loads(const Model& model, const Params<S>& params, Workspace<S>& ws) {
  SINEW_ASSERT(params.lifts.size() == model.lifted_links.size());
  SINEW_ASSERT(params.drags.size() == model.drag_links.size() && params.cables.size() == model.cables.size());
  SINEW_ASSERT(params.cable_points.size() == model.cable_links.size() && ws.applied.size() == model.links.size());
  for (std::size_t i = 0; i < model.drag_links.size(); i++)
    ws.applied[model.drag_links[i]] += drag_on(params, ws.frames, model.drag_links[i], params.drags[i]);
  for (std::size_t i = 0; i < model.lifted_links.size(); i++)
    ws.applied[model.lifted_links[i]].f += lift_on(params, ws.frames, model.lifted_links[i], params.lifts[i]);
  for (std::size_t i = 0; i < model.loads.size(); i++) {
    const LoadInfo& info = model.loads[i];
    ws.load_factor[i] = ws.driven.motion[info.motion];
    ws.applied[info.link] += load_on(params, ws.frames, info, params.loads[i], ws.load_factor[i]);
  }
  for (std::size_t i = 0; i < model.cables.size(); i++) pull(model, params, int(i), ws);
}

template <Real S>
void add_load_rates(const Model& model, const Params<S>& params, const Twist<S>* V, const Workspace<S>& ws,
                    Work<S>& rate) {
  SINEW_ASSERT((model.links.empty() || V) && ws.cable_tension.size() == model.cables.size());
  for (std::size_t i = 0; i < model.drag_links.size(); i++) {
    const int link = model.drag_links[i];
    const Wrench<S> F = drag_on(params, ws.frames, link, params.drags[i]);
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    rate.damping -= dot(F.f, V[link].v + cross(V[link].w, c)) + dot(F.n, V[link].w);
  }
  for (std::size_t i = 0; i < model.lifted_links.size(); i++) {
    const int link = model.lifted_links[i];
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    rate.actuators += dot(lift_on(params, ws.frames, link, params.lifts[i]), V[link].v + cross(V[link].w, c));
  }
  for (std::size_t i = 0; i < model.loads.size(); i++) {
    const int link = model.loads[i].link;
    const Wrench<S> F = load_on(params, ws.frames, model.loads[i], params.loads[i], ws.load_factor[i]);
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    rate.external += dot(F.f, V[link].v + cross(V[link].w, c)) + dot(F.n, V[link].w);
  }
  for (std::size_t i = 0; i < model.cables.size(); i++)
    rate.actuators -=
        ws.cable_tension[i] * stretching(model, params, ws.frames, model.cables[i], [V](int link) { return V[link]; });
}

#define SINEW_INSTANTIATE_LOADS(S)                                        \
  template void add_loads(const Model&, const Params<S>&, Workspace<S>&); \
  template void add_load_rates(const Model&, const Params<S>&, const Twist<S>*, const Workspace<S>&, Work<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_LOADS)

}  // namespace sinew
