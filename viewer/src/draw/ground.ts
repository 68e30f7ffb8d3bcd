// Ground, its grid and what stands on it. The grid is drawn by a shader, as wide as one sees, with lines as far apart as fits the distance.
import { BoxGeometry, BufferAttribute, BufferGeometry, CircleGeometry, Color, CylinderGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, type MeshLambertMaterial, PlaneGeometry, Quaternion, ShaderMaterial, SphereGeometry, Vector3 } from "three";
import type { Ground, Scene, Vec3 } from "../data/scene";
import { niceBelow } from "../math/nice";
import { instances, writeMatrix } from "./instances";
import { shapeParts, type Part } from "./parts";
import type { Palette } from "./palette";
import { matt } from "./solid";

export interface Floor {
  group: Group;
  plane: Group | null; // moves along with the camera, in its own plane
  fill: Mesh | null; // of the plane, with light and shadows
  grid: ShaderMaterial | null;
  solids: MeshLambertMaterial[]; // obstacles
  land: MeshLambertMaterial[]; // ground
  lines: LineBasicMaterial[];
  spacing: number; // of the grid now [m]
  origin: Vector3;
  normal: Vector3;
}

const gridShader = {
  vertexShader: /* glsl */ `
    varying vec2 at; varying float away;
    uniform vec2 shift; uniform float half_width;
    void main() {
      vec4 p = modelViewMatrix * vec4(position, 1.0);
      at = position.xy * half_width + shift;
      away = -p.z;
      gl_Position = projectionMatrix * p;
    }`,
  fragmentShader: /* glsl */ `
    varying vec2 at; varying float away;
    uniform float spacing; uniform float reach; uniform vec3 colour; uniform vec3 ground; uniform vec3 haze;
    uniform float lined; uniform float filled;
    float lines(float d, float width) {
      vec2 w = fwidth(at / d);
      vec2 a = abs(fract(at / d - 0.5) - 0.5) / max(w, vec2(1e-6));
      return (1.0 - min(min(a.x, a.y) / width, 1.0)) * (1.0 - smoothstep(0.25, 0.6, max(w.x, w.y)));
    }
    void main() {
      float strength = max(0.28 * lines(spacing, 1.0), 0.55 * lines(5.0 * spacing, 1.4));
      strength *= lined * (1.0 - smoothstep(0.25 * reach, reach, away));
      if (strength + filled < 0.004) discard;
      vec3 earth = mix(ground, haze, smoothstep(0.28 * reach, 0.85 * reach, away));
      gl_FragColor = filled > 0.5 ? vec4(mix(earth, colour, strength), 1.0) : vec4(colour, strength);
      #include <colorspace_fragment>
    }`,
};

function gridMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    ...gridShader,
    uniforms: {
      spacing: { value: 0.1 }, reach: { value: 10 }, shift: { value: [0, 0] }, half_width: { value: 1 },
      colour: { value: new Color() }, ground: { value: new Color() }, haze: { value: new Color() },
      lined: { value: 1 }, filled: { value: 0 },
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
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
    plane.add(mesh);
  }
  floor.grid = gridMaterial();
  const overlay = new Mesh(new PlaneGeometry(2, 2), floor.grid);
  overlay.renderOrder = 1;
  plane.add(overlay);
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
  const floor: Floor = { group: new Group(), plane: null, fill: null, grid: null, solids: [], land: [], lines: [], spacing: 1, origin: new Vector3(), normal: new Vector3(0, 0, 1) };
  const g = scene.ground;
  if (g.kind === "plane") flat(floor, g.normal, g.height, true);
  else if (g.kind === "steps") flat(floor, [0, 0, 1], g.height, true);
  else if (g.kind === "heights") heights(floor, g);
  else if (g.kind === "mesh") meshed(floor, g);
  else flat(floor, up, below, false);
  obstacles(floor, scene);
  return floor;
}

export function paintFloor(floor: Floor, palette: Palette): void {
  for (const m of floor.land) m.color.set(palette.ground);
  for (const m of floor.solids) m.color.set(palette.obstacle);
  for (const m of floor.lines) m.color.set(palette.grid);
  const colours = floor.grid?.uniforms;
  (colours?.colour!.value as Color | undefined)?.set(palette.grid);
  (colours?.ground!.value as Color | undefined)?.set(palette.ground);
  (colours?.haze!.value as Color | undefined)?.set(palette.background);
}

// plain: grid and ground in one go, without light
export function setFloor(floor: Floor, lined: boolean, plain: boolean): void {
  if (!floor.grid) return;
  floor.grid.uniforms.lined!.value = lined ? 1 : 0;
  floor.grid.uniforms.filled!.value = floor.fill && plain ? 1 : 0;
  if (floor.fill) floor.fill.visible = !plain;
}

const offset = new Vector3();
const back = new Quaternion();

// distance: from the camera to what it looks at
export function moveFloor(floor: Floor, target: Vector3, distance: number): void {
  if (!floor.plane || !floor.grid) return;
  const u = floor.grid.uniforms;
  const reach = 14 * distance;
  offset.copy(target).sub(floor.origin);
  offset.addScaledVector(floor.normal, -offset.dot(floor.normal));
  floor.plane.position.copy(floor.origin).add(offset);
  floor.plane.scale.set(reach, reach, 1);
  offset.applyQuaternion(back.copy(floor.plane.quaternion).invert());
  (u.shift!.value as number[])[0] = offset.x;
  (u.shift!.value as number[])[1] = offset.y;
  u.half_width!.value = reach;
  u.reach!.value = reach * 0.8;
  floor.spacing = u.spacing!.value = niceBelow(distance / 6);
}
