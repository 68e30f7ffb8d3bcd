// The table of a study (docs/view-protocol.md), and what of it can be drawn over two columns.

export type Cell = number | string | null;
export interface StudyColumn {
  name: string;
  unit: string;
  role: "row" | "key" | "seed" | "status" | "end" | "result" | "reason";
}
export interface Study {
  name: string;
  scenario: string;
  kind: string;
  total: number;
  at_work: boolean; // more rows may come
  aims: string[]; // results that a search is about
  columns: StudyColumn[];
  rows: Cell[][];
}
export interface Choice {
  x: string;
  y: string;
  colour: string;
}

export const placeOf = (study: Study, name: string): number => study.columns.findIndex((c) => c.name === name);
const placeOfRole = (study: Study, role: StudyColumn["role"]): number => study.columns.findIndex((c) => c.role === role);
export const numberOf = (study: Study, row: Cell[]): number => Number(row[placeOfRole(study, "row")]);
export const statusOf = (study: Study, row: Cell[]): string => String(row[placeOfRole(study, "status")] ?? "");
export const reasonOf = (study: Study, row: Cell[]): string => String(row[placeOfRole(study, "reason")] ?? "");
export const isGood = (status: string): boolean => status === "done" || status === "stopped";

// Keys may be words; all else that can be drawn is a number.
export const drawable = (study: Study): StudyColumn[] => study.columns.filter((c) => c.role !== "status" && c.role !== "reason");
export const colourable = (study: Study): StudyColumn[] => study.columns.filter((c) => c.role === "result" || c.role === "end");

// Two keys and what came of them; of one key, what came of it.
export function firstChoice(study: Study): Choice {
  const keys = study.columns.filter((c) => c.role === "key").map((c) => c.name);
  const results = [...study.aims, ...study.columns.filter((c) => c.role === "result").map((c) => c.name)];
  const colour = results[0] ?? "end";
  if (study.aims.length > 1) return { x: study.aims[0]!, y: study.aims[1]!, colour };
  return { x: keys[0] ?? "row", y: keys[1] ?? colour, colour };
}

// Numbers of a column; words are numbered in the order in which they come.
export interface Axis {
  values: number[]; // of each row; NaN: none
  words: string[]; // empty: numbers
}
export function axisOf(study: Study, name: string): Axis {
  const at = placeOf(study, name);
  const cells = study.rows.map((row) => row[at] ?? null);
  if (!cells.some((c) => typeof c === "string")) return { values: cells.map((c) => (typeof c === "number" ? c : NaN)), words: [] };
  const words = [...new Set(cells.map(String))];
  return { values: cells.map((c) => words.indexOf(String(c))), words };
}

// What is drawn: rows at the same place are one spot, with the mean of those that went well.
export interface Spot {
  x: number;
  y: number;
  rows: number[]; // indices
  value: number; // NaN: none of them went well
}
export interface Drawn {
  x: Axis;
  y: Axis;
  spots: Spot[];
  isGrid: boolean; // every x with every y: a map of fields, not of points
}

export function drawnOf(study: Study, choice: Choice): Drawn {
  const [x, y, colour] = [axisOf(study, choice.x), axisOf(study, choice.y), axisOf(study, choice.colour)];
  const spots = new Map<string, Spot & { sum: number; count: number }>();
  study.rows.forEach((row, i) => {
    const [px, py, c] = [x.values[i]!, y.values[i]!, colour.values[i]!];
    if (!Number.isFinite(px) || !Number.isFinite(py)) return;
    const key = `${px} ${py}`;
    const spot = spots.get(key) ?? { x: px, y: py, rows: [], value: NaN, sum: 0, count: 0 };
    spots.set(key, spot);
    spot.rows.push(i);
    if (!isGood(statusOf(study, row)) || !Number.isFinite(c)) return;
    spot.sum += c;
    spot.count++;
    spot.value = spot.sum / spot.count;
  });
  const all = [...spots.values()].map(({ x: px, y: py, rows, value }) => ({ x: px, y: py, rows, value }));
  const [nx, ny] = [new Set(all.map((s) => s.x)).size, new Set(all.map((s) => s.y)).size];
  return { x, y, spots: all, isGrid: nx > 1 && ny > 1 && 2 * all.length > nx * ny };
}

// Borders half way between neighbours, for the fields of a map.
export function edgesOf(values: number[]): { centres: number[]; edges: number[] } {
  const centres = [...new Set(values)].sort((a, b) => a - b);
  const n = centres.length;
  const first = n > 1 ? centres[1]! - centres[0]! : 1;
  const last = n > 1 ? centres[n - 1]! - centres[n - 2]! : 1;
  const edges = [centres[0]! - first / 2];
  for (let i = 1; i < n; i++) edges.push((centres[i - 1]! + centres[i]!) / 2);
  edges.push(centres[n - 1]! + last / 2);
  return { centres, edges };
}

// Rows by a column, those without a value last whatever the direction.
export function sortedRows(study: Study, name: string, down: boolean): number[] {
  const at = placeOf(study, name);
  const sign = down ? -1 : 1;
  return study.rows
    .map((_, i) => i)
    .sort((i, k) => {
      const [a, b] = [study.rows[i]![at] ?? null, study.rows[k]![at] ?? null];
      if (a === null || b === null) return Number(a === null) - Number(b === null) || i - k;
      if (a === b) return i - k;
      return a < b ? -sign : sign;
    });
}

export async function fetchStudy(url: string): Promise<Study> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Study;
}
