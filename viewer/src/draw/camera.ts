// Where to look from.
import { Vector3 } from "three";
import type { Vec3 } from "../data/scene";
import type { Box } from "./poses";
import type { Stage } from "./stage";

const right = new Vector3();
const upward = new Vector3();
const corner = new Vector3();

// Looks from `direction` at the box, as near as shows all of it. pad: around the box [m]
export function fit(stage: Stage, box: Box, pad: number, direction: Vector3, margin: number): void {
  const { camera, controls } = stage;
  const d = direction.clone().normalize();
  right.crossVectors(stage.up, d);
  if (right.lengthSq() < 1e-6) right.copy(stage.e1);
  right.normalize();
  upward.crossVectors(d, right);
  const high = Math.tan((camera.fov * Math.PI) / 360);
  const wide = high * camera.aspect;
  const centre = new Vector3(...box.low).add(new Vector3(...box.high)).multiplyScalar(0.5);
  let distance = 0;
  for (let i = 0; i < 8; i++) {
    corner.set(...([0, 1, 2].map((k) => ((i >> k) & 1 ? box.high[k]! + pad : box.low[k]! - pad)) as Vec3)).sub(centre);
    const along = corner.dot(d);
    distance = Math.max(distance, Math.abs(corner.dot(right)) / wide + along, Math.abs(corner.dot(upward)) / high + along);
  }
  controls.target.copy(centre);
  camera.position.copy(centre).addScaledVector(d, margin * Math.max(distance, 1e-3));
  controls.update();
  stage.dirty = true;
}

// Three quarters from the front where there is ground; nearly straight at the plane of motion of what hangs in the air.
export function firstDirection(stage: Stage, box: Box, grounded: boolean): Vector3 {
  const span = new Vector3(...box.high).sub(new Vector3(...box.low));
  const reach = (e: Vector3): number => Math.abs(span.x * e.x) + Math.abs(span.y * e.y) + Math.abs(span.z * e.z);
  const [a, b] = [reach(stage.e1), reach(stage.e2)];
  const out = new Vector3();
  if (!grounded) {
    if (a >= b) out.addScaledVector(stage.e2, -1).addScaledVector(stage.e1, 0.25);
    else out.addScaledVector(stage.e1, 1).addScaledVector(stage.e2, -0.25);
    return out.addScaledVector(stage.up, 0.18);
  }
  if (a >= b) out.addScaledVector(stage.e2, -1).addScaledVector(stage.e1, 0.4);
  else out.addScaledVector(stage.e2, -0.6).addScaledVector(stage.e1, -0.9);
  return out.addScaledVector(stage.up, 0.65);
}

export function directionOf(stage: Stage, name: "top" | "side"): Vector3 {
  // not quite straight down: there the way up on the screen would be undefined
  if (name === "top") return stage.up.clone().addScaledVector(stage.e2, -1e-3);
  return stage.e2.clone().multiplyScalar(-1).addScaledVector(stage.up, 0.06);
}

// angles [rad]: around the upright axis, and up
export function orbitBy(stage: Stage, around: number, upwards: number, zoom: number): void {
  const { camera, controls } = stage;
  const offset = camera.position.clone().sub(controls.target);
  offset.applyAxisAngle(stage.up, around);
  const height = Math.acos(Math.min(Math.max(offset.clone().normalize().dot(stage.up), -1), 1));
  const turn = Math.min(Math.max(height - upwards, 0.02), Math.PI - 0.02) - height;
  right.crossVectors(stage.up, offset).normalize();
  offset.applyAxisAngle(right, turn).multiplyScalar(zoom);
  camera.position.copy(controls.target).add(offset);
  controls.update();
  stage.dirty = true;
}

export interface Follow {
  on: boolean;
  at: Vector3;
  known: boolean;
}

// The camera goes along with the centre of mass, without its wobble: it lags by some tenths of a second. Jumps are made at once.
export function follow(stage: Stage, f: Follow, centre: Vec3, size: number, seconds: number): void {
  corner.set(...centre);
  if (!f.known) {
    f.at.copy(corner);
    f.known = true;
    return;
  }
  const step = corner.sub(f.at);
  if (step.length() < size && Number.isFinite(seconds)) step.multiplyScalar(1 - Math.exp(-seconds / 0.3));
  if (step.length() < 2e-5 * size) return; // a hundredth of a pixel: the picture may come to rest
  f.at.add(step);
  if (!f.on) return;
  stage.camera.position.add(step);
  stage.controls.target.add(step);
  stage.dirty = true;
}
