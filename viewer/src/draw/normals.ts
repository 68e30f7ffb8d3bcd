// Recordings hold the size of a normal force, not its direction: it follows from the shape that is touched. It points into the body on
// which the force acts.
import type { Contact, Faces, Scene, Shape, Vec3 } from "../data/scene";
import { conjugate, cross, dot, length, rotate, sub, times } from "../math/rotate";

// Against the normal of the triangle whose plane is nearest, among those over which the point lies.
function inwardOfFaces(shape: Shape, { vertices: v, triangles: t }: Faces, p: Vec3): Vec3 {
  const at = (k: number): Vec3 => [v[3 * t[k]!]!, v[3 * t[k]! + 1]!, v[3 * t[k]! + 2]!];
  let best: Vec3 = [0, 0, 0];
  let nearest = Infinity;
  for (let k = 0; k < t.length; k += 3) {
    const [a, b, c] = [at(k), at(k + 1), at(k + 2)];
    const n = cross(sub(b, a), sub(c, a));
    const area = length(n) || 1;
    const over = ([[a, b], [b, c], [c, a]] as [Vec3, Vec3][]).every(([x, y]) => dot(cross(sub(y, x), sub(p, x)), n) >= -0.02 * area * area);
    const far = Math.abs(dot(sub(p, a), n)) / area;
    if (!over || far >= nearest) continue;
    nearest = far;
    best = times(n, -1 / area);
  }
  return rotate(shape.q, best);
}

// p: a point of the surface, both in the body's axes
export function inward(shape: Shape, p: Vec3): Vec3 {
  const d = sub(p, shape.p);
  if (shape.kind === "box") {
    const local = rotate(conjugate(shape.q), d);
    let face = 0;
    for (let i = 1; i < 3; i++) if (shape.half[i]! - Math.abs(local[i]!) < shape.half[face]! - Math.abs(local[face]!)) face = i;
    const n: Vec3 = [0, 0, 0];
    n[face] = local[face]! > 0 ? -1 : 1;
    return rotate(shape.q, n);
  }
  if (shape.faces) return inwardOfFaces(shape, shape.faces, rotate(conjugate(shape.q), d));
  const axis = rotate(shape.q, [0, 0, 1]);
  if (shape.kind === "cylinder" && Math.abs(dot(d, axis)) - shape.half_length > length(sub(d, times(axis, dot(d, axis)))) - shape.radius)
    return times(axis, dot(d, axis) > 0 ? -1 : 1);
  const reach = shape.kind === "sphere" ? 0 : shape.half_length;
  const out = sub(d, times(axis, Math.min(Math.max(dot(d, axis), -reach), reach)));
  const n = length(out);
  return n > 1e-12 ? times(out, -1 / n) : [0, 0, 0];
}

export interface ContactShape {
  body: number;
  shape: Shape | null;
  fixed: Vec3 | null; // in the world, where the ground is flat
}

export function contactShape(scene: Scene, contact: Contact): ContactShape {
  const body = scene.bodies.findIndex((b) => b.name === contact.body);
  const [own = "", other = ""] = contact.name.split(":");
  const shape = scene.bodies[body]?.shapes.find((s) => own === `${contact.body}.${s.name}`) ?? scene.bodies[body]?.shapes[0] ?? null;
  const flat: Vec3 | null = scene.ground.kind === "plane" ? scene.ground.normal : scene.ground.kind === "steps" ? [0, 0, 1] : null;
  return { body, shape, fixed: other === "ground" ? flat : null };
}
