// Torque of a joint as the colour of the body that it carries.
import { SRGBColorSpace, Color } from "three";
import { offsetOf, pieceOf, valueAt } from "../data/rows";
import type { Scene } from "../data/scene";
import type { Take } from "../data/take";
import { scaleColour, type Rgb } from "../math/colour";
import { niceAbove } from "../math/nice";

export interface Torques {
  of: { body: number; columns: number[] }[]; // by body that has a joint with a torque in N m
  most: number; // end of the scale [N m]
  seen: number; // rows that `most` already knows
  colours: Float32Array;
}

export function makeTorques(take: Take, scene: Scene): Torques {
  const of = scene.joints.flatMap((j) => {
    const body = scene.bodies.findIndex((b) => b.name === j.body2);
    const names = [`joint.${j.name}.torque`, ...[0, 1, 2, 3, 4, 5].map((i) => `joint.${j.name}.torque.${i}`)];
    const columns = names.map((n) => take.index.get(n) ?? -1).filter((c) => c >= 0 && take.columns[c]!.unit === "N m");
    return body >= 0 && columns.length > 0 && j.kind !== "free" ? [{ body, columns }] : [];
  });
  return { of, most: 0, seen: 0, colours: new Float32Array(3 * scene.bodies.length) };
}

export const size = (d: Float64Array, o: number, columns: number[]): number => {
  let sum = 0;
  for (let i = 0; i < columns.length; i++) sum += d[o + columns[i]!]! ** 2;
  return Math.sqrt(sum);
};

// The end of the scale: what 98 of 100 values stay below, so that one impact does not make all else grey.
export function updateScale(t: Torques, take: Take): void {
  const rows = take.rows.count + take.rows.dropped;
  if (rows === t.seen || (t.seen > 0 && rows < 1.2 * t.seen)) return;
  t.seen = rows;
  const values: number[] = [];
  const step = Math.max(1, Math.floor(take.rows.count / 100));
  for (let row = 0; row < take.rows.count; row += step)
    for (const { columns } of t.of) values.push(Math.hypot(...columns.map((c) => valueAt(take.rows, row, c))));
  values.sort((a, b) => a - b);
  t.most = niceAbove(values[Math.floor(0.98 * (values.length - 1))] ?? 0);
}

const rgb: Rgb = [0, 0, 0];
const linear = new Color();

export function updateTorques(t: Torques, take: Take, row: number, dark: boolean): void {
  updateScale(t, take);
  if (take.rows.count === 0) return;
  const d = pieceOf(take.rows, row);
  const o = offsetOf(take.rows, row);
  scaleColour(0, dark, rgb);
  linear.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
  for (let i = 0; i < t.colours.length; i += 3) linear.toArray(t.colours, i);
  for (const { body, columns } of t.of) {
    scaleColour(size(d, o, columns) / (t.most || 1), dark, rgb);
    linear.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace).toArray(t.colours, 3 * body);
  }
}
