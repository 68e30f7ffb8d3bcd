// The robot: three instanced meshes, whatever its number of links, and one more for each mesh that a shape brings. A processor that draws by itself
// takes its time for every triangle: while things move there, a ball is the half that is seen, a cylinder has no ends, and all of a kind are one mesh.
import { BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, Group, InstancedMesh, Raycaster, SphereGeometry, type Vector3 } from "three";
import type { Palette } from "../colours";
import type { Faces, Scene } from "../data/scene";
import { rotateInto } from "../math/rotate";
import { instances, writeAlong, writeMatrix } from "./instances";
import { litByCorner } from "./lit";
import { merge, show, update, type Merged } from "./merged";
import { robotParts, type Part } from "./parts";
import type { Poses } from "./poses";
import { drawnBySoftware, glossy } from "./solid";

interface Pool {
  mesh: InstancedMesh;
  kind: Part["kind"];
  parts: Part[];
  merged: Merged | null; // null: there is a graphics card
}
export interface Robot {
  group: Group;
  pools: Pool[];
  heads: Uint8Array; // 1: the first of many bodies
  instances: number;
  plain: boolean;
}

// Facets as they are, without smoothing: one sees what touches.
export function geometryOfFaces(faces: Faces): BufferGeometry {
  const shared = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(faces.vertices), 3));
  shared.setIndex(faces.triangles);
  const apart = shared.toNonIndexed();
  apart.computeVertexNormals();
  return apart;
}

// Of many, each is small on the screen: coarser ones do.
function geometryOf(kind: Part["kind"], n: number): BufferGeometry {
  const around = n > 200 ? (drawnBySoftware() ? 8 : 14) : 32;
  if (kind === "box") return new BoxGeometry(1, 1, 1);
  if (kind === "sphere") return new SphereGeometry(1, Math.round(around), Math.round(0.65 * around));
  return new CylinderGeometry(1, 1, 1, Math.round(around)).rotateX(Math.PI / 2);
}

// half: of a ball, the side towards z; its shading is that of the whole
function plainGeometryOf(kind: Part["kind"], n: number): BufferGeometry {
  if (kind === "box") return new BoxGeometry(1, 1, 1);
  const [around, rings] = n > 200 ? [7, 1] : [14, 3];
  if (kind === "sphere") return new SphereGeometry(1, around, rings, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
  return new CylinderGeometry(1, 1, 1, around, 1, true).rotateX(Math.PI / 2);
}

export function makeRobot(scene: Scene): Robot {
  const parts = robotParts(scene);
  const group = new Group();
  const pool = (kind: Part["kind"], geometry: BufferGeometry, plain: BufferGeometry, own: Part[]): Pool => {
    const mesh = instances(geometry, glossy(), own.length);
    mesh.castShadow = mesh.receiveShadow = true;
    const merged = drawnBySoftware() ? merge(mesh, plain, litByCorner()) : null;
    group.add(mesh, ...(merged ? [merged.mesh] : []));
    return { mesh, kind, parts: own, merged };
  };
  const pools = (["sphere", "cylinder", "box"] as const).flatMap((kind) => {
    const own = parts.filter((p) => p.kind === kind);
    return own.length === 0 ? [] : [pool(kind, geometryOf(kind, own.length), plainGeometryOf(kind, own.length), own)];
  });
  for (const part of parts) {
    if (!part.faces) continue;
    const geometry = geometryOfFaces(part.faces);
    pools.push(pool("mesh", geometry, geometry, [part]));
  }
  const heads = new Uint8Array(scene.bodies.length);
  if (scene.bodies.length >= 4 && scene.joints.some((j) => j.body1 !== "")) heads[0] = 1;
  return { group, pools, heads, instances: parts.length, plain: false };
}

export function setPlain(robot: Robot, plain: boolean): void {
  robot.plain = plain && drawnBySoftware();
  for (const { merged } of robot.pools) if (merged) show(merged, robot.plain);
}

const at = new Float64Array(3);

function turnTo(eye: Vector3, m: Float32Array, i: number, { body, p, scale }: Part, poses: Poses): void {
  at.set(p);
  if (body >= 0) {
    rotateInto(poses.q, 4 * body, p[0], p[1], p[2], at, 0);
    for (let j = 0; j < 3; j++) at[j]! += poses.p[3 * body + j]!;
  }
  const [dx, dy, dz] = [eye.x - at[0]!, eye.y - at[1]!, eye.z - at[2]!];
  const n = 1 / (Math.hypot(dx, dy, dz) || 1);
  writeAlong(m, i, at[0]!, at[1]!, at[2]!, dx * n, dy * n, dz * n, scale[0], scale[0]);
}

// eye: halves of balls are turned towards it
export function moveRobot(robot: Robot, poses: Poses, eye: Vector3): void {
  for (const { mesh, kind, parts, merged } of robot.pools) {
    const halves = robot.plain && kind === "sphere";
    const m = mesh.instanceMatrix.array as Float32Array;
    for (let i = 0; i < parts.length; i++) {
      const { body, p, q, scale } = parts[i]!;
      if (body < 0 && !halves) {
        writeMatrix(m, i, p[0], p[1], p[2], q[0], q[1], q[2], q[3], scale[0], scale[1], scale[2]);
        continue;
      }
      if (body >= 0 && !poses.seen[body]) {
        m.fill(0, 16 * i, 16 * i + 16);
        continue;
      }
      if (halves) {
        turnTo(eye, m, i, parts[i]!, poses);
        continue;
      }
      const k = 4 * body;
      const w = poses.q[k]!;
      const x = poses.q[k + 1]!;
      const y = poses.q[k + 2]!;
      const z = poses.q[k + 3]!;
      rotateInto(poses.q, k, p[0], p[1], p[2], at, 0);
      writeMatrix(
        m, i,
        at[0]! + poses.p[3 * body]!, at[1]! + poses.p[3 * body + 1]!, at[2]! + poses.p[3 * body + 2]!,
        w * q[0] - x * q[1] - y * q[2] - z * q[3],
        w * q[1] + x * q[0] + y * q[3] - z * q[2],
        w * q[2] - x * q[3] + y * q[0] + z * q[1],
        w * q[3] + x * q[2] - y * q[1] + z * q[0],
        scale[0], scale[1], scale[2],
      );
    }
    mesh.instanceMatrix.needsUpdate = true;
    if (merged && robot.plain) update(merged);
  }
}

const colour = new Color();

// Neighbouring links in two shades, so that they can be counted. values: three numbers (linear red, green, blue) a body, or null.
export function paintRobot(robot: Robot, palette: Palette, values: Float32Array | null): void {
  for (const { mesh, parts } of robot.pools) {
    const c = mesh.instanceColor!.array as Float32Array;
    for (let i = 0; i < parts.length; i++) {
      const { body, tone } = parts[i]!;
      if (values && body >= 0 && tone === "link") {
        c[3 * i] = values[3 * body]!;
        c[3 * i + 1] = values[3 * body + 1]!;
        c[3 * i + 2] = values[3 * body + 2]!;
        continue;
      }
      const name = tone === "frame" ? palette.frame : robot.heads[body] ? palette.head : body % 2 ? palette.linkB : palette.linkA;
      colour.set(name).toArray(c, 3 * i);
    }
    mesh.instanceColor!.needsUpdate = true;
  }
}

export interface Pick {
  body: number;
  point: [number, number, number]; // in the world
}

export function pickBody(robot: Robot, ray: Raycaster): Pick | null {
  let best: Pick | null = null;
  let nearest = Infinity;
  for (const { mesh, parts } of robot.pools) {
    mesh.boundingSphere = null; // of where the robot was at the last pick
    for (const hit of ray.intersectObject(mesh)) {
      const body = parts[hit.instanceId ?? 0]!.body;
      if (body < 0 || hit.distance >= nearest) continue;
      nearest = hit.distance;
      best = { body, point: hit.point.toArray() };
    }
  }
  return best;
}
