// Continuum robots: each rod a tube whose colour is its curvature.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, SRGBColorSpace } from "three";
import { offsetOf, pieceOf, valueAt } from "../data/rows";
import type { Rod, Scene } from "../data/scene";
import type { Take } from "../data/take";
import { scaleColour, type Rgb } from "../math/colour";
import { niceAbove } from "../math/nice";
import { glossy } from "./solid";
import { makeTube, shapeTube, type Tube } from "./tube";

interface Drawn {
  rod: Rod;
  columns: number[];
  tube: Tube;
  points: Float64Array;
  mesh: Mesh;
  colours: Float32Array;
}
export interface Rods {
  group: Group;
  drawn: Drawn[];
  most: number; // end of the scale of curvature [1/m]; grows with what is seen
}

export function makeRods(take: Take, scene: Scene): Rods {
  const group = new Group();
  const drawn = scene.rods.flatMap((rod) => {
    const columns = Array.from({ length: rod.points }, (_, k) => ["x", "y", "z"].map((a) => take.index.get(`rod.${rod.name}.${k}.p.${a}`) ?? -1)).flat();
    if (rod.points < 2 || columns.some((c) => c < 0)) return [];
    const tube = makeTube(rod.points);
    const colours = new Float32Array(tube.at.length);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(tube.at, 3));
    geometry.setAttribute("normal", new BufferAttribute(tube.out, 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    geometry.setIndex(tube.index);
    const mesh = new Mesh(geometry, glossy({ vertexColors: true, side: DoubleSide }));
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
    return [{ rod, columns, tube, points: new Float64Array(3 * rod.points), mesh, colours }];
  });
  return { group, drawn, most: 0 };
}

// Widens a box by all points of all rods in a row.
export function rodsInto(rods: Rods, take: Take, row: number, low: number[], high: number[]): void {
  for (const { columns } of rods.drawn)
    columns.forEach((c, i) => {
      const x = valueAt(take.rows, row, c);
      low[i % 3] = Math.min(low[i % 3]!, x);
      high[i % 3] = Math.max(high[i % 3]!, x);
    });
}

const rgb: Rgb = [0, 0, 0];
const linear = new Color();

export function moveRods(rods: Rods, take: Take, row: number, dark: boolean): void {
  if (rods.drawn.length === 0 || take.rows.count === 0) return;
  const d = pieceOf(take.rows, row);
  const o = offsetOf(take.rows, row);
  for (const { rod, columns, tube, points } of rods.drawn) {
    for (let i = 0; i < columns.length; i++) points[i] = d[o + columns[i]!]!;
    shapeTube(tube, points, rod.radius);
    for (const b of tube.bend) if (b > rods.most) rods.most = niceAbove(b);
  }
  for (const { tube, mesh, colours } of rods.drawn) {
    for (let r = 0; r < tube.rings; r++) {
      scaleColour(tube.bend[r]! / (rods.most || 1), dark, rgb);
      linear.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
      for (let i = 0; i < tube.sides; i++) linear.toArray(colours, 3 * (r * tube.sides + i));
    }
    for (const name of ["position", "normal", "color"]) mesh.geometry.getAttribute(name).needsUpdate = true;
  }
}
