// The drawing as a whole: one take at one time, and what of it is shown.
import { Group, Mesh, Raycaster, Vector2, Vector3, type Material } from "three";
import { colours, type Palette } from "../colours";
import { roams, upOf, type Scene, type Vec3 } from "../data/scene";
import { firstTime, rowAtTime, type Take } from "../data/take";
import { niceAbove } from "../math/nice";
import { makeBalance, moveBalance, paintBalance, type Balance } from "./balance";
import { directionOf, firstDirection, fit, follow, type Follow } from "./camera";
import { isCrowd, makeForces, mergeForces, moveForces, type Forces } from "./forces";
import { makeFloor, moveFloor, paintFloor, setFloor, type Floor } from "./ground";
import { groundBelow, makeMarks, moveCom, moveSupport, paintMarks, type Marks } from "./marks";
import { sizeOf } from "./parts";
import { extent, makePoses, updatePoses, type Box, type Point, type Poses } from "./poses";
import { makeRobot, moveRobot, paintRobot, pickBody, setPlain, type Pick, type Robot } from "./robot";
import { makeRods, moveRods, rodsInto, type Rods } from "./rods";
import { drawnBySoftware } from "./solid";
import { makeSoles, moveSoles, type Soles } from "./soles";
import { aim, finest, isPlain, makeStage, paintStage, plainest, resize, setLevel, setUp, type Stage } from "./stage";
import { makeTorques, updateTorques, type Torques } from "./torque";
import { discardTrail, makeTrail, moveTrail, paintTrail, setThin, type Trail } from "./trail";

export type Shown = "forces" | "torque" | "trail" | "com" | "balance" | "support" | "shadows" | "grid";

export interface Drawing {
  take: Take;
  scene: Scene;
  poses: Poses;
  root: Group;
  robot: Robot;
  floor: Floor;
  forces: Forces;
  torques: Torques;
  marks: Marks;
  balance: Balance | null; // of robots with soles
  soles: Soles;
  rods: Rods;
  trail: Trail | null;
  size: number; // of the robot [m]
  pad: number; // from a body's centre to its skin [m]
  below: number; // level of the grid where there is no ground
  newtonsPerMetre: number; // of arrows, before `scale`
  placed: boolean; // the camera has been
}

export interface View {
  stage: Stage;
  show: Set<Shown>;
  trailPoint: string;
  scale: number;
  palette: Palette;
  follow: Follow;
  level: number; // of plainness while things move, see stage.ts
  least: number; // a finer one is known to be too slow
  climbed: boolean; // the level was last changed to a finer one
  fine: boolean; // the picture on the screen is a still one with all there is
  drawing: Drawing | null;
  keepCamera: boolean; // it was set before the first row came
  frames: number;
  update: number; // of moving everything, mean of the last frames [ms]
  cost: number; // with handing it to the graphics card
  slow: number; // mean time between frames while they follow each other [ms]
  since: number; // time drawn since the level was last changed [ms]
  last: number;
}

export function makeView(host: HTMLElement): View {
  const stage = makeStage(host);
  const level = drawnBySoftware() ? 2 : 0;
  const view: View = {
    stage,
    show: new Set<Shown>(["forces", "com", "balance", "shadows", "grid", "trail"]),
    trailPoint: "com",
    scale: 1,
    palette: colours.light.drawing,
    follow: { on: false, at: new Vector3(), known: false },
    level,
    least: level,
    climbed: false,
    fine: false,
    drawing: null,
    keepCamera: false,
    frames: 0,
    update: 0,
    cost: 0,
    slow: 16,
    since: 0,
    last: 0,
  };
  new ResizeObserver(() => {
    resize(stage, host.clientWidth, host.clientHeight);
    render(view, performance.now());
  }).observe(host);
  setDetail(view, level);
  return view;
}

// What depends on how plain the picture is to be.
function setDetail(view: View, level: number): void {
  setLevel(view.stage, level);
  const d = view.drawing;
  if (!d) return;
  setPlain(d.robot, isPlain(level));
  mergeForces(d.forces, isPlain(level));
  setFloor(d.floor, view.show.has("grid"), isPlain(level));
  if (d.trail) setThin(d.trail, isPlain(level) && drawnBySoftware());
}

function discard(drawing: Drawing): void {
  if (drawing.trail) discardTrail(drawing.trail);
  drawing.root.traverse((o) => {
    const mesh = o as Mesh;
    mesh.geometry?.dispose();
    (mesh.material as Material | undefined)?.dispose();
  });
  drawing.root.removeFromParent();
}

const widest = (b: Box): number => Math.max(...b.high.map((h, i) => h - b.low[i]!));

export function setTake(view: View, take: Take | null): void {
  if (view.drawing) discard(view.drawing);
  view.drawing = null;
  view.stage.dirty = true;
  if (!take?.scene) return;
  const scene = take.scene;
  const up = upOf(scene);
  setUp(view.stage, up);
  view.follow.on = roams(scene);
  view.follow.known = view.keepCamera = false;
  const poses = makePoses(take, scene);
  const root = new Group();
  const forces = makeForces(take, scene, drawnBySoftware());
  const soles = makeSoles(take, scene);
  const drawing: Drawing = {
    take, scene, poses, root, forces,
    robot: makeRobot(scene),
    floor: makeFloor(scene, 0, up),
    torques: makeTorques(take, scene),
    marks: makeMarks(scene.contacts.length + 4 * soles.body.length),
    balance: makeBalance(take, scene),
    soles,
    rods: makeRods(take, scene),
    trail: null,
    size: 1, pad: 0.1, below: 0, newtonsPerMetre: 1, placed: false,
  };
  root.add(drawing.robot.group, drawing.floor.group, forces.group, drawing.marks.com, drawing.marks.support, drawing.rods.group);
  if (drawing.balance) root.add(drawing.balance.group);
  view.stage.scene.add(root);
  view.drawing = drawing;
  setTrail(view, view.trailPoint);
  setDetail(view, view.stage.level);
  paint(view, view.palette);
}

// From a body's centre to its skin.
function reach(scene: Scene): number {
  const shaped = scene.bodies.some((b) => b.shapes.length > 0);
  return Math.max((shaped ? 1 : 0.1) * sizeOf(scene), ...scene.rods.map((r) => r.radius));
}

// Where bodies without a skin end.
function endsOf(scene: Scene): Point[] {
  const end = (name: string, p: Vec3): Point[] => {
    const body = scene.bodies.findIndex((b) => b.name === name && b.shapes.length === 0);
    const com = scene.bodies[body]?.com;
    return com ? [{ body, arm: [p[0] - com[0], p[1] - com[1], p[2] - com[2]] }] : [];
  };
  return scene.joints.filter((j) => j.kind !== "free" && j.kind !== "planar").flatMap((j) => [...end(j.body1, j.p1), ...end(j.body2, j.p2)]);
}

// Bodies and where they hang, at one time or (null) at all times.
function boxOf(d: Drawing, t: number | null): Box {
  const box = extent(d.poses, d.take, t, endsOf(d.scene));
  rodsInto(d.rods, d.take, rowAtTime(d.take, t ?? 0), box.low, box.high);
  for (const j of d.scene.joints)
    if (j.body1 === "" && j.kind !== "free" && j.kind !== "planar")
      for (let i = 0; i < 3; i++) {
        box.low[i] = Math.min(box.low[i]!, j.p1[i]!);
        box.high[i] = Math.max(box.high[i]!, j.p1[i]!);
      }
  return box;
}

// Sizes need the first row; a live run brings it a moment later.
function measure(view: View, d: Drawing, t: number): void {
  if (d.placed || d.take.rows.count === 0) return;
  d.placed = true;
  d.pad = reach(d.scene);
  d.size = widest(boxOf(d, firstTime(d.take))) + 2 * d.pad;
  const g = Math.hypot(...d.scene.gravity);
  const weight = d.scene.bodies.reduce((sum, b) => sum + b.mass, 0) * (g || 9.81);
  // the weight of all is an arrow nearly as long as the robot; of a crowd, that of one body as long as a body
  d.newtonsPerMetre = niceAbove((isCrowd(d.take, d.scene) ? weight / d.scene.bodies.length / (2 * d.pad) : weight / (0.8 * d.size)) || 1);
  if (d.scene.ground.kind === "none") {
    const all = boxOf(d, null);
    const up = upOf(d.scene);
    const lows = [0, 1, 2].map((i) => (up[i]! >= 0 ? all.low[i]! : all.high[i]!) * up[i]!);
    d.below = lows.reduce((a, b) => a + b, 0) - d.pad - 0.1 * d.size;
    d.floor.origin.copy(d.floor.normal).multiplyScalar(d.below);
  }
  if (!view.keepCamera) lookFrom(view, "start", t);
}

// fit: as now, only nearer or farther
export function lookFrom(view: View, where: "start" | "top" | "side" | "fit", t: number): void {
  const d = view.drawing;
  if (!d || d.take.rows.count === 0) return;
  const grounded = d.scene.ground.kind !== "none";
  const box = boxOf(d, view.follow.on ? t : null);
  const way = view.stage.camera.position.clone().sub(view.stage.controls.target);
  const direction = where === "start" ? firstDirection(view.stage, box, grounded) : where === "fit" ? way : directionOf(view.stage, where);
  fit(view.stage, box, d.pad, direction, view.follow.on ? 1.35 : 1.15);
  view.follow.known = false;
}

export function setTrail(view: View, point: string): void {
  view.trailPoint = point;
  const d = view.drawing;
  if (!d) return;
  if (d.trail) discardTrail(d.trail);
  d.trail = makeTrail(d.take, point);
  if (d.trail) {
    paintTrail(d.trail, view.palette.trail);
    setThin(d.trail, isPlain(view.stage.level) && drawnBySoftware());
    d.root.add(d.trail.group);
  }
  view.stage.dirty = true;
}

export function paint(view: View, palette: Palette): void {
  view.palette = palette;
  paintStage(view.stage, palette);
  const d = view.drawing;
  if (!d) return;
  paintFloor(d.floor, palette);
  paintMarks(d.marks, palette);
  if (d.balance) paintBalance(d.balance, palette);
  paintRobot(d.robot, palette, null);
  if (d.trail) paintTrail(d.trail, palette.trail);
}

export function setShown(view: View, what: Shown, on: boolean): void {
  if (on) view.show.add(what);
  else view.show.delete(what);
  view.stage.shadows = view.show.has("shadows");
  setDetail(view, view.stage.level);
  if (view.drawing) paintRobot(view.drawing.robot, view.palette, null);
}

export const newtonsPerMetre = (view: View): number => (view.drawing?.newtonsPerMetre ?? 1) / view.scale;

function move(view: View, d: Drawing, t: number): void {
  const { poses, take } = d;
  const has = (what: Shown): boolean => view.show.has(what);
  updatePoses(poses, take, t);
  moveRobot(d.robot, poses, view.stage.camera.position);
  if (has("torque") && d.torques.of.length > 0) {
    updateTorques(d.torques, take, poses.row, view.palette.dark);
    paintRobot(d.robot, view.palette, d.torques.colours);
  }
  moveForces(d.forces, take, poses, view.palette, 1 / newtonsPerMetre(view), Math.min(0.0035 * d.size, 0.1 * d.pad), 2 * d.size);
  d.forces.group.visible = has("forces");
  d.marks.com.visible = has("com") && (d.scene.bodies.length > 0 || poses.mass[0]! >= 0);
  d.marks.support.visible = has("support");
  const up: Vec3 = [view.stage.up.x, view.stage.up.y, view.stage.up.z];
  const below = has("com") || has("balance") ? groundBelow(d.scene.ground, poses.centre, up, d.below) : 0;
  if (has("com")) moveCom(d.marks, poses.centre, below, up, d.size);
  if (d.balance) {
    d.balance.group.visible = has("balance");
    if (has("balance")) moveBalance(d.balance, take, poses.row, poses.centre, below, up, d.size);
  }
  if (has("support")) {
    moveSoles(d.soles, take, poses);
    moveSupport(d.marks, d.forces, d.soles, view.stage.e1, view.stage.e2);
  }
  moveRods(d.rods, take, poses.row, view.palette.dark);
  if (d.trail) {
    moveTrail(d.trail, take, poses.row);
    d.trail.group.visible &&= has("trail");
  }
}

function render(view: View, now: number): void {
  const { stage } = view;
  stage.dirty = false;
  stage.renderer.render(stage.scene, stage.camera);
  view.frames++;
  const gap = now - view.last;
  view.last = now;
  if (gap < 1500) adapt(view, gap); // else it had nothing to draw
}

// Plainer at once where frames are slow; finer after some seconds in which no frame was missed, and once only: what has been too slow
// stays out. A graphics card that gives 25 frames a second gives them in full; a processor tries for as many as the screen shows.
function adapt(view: View, gap: number): void {
  view.slow += 0.15 * (gap - view.slow);
  view.since += gap;
  const down = view.slow > (drawnBySoftware() ? 22 : 40) && view.since > 1000 && view.level < plainest;
  const up = view.slow < 17.5 && view.since > 5000 && view.level > view.least;
  if (!down && !up) return;
  if (down && view.climbed) view.least = view.level + 1;
  view.climbed = up;
  view.level += up ? -1 : 1;
  setDetail(view, view.level);
  view.slow = 17.5;
  view.since = 0;
}

// A picture that stands still may take its time: once, with all there is.
function beautify(view: View, now: number): void {
  const { stage } = view;
  if (view.level === 0 || view.fine || now - view.last < 400) return;
  view.fine = true;
  setDetail(view, finest);
  stage.dirty = false;
  stage.renderer.render(stage.scene, stage.camera);
}

function coarsen(view: View): void {
  view.fine = false;
  setDetail(view, view.level);
}

// moved: time has. seconds: since the last call, Infinity for jumps.
export function drawFrame(view: View, t: number, moved: boolean, seconds: number): void {
  const { stage, drawing } = view;
  const begun = performance.now();
  stage.controls.update();
  if (view.fine && (moved || stage.dirty)) coarsen(view);
  if (drawing && drawing.take.rows.count > 0) {
    measure(view, drawing, t);
    if (moved || stage.dirty) {
      move(view, drawing, t);
      stage.dirty = true;
    }
    follow(stage, view.follow, drawing.poses.centre, drawing.size, seconds);
    if (stage.dirty) {
      if (view.fine) {
        coarsen(view);
        move(view, drawing, t);
      }
      aim(stage, drawing.poses.centre, drawing.size);
      moveFloor(drawing.floor, stage.controls.target, stage.camera.position.distanceTo(stage.controls.target));
    }
  }
  if (!stage.dirty) return beautify(view, begun);
  view.update += 0.05 * (performance.now() - begun - view.update);
  render(view, begun);
  view.cost += 0.05 * (performance.now() - begun - view.cost);
}

const ray = new Raycaster();
const mouse = new Vector2();

export function rayAt(view: View, x: number, y: number): Raycaster {
  const box = view.stage.renderer.domElement.getBoundingClientRect();
  mouse.set(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
  ray.setFromCamera(mouse, view.stage.camera);
  return ray;
}

export const bodyAt = (view: View, x: number, y: number): Pick | null => (view.drawing ? pickBody(view.drawing.robot, rayAt(view, x, y)) : null);

export function picture(view: View): Promise<Blob | null> {
  view.stage.renderer.render(view.stage.scene, view.stage.camera); // the canvas is empty after a frame has been shown
  return new Promise((done) => view.stage.renderer.domElement.toBlob(done, "image/png"));
}
