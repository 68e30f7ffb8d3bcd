// What a robot is drawn of: spheres, cylinders (along z, unit radius and length) and boxes, each fixed to a body. Shapes are drawn as they
// are; what has none is drawn from its joints, so that a pendulum looks like one.
import type { Body, Faces, Joint, Scene, Shape, Vec3 } from "../data/scene";
import { add, dot, fromZ, length, rotate, sub, times } from "../math/rotate";

export interface Part {
  body: number; // -1: fixed to the world
  kind: "sphere" | "cylinder" | "box" | "mesh";
  p: Vec3;
  q: [number, number, number, number];
  scale: Vec3;
  tone: "link" | "frame"; // frame: of joints, and what only holds together
  faces?: Faces; // of a mesh
}

const turned = (shape: Shape, z: number): Vec3 => add(shape.p, rotate(shape.q, [0, 0, z]));

function sphere(body: number, p: Vec3, radius: number, tone: Part["tone"]): Part {
  return { body, kind: "sphere", p, q: [1, 0, 0, 0], scale: [radius, radius, radius], tone };
}

function rod(body: number, from: Vec3, to: Vec3, radius: number, tone: Part["tone"]): Part {
  const d = sub(to, from);
  return { body, kind: "cylinder", p: times(add(from, to), 0.5), q: fromZ(d), scale: [radius, radius, length(d)], tone };
}

// dot: radius for shapes that are only a point
export function shapeParts(body: number, shape: Shape, dotRadius: number, tone: Part["tone"] = "link"): Part[] {
  if (shape.kind === "box") return [{ body, kind: "box", p: shape.p, q: shape.q, scale: times(shape.half, 2), tone }];
  if (shape.faces) return [{ body, kind: "mesh", p: shape.p, q: shape.q, scale: [1, 1, 1], tone, faces: shape.faces }];
  const radius = shape.radius || dotRadius;
  if (shape.kind === "sphere") return [sphere(body, shape.p, radius, tone)];
  const ends: [Vec3, Vec3] = [turned(shape, -shape.half_length), turned(shape, shape.half_length)];
  const between = rod(body, ends[0], ends[1], radius, tone);
  return shape.kind === "peg" || shape.kind === "cylinder" ? [between] : [between, ...ends.map((end) => sphere(body, end, radius, tone))];
}

// A link that touches with spheres in a row: the tube around them, a little thinner so that the spheres stay to be seen.
// Spheres all around are feet: a leg to each.
function between(body: number, com: Vec3, shapes: Shape[], dotRadius: number): Part[] {
  const balls = shapes.filter((s) => s.kind === "sphere");
  if (balls.length < 2) return [];
  const axis = sub(balls[balls.length - 1]!.p, balls[0]!.p);
  const n = length(axis) || 1;
  const straight = balls.every((s) => {
    const d = sub(s.p, balls[0]!.p);
    return length(sub(d, times(axis, dot(d, axis) / (n * n)))) < 1e-3 * n;
  });
  const thin = (s: Shape): number => 0.9 * (s.radius || 0.7 * dotRadius);
  if (straight) {
    const sorted = [...balls].sort((a, b) => dot(sub(a.p, b.p), axis));
    return sorted.slice(1).map((s, i) => rod(body, sorted[i]!.p, s.p, Math.min(thin(s), thin(sorted[i]!)), "link"));
  }
  return balls.map((s) => rod(body, com, s.p, 0.5 * (s.radius || dotRadius), "link"));
}

// From the shape's own origin.
function reachOf(shape: Shape): number {
  const v = shape.faces?.vertices;
  let far = v ? 0 : Math.max(shape.radius + shape.half_length, ...shape.half);
  for (let i = 0; v && i < v.length; i += 3) far = Math.max(far, Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!));
  return far;
}

function inside(shape: Shape, p: Vec3): boolean {
  const d = sub(p, shape.p);
  if (shape.kind === "box") {
    const local = rotate([shape.q[0], -shape.q[1], -shape.q[2], -shape.q[3]], d);
    return local.every((x, i) => Math.abs(x) <= shape.half[i]! * 1.001);
  }
  if (shape.faces) return length(d) <= reachOf(shape);
  const axis = rotate(shape.q, [0, 0, 1]);
  const along = Math.min(Math.max(dot(d, axis), -shape.half_length), shape.half_length);
  return length(sub(d, times(axis, along))) <= shape.radius * 1.001;
}

function bodyParts(index: number, body: Body, joints: Vec3[], size: number): Part[] {
  const dotRadius = 0.02 * size;
  const points = body.shapes.every((s) => s.kind === "sphere" && s.radius === 0); // or nothing at all: a skeleton
  if (!points) {
    const parts = body.shapes.flatMap((s) => shapeParts(index, s, dotRadius));
    parts.push(...between(index, body.com, body.shapes, dotRadius));
    for (const p of joints)
      if (!body.shapes.some((s) => inside(s, p))) {
        const near = body.shapes.reduce((a, b) => (length(sub(a.p, p)) <= length(sub(b.p, p)) ? a : b));
        parts.push(rod(index, near.p, p, Math.max(0.3 * near.radius, 0.5 * dotRadius), "frame"));
      }
    return parts;
  }
  const arms = [...joints, ...body.shapes.map((s) => s.p)].filter((p) => length(sub(p, body.com)) > 1e-6 * size);
  if (arms.length === 0) {
    const known = length(body.box) > 0;
    const scale: Vec3 = known ? (body.box.map((a) => Math.max(2 * a, dotRadius)) as Vec3) : [0.16 * size, 0.11 * size, 0.06 * size];
    return [{ body: index, kind: "box", p: body.com, q: [1, 0, 0, 0], scale, tone: "link" }];
  }
  return [
    ...arms.map((p) => rod(index, p, body.com, 0.6 * dotRadius, "link")),
    ...arms.map((p) => sphere(index, p, 0.9 * dotRadius, "frame")),
    sphere(index, body.com, 2 * dotRadius, "link"),
  ];
}

// The longest reach of a body from its centre of mass, roughly: the scale of what is drawn without a shape.
export function sizeOf(scene: Scene): number {
  let size = 0;
  for (const b of scene.bodies) for (const s of b.shapes) size = Math.max(size, length(sub(s.p, b.com)) + reachOf(s));
  for (const j of scene.joints) for (const [name, p] of [[j.body1, j.p1], [j.body2, j.p2]] as [string, Vec3][]) {
    const body = scene.bodies.find((b) => b.name === name);
    if (body) size = Math.max(size, length(sub(p, body.com)));
  }
  return size || Math.max(...scene.bodies.map((b) => length(b.box)), 0) || 0.5;
}

const shown = (j: Joint): boolean => j.kind !== "free" && j.kind !== "planar";

export function robotParts(scene: Scene): Part[] {
  const size = sizeOf(scene);
  const places = new Map<string, Vec3[]>();
  for (const b of scene.bodies) places.set(b.name, []);
  for (const j of scene.joints.filter(shown)) {
    places.get(j.body1)?.push(j.p1);
    places.get(j.body2)?.push(j.p2);
  }
  const parts = scene.bodies.flatMap((b, i) => bodyParts(i, b, places.get(b.name)!, size));
  for (const j of scene.joints.filter(shown)) if (j.body1 === "") parts.push(sphere(-1, j.p1, 0.025 * size, "frame"));
  return parts;
}
