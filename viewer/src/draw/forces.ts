// Contact points and their forces. Arrows are drawn over the robot: most of a normal force would be hidden inside it.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, MeshBasicMaterial, SphereGeometry } from "three";
import type { Palette } from "../colours";
import { offsetOf, pieceOf } from "../data/rows";
import type { Scene, Vec3 } from "../data/scene";
import type { Take } from "../data/take";
import { conjugate, rotate, sub } from "../math/rotate";
import { instances, writeAlong, writeMatrix } from "./instances";
import { merge, show, update, type Merged } from "./merged";
import { contactShape, inward, type ContactShape } from "./normals";
import type { Poses } from "./poses";
import { drawnBySoftware } from "./solid";

const parts = ["state", "normal", "friction.x", "friction.y", "friction.z", "point.x", "point.y", "point.z"];

export interface Forces {
  group: Group;
  columns: Int32Array; // eight a contact; -1: not recorded
  shapes: ContactShape[];
  onWorld: Uint8Array; // 1: the other side is ground or obstacle
  points: Float64Array; // of closed contacts, three each
  standing: Uint8Array; // of the same: 1 where the world carries
  closed: number;
  dots: InstancedMesh;
  shafts: InstancedMesh;
  tips: InstancedMesh;
  merged: Merged[]; // none: there is a graphics card
}

export function makeForces(take: Take, scene: Scene): Forces {
  const n = scene.contacts.length;
  const flat = (vertexColors = false): MeshBasicMaterial => new MeshBasicMaterial({ depthTest: false, transparent: true, fog: false, vertexColors });
  const sides = n > 200 ? 5 : 10;
  const dots = instances(new SphereGeometry(1, sides, sides - 2), flat(), n);
  const shafts = instances(new CylinderGeometry(1, 1, 1, sides, 1, true).translate(0, 0.5, 0).rotateX(Math.PI / 2), flat(), 2 * n);
  const tips = instances(new ConeGeometry(1, 1, sides).translate(0, 0.5, 0).rotateX(Math.PI / 2), flat(), 2 * n);
  const group = new Group();
  [shafts, tips, dots].forEach((mesh, i) => {
    mesh.renderOrder = 10 + i;
    group.add(mesh);
  });
  const merged = drawnBySoftware() ? [shafts, tips, dots].map((mesh) => merge(mesh, mesh.geometry, flat(true))) : [];
  for (const m of merged) group.add(m.mesh);
  return {
    group,
    columns: Int32Array.from(scene.contacts.flatMap((c) => parts.map((part) => take.index.get(`contact.${c.name}.${part}`) ?? -1))),
    shapes: scene.contacts.map((c) => contactShape(scene, c)),
    onWorld: Uint8Array.from(scene.contacts, (c) => (c.other === "" ? 1 : 0)),
    points: new Float64Array(3 * n),
    standing: new Uint8Array(n),
    closed: 0,
    dots,
    shafts,
    tips,
    merged,
  };
}

export function mergeForces(f: Forces, plain: boolean): void {
  for (const m of f.merged) show(m, plain);
}

// Into the body, in the world. Contacts are few hundred at most, and the small arrays here die young.
function direction(shape: ContactShape, poses: Poses, point: Vec3): Vec3 {
  if (shape.fixed) return shape.fixed;
  if (!shape.shape || shape.body < 0) return [0, 0, 1];
  const b = shape.body;
  const q: [number, number, number, number] = [poses.q[4 * b]!, poses.q[4 * b + 1]!, poses.q[4 * b + 2]!, poses.q[4 * b + 3]!];
  const local = rotate(conjugate(q), sub(point, [poses.p[3 * b]!, poses.p[3 * b + 1]!, poses.p[3 * b + 2]!]));
  return rotate(q, inward(shape.shape, local));
}

const point: Vec3 = [0, 0, 0];
const normalColour = new Color();
const frictionColour = new Color();

// perNewton: length of an arrow [m/N]; thick: of the arrows [m]; longest: no arrow is longer [m]
export function moveForces(f: Forces, take: Take, poses: Poses, palette: Palette, perNewton: number, thick: number, longest: number): void {
  if (take.rows.count === 0) return;
  const d = pieceOf(take.rows, poses.row);
  const o = offsetOf(take.rows, poses.row);
  normalColour.set(palette.normal);
  frictionColour.set(palette.friction);
  const dots = f.dots.instanceMatrix.array as Float32Array;
  let n = 0;
  let arrows = 0;
  const arrow = (x: number, y: number, z: number, colour: Color): void => {
    const size = Math.hypot(x, y, z);
    const len = Math.min(size * perNewton, longest);
    if (!(len > 0.3 * thick)) return;
    const tip = Math.min(6 * thick, 0.5 * len);
    const [dx, dy, dz] = [x / size, y / size, z / size];
    const at = len - tip;
    writeAlong(f.shafts.instanceMatrix.array as Float32Array, arrows, point[0], point[1], point[2], dx, dy, dz, thick, at);
    writeAlong(f.tips.instanceMatrix.array as Float32Array, arrows, point[0] + at * dx, point[1] + at * dy, point[2] + at * dz, dx, dy, dz, 0.45 * tip, tip);
    colour.toArray(f.shafts.instanceColor!.array, 3 * arrows);
    colour.toArray(f.tips.instanceColor!.array, 3 * arrows);
    arrows++;
  };
  for (let i = 0; i < f.shapes.length; i++) {
    const c = 8 * i;
    const at = (k: number): number => (f.columns[c + k]! < 0 ? 0 : d[o + f.columns[c + k]!]!);
    if (!(at(0) > 0) || f.columns[c + 5]! < 0) continue;
    point[0] = at(5), point[1] = at(6), point[2] = at(7);
    f.points.set(point, 3 * n);
    f.standing[n] = f.onWorld[i]!;
    writeMatrix(dots, n++, point[0], point[1], point[2], 1, 0, 0, 0, 1.7 * thick, 1.7 * thick, 1.7 * thick);
    const size = at(1);
    if (size > 0) {
      const up = direction(f.shapes[i]!, poses, point);
      arrow(up[0] * size, up[1] * size, up[2] * size, normalColour);
    }
    arrow(at(2), at(3), at(4), frictionColour);
  }
  f.closed = f.dots.count = n;
  f.shafts.count = f.tips.count = arrows;
  (f.dots.material as MeshBasicMaterial).color.set(palette.point);
  for (const mesh of [f.dots, f.shafts, f.tips]) mesh.instanceMatrix.needsUpdate = true;
  f.shafts.instanceColor!.needsUpdate = f.tips.instanceColor!.needsUpdate = true;
  for (const m of f.merged) if (m.mesh.visible) update(m);
}
