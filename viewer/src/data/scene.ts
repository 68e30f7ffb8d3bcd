// What there is to see, as docs/view-protocol.md defines it. `readScene` fills what is left out, so that drawing need not ask.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

// Flat lists: x, y, z of each vertex; three indices of each triangle, anticlockwise from outside.
export interface Faces {
  vertices: number[];
  triangles: number[];
}
export interface Shape {
  name: string;
  kind: "sphere" | "capsule" | "box" | "peg" | "cylinder" | "hull" | "mesh";
  radius: number;
  half_length: number;
  half: Vec3;
  faces: Faces | null; // of a hull or mesh
  p: Vec3;
  q: Quat;
}
export interface Body {
  name: string;
  mass: number;
  com: Vec3;
  shapes: Shape[];
  box: Vec3; // half the edges of one that turns like it, for a body without a skin; 0: not known
}
export interface Joint {
  name: string;
  kind: string;
  body1: string; // "": the world
  body2: string;
  p1: Vec3;
  p2: Vec3;
}
export interface Contact {
  name: string;
  body: string; // forces act on it
  other: string;
}
export type Ground =
  | { kind: "none" }
  | { kind: "plane"; normal: Vec3; height: number }
  | { kind: "steps"; height: number }
  | { kind: "heights"; nx: number; ny: number; x0: number; y0: number; dx: number; dy: number; z: number[] }
  | ({ kind: "mesh" } & Faces);
export interface Patch {
  name: string;
  soft: boolean;
  faces: Faces; // on the ground
}
export interface Rod {
  name: string;
  radius: number;
  points: number;
}
// What a drive can hold at a speed of its axis; empty lists: it has no bounds.
export interface Drive {
  name: string;
  turns: boolean; // N m and rad/s; else N and m/s
  speed: number[];
  least: number[];
  most: number[];
}
export interface Scene {
  name: string;
  title: string;
  gravity: Vec3;
  bodies: Body[];
  joints: Joint[];
  contacts: Contact[];
  ground: Ground;
  obstacles: Shape[];
  patches: Patch[];
  rods: Rod[];
  drives: Drive[];
}

type Loose = Record<string, unknown>;
const list = (x: unknown): Loose[] => (Array.isArray(x) ? (x as Loose[]) : []);
const text = (x: unknown): string => (typeof x === "string" ? x : "");
const number = (x: unknown, otherwise: number): number => (typeof x === "number" && Number.isFinite(x) ? x : otherwise);
const numbers = (x: unknown, otherwise: number[]): number[] =>
  Array.isArray(x) && x.length === otherwise.length ? x.map((v, i) => number(v, otherwise[i]!)) : otherwise;
const vec = (x: unknown): Vec3 => numbers(x, [0, 0, 0]) as Vec3;

function readFaces(s: Loose): Faces | null {
  if (!Array.isArray(s.vertices) || !Array.isArray(s.triangles)) return null;
  const vertices = s.vertices.map((v) => number(v, 0));
  const triangles = s.triangles.map((v) => number(v, -1));
  const sound = vertices.length % 3 === 0 && triangles.length % 3 === 0 && triangles.every((v) => Number.isInteger(v) && v >= 0 && 3 * v < vertices.length);
  return sound && triangles.length > 0 ? { vertices, triangles } : null;
}

function readDrive(d: Loose): Drive {
  const of = (x: unknown): number[] => (Array.isArray(x) ? x.map((v) => number(v, 0)) : []);
  const [speed, least, most] = [of(d.speed), of(d.least), of(d.most)];
  const sound = speed.length === least.length && speed.length === most.length;
  return { name: text(d.name), turns: d.turns === true, ...(sound ? { speed, least, most } : { speed: [], least: [], most: [] }) };
}

const kinds = ["capsule", "box", "peg", "cylinder", "hull", "mesh"] as const;

function readShape(s: Loose): Shape {
  const faces = readFaces(s);
  const kind = kinds.find((k) => k === s.kind) ?? "sphere";
  return {
    name: text(s.name),
    kind: (kind === "hull" || kind === "mesh") && !faces ? "sphere" : kind,
    faces,
    radius: number(s.radius, 0),
    half_length: number(s.half_length, 0),
    half: vec(s.half),
    p: vec(s.p),
    q: numbers(s.q, [1, 0, 0, 0]) as Quat,
  };
}

function readGround(g: Loose): Ground {
  if (g.kind === "plane") return { kind: "plane", normal: numbers(g.normal, [0, 0, 1]) as Vec3, height: number(g.height, 0) };
  if (g.kind === "steps") return { kind: "steps", height: number(g.height, 0) };
  if (g.kind === "heights" && Array.isArray(g.z)) {
    const nx = number(g.nx, 0);
    const ny = number(g.ny, 0);
    if (nx >= 2 && ny >= 2 && g.z.length === nx * ny) {
      const z = g.z.map((v) => number(v, 0));
      return { kind: "heights", nx, ny, x0: number(g.x0, 0), y0: number(g.y0, 0), dx: number(g.dx, 1), dy: number(g.dy, 1), z };
    }
  }
  if (g.kind === "mesh") {
    const faces = readFaces(g);
    if (faces) return { kind: "mesh", ...faces };
  }
  return { kind: "none" };
}

function readPatches(x: unknown): Patch[] {
  return list(x).flatMap((p) => {
    const faces = readFaces(p);
    return faces ? [{ name: text(p.name), soft: p.soft === true, faces }] : [];
  });
}

export function readScene(json: unknown): Scene {
  const s = (json ?? {}) as Loose;
  if (s.format !== "sinew scene 1") throw new Error(`scene of an unknown format "${text(s.format)}": this page knows "sinew scene 1"`);
  return {
    name: text(s.name),
    title: text(s.title),
    gravity: vec(s.gravity),
    bodies: list(s.bodies).map((b) => ({
      name: text(b.name),
      mass: number(b.mass, 0),
      com: vec(b.com),
      shapes: list(b.shapes).map(readShape),
      box: vec(b.box),
    })),
    joints: list(s.joints).map((j) => ({
      name: text(j.name),
      kind: text(j.kind),
      body1: text(j.body1),
      body2: text(j.body2),
      p1: vec(j.p1),
      p2: vec(j.p2),
    })),
    contacts: list(s.contacts).map((c) => ({ name: text(c.name), body: text(c.body), other: text(c.other) })),
    ground: readGround((s.ground ?? {}) as Loose),
    obstacles: list(s.obstacles).map(readShape),
    patches: readPatches(s.patches),
    rods: list(s.rods).map((r) => ({ name: text(r.name), radius: number(r.radius, 0.01), points: number(r.points, 0) })),
    drives: list(s.drives).map(readDrive),
  };
}

// Against gravity; z where there is none.
export function upOf(scene: Scene): Vec3 {
  const [x, y, z] = scene.gravity;
  const g = Math.hypot(x, y, z);
  return g > 1e-9 ? [-x / g, -y / g, -z / g] : [0, 0, 1];
}

// Is nothing tied to the world? Then the robot may go away, and the camera had better go with it.
export function roams(scene: Scene): boolean {
  return scene.bodies.length > 0 && !scene.joints.some((j) => j.body1 === "" && j.kind !== "free" && j.kind !== "planar");
}
