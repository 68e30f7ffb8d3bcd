// One take: a scene, its columns and the rows so far. Recording and live run look alike from here on.
import { offsetOf, pieceOf, rowAt, valueAt, type Rows } from "./rows";
import type { Scene } from "./scene";

export interface Column {
  name: string;
  unit: string;
  description: string;
}

// What is worked out here from columns of the same row.
export interface Derived extends Column {
  of: (piece: Float64Array, offset: number) => number;
}

export interface Take {
  name: string;
  title: string;
  live: boolean;
  scene: Scene | null; // null: the recording does not say what there is to see
  columns: Column[];
  derived: Derived[]; // numbered on from the columns
  index: Map<string, number>;
  time: number; // the column t
  rows: Rows;
}

function deriveds(index: Map<string, number>): Derived[] {
  const out: Derived[] = [];
  const [x, y, z] = ["x", "y", "z"].map((a) => index.get(`com.v.${a}`));
  if (x !== undefined && y !== undefined && z !== undefined)
    out.push({
      name: "com.speed",
      unit: "m/s",
      description: "speed of the centre of mass",
      of: (d, o) => Math.hypot(d[o + x]!, d[o + y]!, d[o + z]!),
    });
  return out.filter((d) => !index.has(d.name));
}

export function makeTake(
  about: { name: string; title: string; live: boolean },
  scene: Scene | null,
  columns: Column[],
  rows: Rows,
): Take {
  const index = new Map(columns.map((c, i) => [c.name, i]));
  const time = index.get("t");
  if (time === undefined) throw new Error("there is no signal t: a recording of sinew always has one");
  const derived = deriveds(index);
  derived.forEach((d, i) => index.set(d.name, columns.length + i));
  return { ...about, scene, columns, derived, index, time, rows };
}

export const columnOf = (take: Take, column: number): Column => take.columns[column] ?? take.derived[column - take.columns.length]!;

export function valueOf(take: Take, row: number, column: number): number {
  if (column < take.columns.length) return valueAt(take.rows, row, column);
  return take.derived[column - take.columns.length]!.of(pieceOf(take.rows, row), offsetOf(take.rows, row));
}

export const timeOf = (take: Take, row: number): number => valueAt(take.rows, row, take.time);
export const firstTime = (take: Take): number => (take.rows.count ? timeOf(take, 0) : 0);
export const lastTime = (take: Take): number => (take.rows.count ? timeOf(take, take.rows.count - 1) : 0);
export const rowAtTime = (take: Take, t: number): number => rowAt(take.rows, take.time, t);

// The values of columns from the row at or before t0 to the one at or after t1; the first array is the time.
export function extract(take: Take, columns: number[], t0: number, t1: number): Float64Array[] {
  if (take.rows.count === 0) return [take.time, ...columns].map(() => new Float64Array(0));
  const from = rowAtTime(take, t0);
  const to = Math.min(take.rows.count - 1, rowAtTime(take, t1) + 1);
  return [take.time, ...columns].map((c) => {
    const out = new Float64Array(to - from + 1);
    for (let row = from; row <= to; row++) out[row - from] = valueOf(take, row, c);
    return out;
  });
}
