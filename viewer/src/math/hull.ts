// Convex hull of points in the plane, anticlockwise (Andrew's monotone chain). Works in place on arrays that are made once.

const cross = (xy: Float64Array, o: number, a: number, b: number): number =>
  (xy[2 * a]! - xy[2 * o]!) * (xy[2 * b + 1]! - xy[2 * o + 1]!) - (xy[2 * a + 1]! - xy[2 * o + 1]!) * (xy[2 * b]! - xy[2 * o]!);

// xy: n points; order: room for n numbers; out: room for n + 1. Returns how many corners are in out.
export function hull(xy: Float64Array, n: number, order: Int32Array, out: Int32Array): number {
  for (let i = 0; i < n; i++) order[i] = i;
  const sorted = order.subarray(0, n).sort((a, b) => xy[2 * a]! - xy[2 * b]! || xy[2 * a + 1]! - xy[2 * b + 1]!);
  if (n < 3) {
    out.set(sorted);
    return n;
  }
  let k = 0;
  const side = (from: number, to: number, step: number, floor: number): void => {
    for (let i = from; i !== to; i += step) {
      while (k >= floor && cross(xy, out[k - 2]!, out[k - 1]!, sorted[i]!) <= 0) k--;
      out[k++] = sorted[i]!;
    }
  };
  side(0, n, 1, 2);
  side(n - 2, -1, -1, k + 1);
  return k - 1; // the last is the first again
}
