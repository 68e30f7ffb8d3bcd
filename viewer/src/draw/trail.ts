// The way of one point up to now: a wide line, or where drawing is slow a thin one, which costs next to nothing.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { valueAt } from "../data/rows";
import type { Take } from "../data/take";

export interface Trail {
  group: Group;
  line: Line2;
  thin: Line<BufferGeometry, LineBasicMaterial>;
  columns: number[];
  rows: number; // known when it was made
  step: number; // rows from one corner to the next
  first: number; // absolute number of the row of the first corner
  corners: number;
}

const most = 3000; // corners

// point: "com" or the name of a body
export function makeTrail(take: Take, point: string): Trail | null {
  const prefix = point === "com" ? "com.p" : `body.${point}.p`;
  const columns = ["x", "y", "z"].map((a) => take.index.get(`${prefix}.${a}`) ?? -1);
  if (columns.some((c) => c < 0)) return null;
  const line = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 2.5, fog: false }));
  const thin = new Line(new BufferGeometry(), new LineBasicMaterial({ fog: false }));
  for (const l of [line, thin]) {
    l.frustumCulled = false;
    l.renderOrder = 2;
  }
  const group = new Group().add(line, thin);
  group.visible = false;
  return { group, line, thin, columns, rows: 0, step: 1, first: 0, corners: 0 };
}

export function paintTrail(trail: Trail, colour: string): void {
  trail.line.material.color.set(colour);
  trail.thin.material.color.set(colour);
}

export function setThin(trail: Trail, thin: boolean): void {
  trail.line.visible = !thin;
  trail.thin.visible = thin;
}

export function discardTrail(trail: Trail): void {
  for (const l of [trail.line, trail.thin]) {
    l.geometry.dispose();
    l.material.dispose();
  }
  trail.group.removeFromParent();
}

function rebuild(trail: Trail, take: Take): void {
  trail.rows = take.rows.count + take.rows.dropped;
  trail.first = take.rows.dropped;
  trail.step = Math.max(1, Math.ceil(take.rows.count / most));
  const at: number[] = [];
  for (let row = 0; row < take.rows.count; row += trail.step) for (const c of trail.columns) at.push(valueAt(take.rows, row, c));
  trail.corners = at.length / 3;
  if (trail.corners < 2) return;
  trail.line.geometry.dispose();
  trail.line.geometry = new LineGeometry();
  trail.line.geometry.setPositions(at);
  trail.thin.geometry.dispose();
  trail.thin.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(at), 3));
}

// row: of now. A live run grows all the time: the line is made anew only when it has fallen some rows behind.
export function moveTrail(trail: Trail, take: Take, row: number): void {
  const now = row + take.rows.dropped;
  const behind = take.rows.count + take.rows.dropped - trail.rows;
  if (trail.rows === 0 || now > trail.rows + 8 * trail.step || (behind > 0 && now >= trail.rows && behind > 8)) rebuild(trail, take);
  const seen = Math.min(Math.floor((now - trail.first) / trail.step), trail.corners - 1);
  trail.group.visible = seen >= 1;
  trail.line.geometry.instanceCount = Math.max(seen, 0);
  trail.thin.geometry.setDrawRange(0, Math.max(seen, 0) + 1);
}
