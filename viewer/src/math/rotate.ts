// Rotations as quaternions w, x, y, z; vectors in flat arrays at an offset, so that no frame allocates.
import type { Quat, Vec3 } from "../data/scene";

type Numbers = { [i: number]: number };

// out[o..] = R(q[k..]) (x, y, z)
export function rotateInto(q: Numbers, k: number, x: number, y: number, z: number, out: Numbers, o: number): void {
  const w = q[k]!;
  const a = q[k + 1]!;
  const b = q[k + 2]!;
  const c = q[k + 3]!;
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  out[o] = x + w * tx + b * tz - c * ty;
  out[o + 1] = y + w * ty + c * tx - a * tz;
  out[o + 2] = z + w * tz + a * ty - b * tx;
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const out: Vec3 = [0, 0, 0];
  rotateInto(q, 0, v[0], v[1], v[2], out, 0);
  return out;
}

export const conjugate = (q: Quat): Quat => [q[0], -q[1], -q[2], -q[3]];

// The shortest turn that takes z to the direction d.
export function fromZ(d: Vec3): Quat {
  const n = Math.hypot(...d) || 1;
  const w = 1 + d[2] / n;
  if (w < 1e-9) return [0, 1, 0, 0];
  const x = -d[1] / n;
  const y = d[0] / n;
  const s = Math.hypot(w, x, y);
  return [w / s, x / s, y / s, 0];
}

export const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
