// Of robots with soles: the zero-moment point, where the ground's push acts, and the capture point, over which the robot would come to rest,
//   xi = c + v / w,  w = sqrt(g / height of the mass centre).
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry, Vector3 } from "three";
import type { Palette } from "../colours";
import { offsetOf, pieceOf } from "../data/rows";
import type { Scene, Vec3 } from "../data/scene";
import type { Take } from "../data/take";

export interface Balance {
  group: Group;
  zmp: Mesh; // a square that stands on a corner
  capture: Mesh; // a cross
  columns: Int32Array; // zmp.p, com.v
  g: number;
}

const named = ["zmp.p.x", "zmp.p.y", "zmp.p.z", "com.v.x", "com.v.y", "com.v.z"];

// Two bars across each other.
const corners = [-1, -0.7, 0, -0.7, -1, 0, 1, 0.7, 0, 0.7, 1, 0, -1, 0.7, 0, -0.7, 1, 0, 1, -0.7, 0, 0.7, -1, 0];

// null: nothing is known of it
export function makeBalance(take: Take, scene: Scene): Balance | null {
  const columns = Int32Array.from(named.map((name) => take.index.get(name) ?? -1));
  const g = Math.hypot(...scene.gravity);
  if (columns.includes(-1) || g === 0) return null;
  const over = { depthTest: false, transparent: true, fog: false };
  const zmp = new Mesh(new RingGeometry(0.45, 1, 4), new MeshBasicMaterial({ ...over, side: DoubleSide }));
  const cross = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  cross.setIndex([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
  const capture = new Mesh(cross, new MeshBasicMaterial({ ...over, side: DoubleSide }));
  for (const o of [zmp, capture]) {
    o.frustumCulled = false;
    o.renderOrder = 20; // over points and arrows of contacts
  }
  return { group: new Group().add(zmp, capture), zmp, capture, columns, g };
}

export function paintBalance(b: Balance, palette: Palette): void {
  (b.zmp.material as MeshBasicMaterial).color.set(palette.normal);
  (b.capture.material as MeshBasicMaterial).color.set(palette.friction);
}

// Where the capture point is on the ground; below: distance from the mass centre down to it.
export function capturePoint(com: Vec3, v: Vec3, below: number, up: Vec3, g: number): Vec3 {
  const w = Math.sqrt(g / below);
  const rise = v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
  return [0, 1, 2].map((i) => com[i]! + (v[i]! - rise * up[i]!) / w - below * up[i]!) as Vec3;
}

const z = new Vector3(0, 0, 1);
const upward = new Vector3();

export function moveBalance(b: Balance, take: Take, row: number, com: Vec3, below: number, up: Vec3, size: number): void {
  const data = pieceOf(take.rows, row);
  const o = offsetOf(take.rows, row);
  const at = (i: number): number => data[o + b.columns[i]!]!;
  upward.set(...up);
  b.zmp.visible = Number.isFinite(at(0) + at(1) + at(2)); // without a foot on the ground there is none
  if (b.zmp.visible) b.zmp.position.set(at(0), at(1), at(2)).addScaledVector(upward, 0.002 * size);
  b.capture.visible = below > 0;
  if (b.capture.visible) b.capture.position.set(...capturePoint(com, [at(3), at(4), at(5)], below, up, b.g)).addScaledVector(upward, 0.002 * size);
  for (const o of [b.zmp, b.capture]) o.quaternion.setFromUnitVectors(z, upward);
  b.zmp.scale.setScalar(0.022 * size);
  b.capture.scale.setScalar(0.016 * size);
}
