// Where the bodies are at a time: between two rows places are interpolated linearly, orientations along the shorter arc.
import { offsetOf, pieceOf, valueAt } from "../data/rows";
import type { Scene } from "../data/scene";
import { rowAtTime, timeOf, type Take } from "../data/take";
import { rotateInto } from "../math/rotate";

export interface Poses {
  columns: Int32Array; // of p and quat, seven a body; -1: not recorded
  com: Float64Array; // in the body's axes
  p: Float64Array; // of the body's origin, three a body
  q: Float64Array; // four a body
  seen: Uint8Array; // 0: not recorded, or not a number
  row: number; // at or before the time
  mass: Int32Array; // the columns com.p, or -1
  centre: [number, number, number]; // centre of mass of all bodies
}

const parts = ["p.x", "p.y", "p.z", "quat.w", "quat.x", "quat.y", "quat.z"];

export function makePoses(take: Take, scene: Scene): Poses {
  const n = scene.bodies.length;
  const find = (name: string): number => take.index.get(name) ?? -1;
  return {
    columns: Int32Array.from(scene.bodies.flatMap((b) => parts.map((part) => find(`body.${b.name}.${part}`)))),
    com: Float64Array.from(scene.bodies.flatMap((b) => b.com)),
    p: new Float64Array(3 * n),
    q: new Float64Array(4 * n),
    seen: new Uint8Array(n),
    row: 0,
    mass: Int32Array.from(["x", "y", "z"].map((a) => find(`com.p.${a}`))),
    centre: [0, 0, 0],
  };
}

const sample = new Float64Array(7);

export function updatePoses(poses: Poses, take: Take, t: number): void {
  const rows = take.rows;
  if (rows.count === 0) return;
  const row = rowAtTime(take, t);
  const next = Math.min(row + 1, rows.count - 1);
  const t0 = timeOf(take, row);
  const gap = timeOf(take, next) - t0;
  const f = gap > 0 ? Math.min(Math.max((t - t0) / gap, 0), 1) : 0;
  const a = pieceOf(rows, row);
  const b = pieceOf(rows, next);
  const ao = offsetOf(rows, row);
  const bo = offsetOf(rows, next);
  poses.row = row;
  for (let body = 0; body < poses.seen.length; body++) {
    const k = 7 * body;
    let whole = true;
    for (let i = 0; i < 7; i++) if (poses.columns[k + i]! < 0) whole = false;
    if (whole) poses.seen[body] = place(poses, body, a, ao, b, bo, f) ? 1 : 0;
  }
  for (let i = 0; i < 3; i++) {
    const c = poses.mass[i]!;
    poses.centre[i] = c < 0 ? meanPlace(poses, i) : (1 - f) * a[ao + c]! + f * b[bo + c]!;
  }
}

function place(poses: Poses, body: number, a: Float64Array, ao: number, b: Float64Array, bo: number, f: number): boolean {
  const k = 7 * body;
  let same = 0;
  for (let i = 3; i < 7; i++) same += a[ao + poses.columns[k + i]!]! * b[bo + poses.columns[k + i]!]!;
  for (let i = 0; i < 7; i++) {
    const c = poses.columns[k + i]!;
    const to = i >= 3 && same < 0 ? -b[bo + c]! : b[bo + c]!; // q and -q are one orientation
    sample[i] = f === 0 ? a[ao + c]! : (1 - f) * a[ao + c]! + f * to;
  }
  const norm = Math.hypot(sample[3]!, sample[4]!, sample[5]!, sample[6]!);
  for (let i = 0; i < 4; i++) poses.q[4 * body + i] = sample[3 + i]! / norm;
  rotateInto(poses.q, 4 * body, poses.com[3 * body]!, poses.com[3 * body + 1]!, poses.com[3 * body + 2]!, poses.p, 3 * body);
  for (let i = 0; i < 3; i++) poses.p[3 * body + i] = sample[i]! - poses.p[3 * body + i]!;
  return Number.isFinite(poses.p[3 * body]! + poses.q[4 * body]!);
}

function meanPlace(poses: Poses, axis: number): number {
  let sum = 0;
  for (let body = 0; body < poses.seen.length; body++) sum += poses.p[3 * body + axis]!;
  return poses.seen.length ? sum / poses.seen.length : 0;
}

export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

export interface Point {
  body: number;
  arm: [number, number, number]; // from the centre of mass, in the body's axes
}

const turned = new Float64Array(3);
const turn = new Float64Array(4);

// Of the bodies' centres and of points on them, over all rows or only the one at t.
export function extent(poses: Poses, take: Take, t: number | null, points: Point[] = []): Box {
  const low: Box["low"] = [Infinity, Infinity, Infinity];
  const high: Box["high"] = [-Infinity, -Infinity, -Infinity];
  const number = (row: number, body: number, i: number): number => {
    const c = poses.columns[7 * body + i]!;
    return c < 0 ? NaN : valueAt(take.rows, row, c);
  };
  const put = (i: number, x: number): void => {
    if (x < low[i]!) low[i] = x;
    if (x > high[i]!) high[i] = x;
  };
  const take1 = (row: number): void => {
    for (let body = 0; body < poses.seen.length; body++) for (let i = 0; i < 3; i++) put(i, number(row, body, i));
    for (const { body, arm } of points) {
      for (let i = 0; i < 4; i++) turn[i] = number(row, body, 3 + i);
      rotateInto(turn, 0, arm[0], arm[1], arm[2], turned, 0);
      for (let i = 0; i < 3; i++) put(i, number(row, body, i) + turned[i]!);
    }
  };
  if (t !== null) take1(rowAtTime(take, t));
  else for (let row = 0; row < take.rows.count; row += Math.max(1, Math.floor(take.rows.count / 200))) take1(row);
  for (let i = 0; i < 3; i++) if (!(low[i]! <= high[i]!)) low[i] = high[i] = 0;
  return { low, high };
}
