// Centre of mass with its projection, and the support polygon.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry, Vector3 } from "three";
import type { Palette } from "../colours";
import type { Faces, Ground, Vec3 } from "../data/scene";
import { hull } from "../math/hull";
import type { Forces } from "./forces";

export interface Marks {
  com: Group;
  ball: Mesh;
  ring: Mesh;
  drop: LineSegments;
  support: Group;
  fill: Mesh;
  outline: LineLoop;
  room: number; // corners that there is room for
  points: Float64Array;
  xy: Float64Array;
  order: Int32Array;
  corners: Int32Array;
}

export function makeMarks(contacts: number): Marks {
  const over = { depthTest: false, transparent: true, fog: false };
  const ball = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial(over));
  const ring = new Mesh(new RingGeometry(0.75, 1, 40), new MeshBasicMaterial({ ...over, side: DoubleSide }));
  const line = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
  const drop = new LineSegments(line, new LineBasicMaterial(over));
  const com = new Group().add(ball, ring, drop);
  const corners = new BufferAttribute(new Float32Array(3 * (contacts + 1)), 3);
  const polygon = new BufferGeometry().setAttribute("position", corners);
  const fan: number[] = [];
  for (let i = 1; i + 1 < contacts; i++) fan.push(0, i, i + 1);
  const filling = new BufferGeometry().setAttribute("position", corners);
  filling.setIndex(fan);
  const fill = new Mesh(filling, new MeshBasicMaterial({ transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }));
  const outline = new LineLoop(polygon, new LineBasicMaterial(over));
  const support = new Group().add(fill, outline);
  for (const o of [ball, ring, drop, fill, outline]) {
    o.frustumCulled = false;
    o.renderOrder = 8;
  }
  return { com, ball, ring, drop, support, fill, outline, room: contacts, points: new Float64Array(3 * contacts), xy: new Float64Array(2 * contacts), order: new Int32Array(contacts), corners: new Int32Array(contacts + 1) };
}

export function paintMarks(m: Marks, palette: Palette): void {
  for (const o of [m.ball, m.ring]) (o.material as MeshBasicMaterial).color.set(palette.com);
  (m.drop.material as LineBasicMaterial).color.set(palette.com);
  (m.fill.material as MeshBasicMaterial).color.set(palette.support);
  (m.outline.material as LineBasicMaterial).color.set(palette.support);
}

// The highest triangle over a point; 0 beside the mesh.
function heightOfFaces({ vertices: v, triangles: t }: Faces, x: number, y: number): number {
  let top = -Infinity;
  for (let k = 0; k < t.length; k += 3) {
    const [a, b, c] = [3 * t[k]!, 3 * t[k + 1]!, 3 * t[k + 2]!];
    const [ux, uy, wx, wy] = [v[b]! - v[a]!, v[b + 1]! - v[a + 1]!, v[c]! - v[a]!, v[c + 1]! - v[a + 1]!];
    const area = ux * wy - uy * wx;
    const r = ((x - v[a]!) * wy - (y - v[a + 1]!) * wx) / area;
    const s = (ux * (y - v[a + 1]!) - uy * (x - v[a]!)) / area;
    if (area > 0 && r >= 0 && s >= 0 && r + s <= 1) top = Math.max(top, v[a + 2]! + r * (v[b + 2]! - v[a + 2]!) + s * (v[c + 2]! - v[a + 2]!));
  }
  return top > -Infinity ? top : 0;
}

// Height of the ground below a point, along up; bilinear on a field of heights is near enough to its triangles for a mark.
export function groundBelow(ground: Ground, p: Vec3, up: Vec3, otherwise: number): number {
  if (ground.kind === "plane") {
    const n = ground.normal;
    const slope = n[0] * up[0] + n[1] * up[1] + n[2] * up[2];
    return (n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - ground.height) / (slope || 1);
  }
  if (ground.kind === "steps") return p[2] - ground.height;
  if (ground.kind === "none") return p[0] * up[0] + p[1] * up[1] + p[2] * up[2] - otherwise;
  if (ground.kind === "mesh") return p[2] - heightOfFaces(ground, p[0], p[1]);
  const x = Math.min(Math.max((p[0] - ground.x0) / ground.dx, 0), ground.nx - 1.001);
  const y = Math.min(Math.max((p[1] - ground.y0) / ground.dy, 0), ground.ny - 1.001);
  const k = Math.floor(x) * ground.ny + Math.floor(y);
  const [a, b] = [x % 1, y % 1];
  const z = (1 - a) * ((1 - b) * ground.z[k]! + b * ground.z[k + 1]!) + a * ((1 - b) * ground.z[k + ground.ny]! + b * ground.z[k + ground.ny + 1]!);
  return p[2] - z;
}

const z = new Vector3(0, 0, 1);
const upward = new Vector3();

// below: distance from p down to the ground
export function moveCom(m: Marks, p: Vec3, below: number, up: Vec3, size: number): void {
  m.ball.position.set(...p);
  m.ball.scale.setScalar(0.012 * size);
  upward.set(...up);
  m.ring.position.set(...p).addScaledVector(upward, -below + 0.001 * size);
  m.ring.quaternion.setFromUnitVectors(z, upward);
  m.ring.scale.setScalar(0.03 * size);
  const a = m.drop.geometry.getAttribute("position") as BufferAttribute;
  a.setXYZ(0, ...p);
  a.setXYZ(1, m.ring.position.x, m.ring.position.y, m.ring.position.z);
  a.needsUpdate = true;
}

// Of all contacts that stand, and of corners that are given; e1, e2: axes of the plane that is seen from above.
export function moveSupport(m: Marks, f: Forces, corners: { points: Float64Array; count: number }, e1: Vector3, e2: Vector3): void {
  let n = 0;
  const add = (from: Float64Array, i: number): void => {
    const [x, y, w] = [from[3 * i]!, from[3 * i + 1]!, from[3 * i + 2]!];
    m.xy[2 * n] = e1.x * x + e1.y * y + e1.z * w;
    m.xy[2 * n + 1] = e2.x * x + e2.y * y + e2.z * w;
    m.points[3 * n] = x;
    m.points[3 * n + 1] = y;
    m.points[3 * n++ + 2] = w;
  };
  for (let i = 0; i < f.closed; i++) if (f.standing[i]) add(f.points, i);
  for (let i = 0; i < corners.count && n < m.room; i++) add(corners.points, i);
  const k = n >= 2 ? hull(m.xy, n, m.order, m.corners) : 0;
  const at = m.outline.geometry.getAttribute("position") as BufferAttribute;
  for (let i = 0; i < k; i++) {
    const c = 3 * m.corners[i]!;
    at.setXYZ(i, m.points[c]!, m.points[c + 1]!, m.points[c + 2]!);
  }
  at.needsUpdate = true;
  m.outline.geometry.setDrawRange(0, k);
  m.fill.geometry.setDrawRange(0, Math.max(0, 3 * (k - 2)));
}
