// A rod as a smooth tube through its points: a curve of Catmull and Rom, with rings that are carried along without twist.

export interface Tube {
  points: number;
  fine: number; // pieces of the curve between two points
  sides: number;
  rings: number;
  at: Float32Array; // vertices
  out: Float32Array; // their normals
  knots: Float64Array; // curvature at each point [1/m]
  bend: Float32Array; // and at each ring
  index: number[];
}

export function makeTube(points: number, fine = 4, sides = 12): Tube {
  const rings = Math.max(0, (points - 1) * fine + 1);
  const index: number[] = [];
  for (let r = 0; r + 1 < rings; r++)
    for (let s = 0; s < sides; s++) {
      const [a, b] = [r * sides + s, r * sides + ((s + 1) % sides)];
      index.push(a, b, b + sides, a, b + sides, a + sides);
    }
  for (const first of [0, (rings - 1) * sides]) for (let s = 1; s + 1 < sides; s++) index.push(first, first + s, first + s + 1); // ends
  return { points, fine, sides, rings, knots: new Float64Array(points), at: new Float32Array(3 * rings * sides), out: new Float32Array(3 * rings * sides), bend: new Float32Array(rings), index };
}

// Through p1 at u = 0 and p2 at u = 1; value and derivative.
function spline(p0: number, p1: number, p2: number, p3: number, u: number, out: Float64Array, i: number): void {
  const a = -p0 + 3 * p1 - 3 * p2 + p3;
  const b = 2 * p0 - 5 * p1 + 4 * p2 - p3;
  const c = p2 - p0;
  out[i] = 0.5 * (((a * u + b) * u + c) * u + 2 * p1);
  out[i + 3] = 0.5 * ((3 * a * u + 2 * b) * u + c);
}

const s = new Float64Array(6); // place, derivative
const side = new Float64Array(3);

// Of the circle through three neighbours (Menger); the spline's own curvature jumps from piece to piece.
function curvatures(tube: Tube, p: Float64Array): void {
  const { knots, points } = tube;
  const far = (a: number, b: number): number => Math.hypot(p[3 * b]! - p[3 * a]!, p[3 * b + 1]! - p[3 * a + 1]!, p[3 * b + 2]! - p[3 * a + 2]!);
  for (let k = 1; k + 1 < points; k++) {
    const [a, b, c] = [far(k - 1, k), far(k, k + 1), far(k - 1, k + 1)];
    const h = (a + b + c) / 2;
    const area = Math.sqrt(Math.max(h * (h - a) * (h - b) * (h - c), 0));
    knots[k] = (4 * area) / (a * b * c || 1);
  }
  knots[0] = knots[1] ?? 0;
  knots[points - 1] = knots[points - 2] ?? 0;
}

export function shapeTube(tube: Tube, p: Float64Array, radius: number): void {
  side.fill(0);
  curvatures(tube, p);
  for (let r = 0; r < tube.rings; r++) {
    const k = Math.min(Math.floor(r / tube.fine), tube.points - 2);
    const u = r / tube.fine - k;
    for (let i = 0; i < 3; i++) {
      const [p1, p2] = [p[3 * k + i]!, p[3 * k + 3 + i]!];
      const p0 = k > 0 ? p[3 * k - 3 + i]! : 2 * p1 - p2; // straight on beyond the ends
      const p3 = k + 2 < tube.points ? p[3 * k + 6 + i]! : 2 * p2 - p1;
      spline(p0, p1, p2, p3, u, s, i);
    }
    const speed = Math.hypot(s[3]!, s[4]!, s[5]!) || 1;
    const [tx, ty, tz] = [s[3]! / speed, s[4]! / speed, s[5]! / speed];
    tube.bend[r] = (1 - u) * tube.knots[k]! + u * tube.knots[k + 1]!;
    if (r === 0) side[Math.abs(tx) < 0.8 ? 0 : 1] = 1;
    const along = side[0]! * tx + side[1]! * ty + side[2]! * tz; // what the last ring's axis has along this tangent goes
    const [ax, ay, az] = [side[0]! - along * tx, side[1]! - along * ty, side[2]! - along * tz];
    const n = Math.hypot(ax, ay, az) || 1;
    side[0] = ax / n, side[1] = ay / n, side[2] = az / n;
    ring(tube, r, tx, ty, tz, radius);
  }
}

function ring(tube: Tube, r: number, tx: number, ty: number, tz: number, radius: number): void {
  const [x, y, z] = [side[0]!, side[1]!, side[2]!];
  const [bx, by, bz] = [ty * z - tz * y, tz * x - tx * z, tx * y - ty * x];
  for (let i = 0; i < tube.sides; i++) {
    const angle = (2 * Math.PI * i) / tube.sides;
    const [c, d] = [Math.cos(angle), Math.sin(angle)];
    const v = 3 * (r * tube.sides + i);
    const n = [c * x + d * bx, c * y + d * by, c * z + d * bz];
    for (let k = 0; k < 3; k++) {
      tube.out[v + k] = n[k]!;
      tube.at[v + k] = s[k]! + radius * n[k]!;
    }
  }
}
