// Flat soles that stand: contacts have one point, where the sum of the pressure acts, so that the support polygon needs the corners of the soles.
import { offsetOf, pieceOf } from "../data/rows";
import type { Scene } from "../data/scene";
import type { Take } from "../data/take";
import { rotateInto } from "../math/rotate";
import type { Poses } from "./poses";

export interface Soles {
  body: Int32Array;
  column: Int32Array; // how many points of that body touch
  corners: Float64Array; // of the lower face in the body's axes, four a sole
  points: Float64Array; // of those that stand, in the world
  count: number;
}

export function makeSoles(take: Take, scene: Scene): Soles {
  const body: number[] = [];
  const column: number[] = [];
  const corners: number[] = [];
  scene.bodies.forEach((b, i) => {
    const sole = b.shapes.find((s) => s.name === "sole" && s.kind === "box");
    const touching = take.index.get(`body.${b.name}.contact.count`);
    if (!sole || touching === undefined) return;
    body.push(i);
    column.push(touching);
    for (const [x, y] of [[1, 1], [-1, 1], [-1, -1], [1, -1]] as const) {
      const at = [0, 0, 0];
      rotateInto(sole.q, 0, x * sole.half[0], y * sole.half[1], -sole.half[2], at, 0);
      corners.push(...at.map((a, k) => a + sole.p[k]!));
    }
  });
  return { body: Int32Array.from(body), column: Int32Array.from(column), corners: Float64Array.from(corners), points: new Float64Array(corners.length), count: 0 };
}

export function moveSoles(s: Soles, take: Take, poses: Poses): void {
  s.count = 0;
  if (take.rows.count === 0) return;
  const data = pieceOf(take.rows, poses.row);
  const o = offsetOf(take.rows, poses.row);
  for (let i = 0; i < s.body.length; i++) {
    if (!(data[o + s.column[i]!]! > 0)) continue;
    const b = s.body[i]!;
    for (let k = 12 * i; k < 12 * i + 12; k += 3) {
      const to = 3 * s.count++;
      rotateInto(poses.q, 4 * b, s.corners[k]!, s.corners[k + 1]!, s.corners[k + 2]!, s.points, to);
      for (let a = 0; a < 3; a++) s.points[to + a]! += poses.p[3 * b + a]!;
    }
  }
}
