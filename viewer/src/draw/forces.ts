// Contact points and their forces. Arrows are drawn over the robot: most of a normal force would be hidden inside it.
// A crowd of bodies has no signals per pair: there each body has one arrow, the sum of all contact forces on it.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, MeshBasicMaterial, SphereGeometry } from "three";
import type { Palette } from "../colours";
import { offsetOf, pieceOf } from "../data/rows";
import type { Scene, Vec3 } from "../data/scene";
import type { Take } from "../data/take";
import { instances, writeAlong, writeMatrix } from "./instances";
import { merge, show, update, type Merged } from "./merged";
import type { Poses } from "./poses";

const parts = ["state", "push.x", "push.y", "push.z", "friction.x", "friction.y", "friction.z", "point.x", "point.y", "point.z"];
const partsOfBody = ["count", "force.x", "force.y", "force.z", "", "", "", "point.x", "point.y", "point.z"];

interface Place {
  onWorld: boolean;
  names: string[]; // of the signals of all parts
}
export const isCrowd = (take: Take, scene: Scene): boolean =>
  scene.contacts.length === 0 && scene.bodies.some((b) => take.index.has(`body.${b.name}.contact.count`));
function placesOf(take: Take, scene: Scene): Place[] {
  if (isCrowd(take, scene)) return scene.bodies.map((b) => ({ onWorld: false, names: partsOfBody.map((part) => `body.${b.name}.contact.${part}`) }));
  return scene.contacts.map((c) => ({ onWorld: c.other === "", names: parts.map((part) => `contact.${c.name}.${part}`) }));
}

export interface Forces {
  group: Group;
  columns: Int32Array; // of all parts, contact by contact; -1: not recorded
  onWorld: Uint8Array; // 1: the other side is ground or obstacle
  points: Float64Array; // of closed contacts, three each
  standing: Uint8Array; // of the same: 1 where the world carries
  closed: number;
  dots: InstancedMesh;
  shafts: InstancedMesh;
  tips: InstancedMesh;
  merged: Merged[]; // none: there is a graphics card
}

export function makeForces(take: Take, scene: Scene, bySoftware: boolean): Forces {
  const places = placesOf(take, scene);
  const n = places.length;
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
  const merged = bySoftware ? [shafts, tips, dots].map((mesh) => merge(mesh, mesh.geometry, flat(true))) : [];
  for (const m of merged) group.add(m.mesh);
  return {
    group,
    columns: Int32Array.from(places.flatMap((place) => place.names.map((name) => take.index.get(name) ?? -1))),
    onWorld: Uint8Array.from(places, (place) => (place.onWorld ? 1 : 0)),
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
  for (let i = 0; i < f.onWorld.length; i++) {
    const c = parts.length * i;
    const at = (k: number): number => (f.columns[c + k]! < 0 ? 0 : d[o + f.columns[c + k]!]!);
    if (!(at(0) > 0) || f.columns[c + 7]! < 0) continue;
    point[0] = at(7), point[1] = at(8), point[2] = at(9);
    f.points.set(point, 3 * n);
    f.standing[n] = f.onWorld[i]!;
    writeMatrix(dots, n++, point[0], point[1], point[2], 1, 0, 0, 0, 1.7 * thick, 1.7 * thick, 1.7 * thick);
    arrow(at(1), at(2), at(3), normalColour);
    arrow(at(4), at(5), at(6), frictionColour);
  }
  f.closed = f.dots.count = n;
  f.shafts.count = f.tips.count = arrows;
  (f.dots.material as MeshBasicMaterial).color.set(palette.point);
  for (const mesh of [f.dots, f.shafts, f.tips]) mesh.instanceMatrix.needsUpdate = true;
  f.shafts.instanceColor!.needsUpdate = f.tips.instanceColor!.needsUpdate = true;
  for (const m of f.merged) if (m.mesh.visible) update(m);
}
