// Ground, its grid and what stands on it. Lines of the grid are as far apart as fits the distance.
import { BoxGeometry, BufferAttribute, BufferGeometry, CircleGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, type MeshLambertMaterial, PlaneGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Palette } from "../colours";
import type { Ground, Scene, Vec3 } from "../data/scene";
import { niceBelow } from "../math/nice";
import { gridOverGround, groundWithGrid, paintGrid, type GridMaterial } from "./grid";
import { instances, writeMatrix } from "./instances";
import { shapeParts, type Part } from "./parts";
import { matt } from "./solid";

export interface Floor {
  group: Group;
  plane: Group | null; // moves along with the camera, in its own plane
  fill: Mesh | null; // of the plane, with light and shadows
  over: Mesh<PlaneGeometry, GridMaterial> | null; // the grid
  plain: Mesh<PlaneGeometry, GridMaterial> | null; // both at once, without light
  solids: MeshLambertMaterial[]; // obstacles
  land: MeshLambertMaterial[]; // ground
  lines: LineBasicMaterial[];
  spacing: number; // of the grid now [m]
  origin: Vector3;
  normal: Vector3;
}

function flat(floor: Floor, normal: Vec3, height: number, filled: boolean): void {
  const n = new Vector3(...normal).normalize();
  floor.normal.copy(n);
  floor.origin.copy(n).multiplyScalar(height);
  const plane = new Group();
  plane.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), n));
  if (filled) {
    const material = matt({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const mesh = new Mesh(new CircleGeometry(1, 48), material);
    mesh.receiveShadow = true;
    floor.land.push(material);
    floor.fill = mesh;
    floor.plain = new Mesh(new PlaneGeometry(2, 2, 24, 24), groundWithGrid());
    floor.plain.renderOrder = 1; // behind what is already there, most of it need not be drawn
    plane.add(mesh, floor.plain);
  }
  floor.over = new Mesh(new PlaneGeometry(2, 2, 24, 24), gridOverGround());
  floor.over.renderOrder = 1;
  plane.add(floor.over);
  floor.plane = plane;
  floor.group.add(plane);
}

function heights(floor: Floor, g: Extract<Ground, { kind: "heights" }>): void {
  const at = new Float32Array(3 * g.nx * g.ny);
  const faces: number[] = [];
  const edges: number[] = [];
  for (let i = 0; i < g.nx; i++)
    for (let j = 0; j < g.ny; j++) {
      const k = i * g.ny + j;
      at.set([g.x0 + i * g.dx, g.y0 + j * g.dy, g.z[k]!], 3 * k);
      if (i + 1 < g.nx) edges.push(k, k + g.ny);
      if (j + 1 < g.ny) edges.push(k, k + 1);
      if (i + 1 < g.nx && j + 1 < g.ny) faces.push(k, k + g.ny, k + g.ny + 1, k, k + g.ny + 1, k + 1);
    }
  addLand(floor, at, faces, edges);
  floor.spacing = g.dx;
}

function meshed(floor: Floor, g: Extract<Ground, { kind: "mesh" }>): void {
  const edges: number[] = [];
  const seen = new Set<number>();
  for (let k = 0; k < g.triangles.length; k += 3)
    for (let i = 0; i < 3; i++) {
      const [a, b] = [g.triangles[k + i]!, g.triangles[k + ((i + 1) % 3)]!];
      const key = Math.min(a, b) * g.vertices.length + Math.max(a, b);
      if (!seen.has(key)) edges.push(a, b);
      seen.add(key);
    }
  addLand(floor, Float32Array.from(g.vertices), g.triangles, edges);
}

function addLand(floor: Floor, at: Float32Array, faces: number[], edges: number[]): void {
  const places = new BufferAttribute(at, 3);
  const z = Array.from({ length: at.length / 3 }, (_, i) => at[3 * i + 2]!);
  const land = new BufferGeometry().setAttribute("position", places).setAttribute("color", new BufferAttribute(shades(z), 3));
  land.setIndex(faces);
  land.computeVertexNormals();
  const material = matt({ vertexColors: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  const mesh = new Mesh(land, material);
  mesh.receiveShadow = mesh.castShadow = true;
  const net = new BufferGeometry().setAttribute("position", places);
  net.setIndex(edges);
  const lines = new LineBasicMaterial({ transparent: true, opacity: 0.35 });
  floor.group.add(mesh, new LineSegments(net, lines));
  floor.land.push(material);
  floor.lines.push(lines);
}

// Low ground is darker: waves of some centimetres hardly show by light alone.
function shades(z: number[]): Float32Array {
  const low = z.reduce((a, b) => Math.min(a, b));
  const span = z.reduce((a, b) => Math.max(a, b)) - low || 1;
  return Float32Array.from(z.flatMap((h) => Array<number>(3).fill(0.55 + (0.5 * (h - low)) / span)));
}

function obstacles(floor: Floor, scene: Scene): void {
  const parts = scene.obstacles.flatMap((o) => shapeParts(-1, o, 0.01));
  const geometry = { box: new BoxGeometry(1, 1, 1), sphere: new SphereGeometry(1, 24, 16), cylinder: new CylinderGeometry(1, 1, 1, 32).rotateX(Math.PI / 2) };
  for (const kind of ["box", "sphere", "cylinder"] as const) {
    const own = parts.filter((p) => p.kind === kind);
    if (own.length === 0) continue;
    const material = matt({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const mesh = instances(geometry[kind], material, own.length);
    own.forEach((o, i) => writeMatrix(mesh.instanceMatrix.array as Float32Array, i, ...o.p, ...o.q, ...o.scale));
    mesh.castShadow = mesh.receiveShadow = true;
    floor.solids.push(material);
    floor.group.add(mesh);
  }
  const boxes = parts.filter((p) => p.kind === "box");
  if (boxes.length > 0 && boxes.length < 500) edges(floor, boxes);
}

// Soft ground shows more than ground that only rubs in its own way. Patches lie a little over the ground, one over the other.
function patches(floor: Floor, scene: Scene): void {
  scene.patches.forEach((p, i) => {
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(p.faces.vertices), 3));
    geometry.setIndex(p.faces.triangles);
    geometry.computeVertexNormals();
    const material = matt({ transparent: true, opacity: p.soft ? 0.6 : 0.3, side: DoubleSide, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1 - i, polygonOffsetUnits: -1 - i });
    const mesh = new Mesh(geometry, material);
    mesh.name = p.name;
    mesh.receiveShadow = true;
    mesh.renderOrder = 2 + i;
    floor.solids.push(material);
    floor.group.add(mesh);
  });
}

// Steps of one colour are told apart by their edges.
function edges(floor: Floor, boxes: Part[]): void {
  const material = new LineBasicMaterial({ transparent: true, opacity: 0.8 });
  const geometry = new EdgesGeometry(new BoxGeometry(1, 1, 1));
  for (const b of boxes) {
    const lines = new LineSegments(geometry, material);
    lines.position.set(...b.p);
    lines.quaternion.set(b.q[1], b.q[2], b.q[3], b.q[0]);
    lines.scale.set(...b.scale);
    floor.group.add(lines);
  }
  floor.lines.push(material);
}

// below: where a grid is put when there is no ground, and which way is up
export function makeFloor(scene: Scene, below: number, up: Vec3): Floor {
  const floor: Floor = { group: new Group(), plane: null, fill: null, over: null, plain: null, solids: [], land: [], lines: [], spacing: 1, origin: new Vector3(), normal: new Vector3(0, 0, 1) };
  const g = scene.ground;
  if (g.kind === "plane") flat(floor, g.normal, g.height, true);
  else if (g.kind === "steps") flat(floor, [0, 0, 1], g.height, true);
  else if (g.kind === "heights") heights(floor, g);
  else if (g.kind === "mesh") meshed(floor, g);
  else flat(floor, up, below, false);
  obstacles(floor, scene);
  patches(floor, scene);
  return floor;
}

export function paintFloor(floor: Floor, palette: Palette): void {
  for (const m of floor.land) m.color.set(palette.ground);
  for (const m of floor.solids) m.color.set(palette.obstacle);
  for (const m of floor.lines) m.color.set(palette.grid);
  if (floor.over) paintGrid(floor.over.material, floor.plain?.material ?? null, palette);
}

export function setFloor(floor: Floor, lined: boolean, plain: boolean): void {
  if (!floor.over) return;
  const one = plain && floor.plain !== null;
  floor.over.visible = lined && !one;
  if (!floor.plain || !floor.fill) return;
  floor.fill.visible = !one;
  floor.plain.visible = one;
  floor.plain.material.uniforms.lined.value = lined ? 1 : 0;
}

const offset = new Vector3();
const back = new Quaternion();

// distance: from the camera to what it looks at
export function moveFloor(floor: Floor, target: Vector3, distance: number): void {
  if (!floor.plane || !floor.over) return;
  const reach = 14 * distance;
  offset.copy(target).sub(floor.origin);
  offset.addScaledVector(floor.normal, -offset.dot(floor.normal));
  floor.plane.position.copy(floor.origin).add(offset);
  floor.plane.scale.set(reach, reach, 1);
  offset.applyQuaternion(back.copy(floor.plane.quaternion).invert());
  floor.spacing = niceBelow(distance / 6);
  for (const mesh of [floor.over, floor.plain]) {
    if (!mesh) continue;
    const u = mesh.material.uniforms;
    u.shift.value[0] = offset.x;
    u.shift.value[1] = offset.y;
    u.half_width.value = reach;
    u.reach.value = reach * 0.8;
    u.spacing.value = floor.spacing;
  }
}
