// Pushing: a spring from the point of a body under the mouse to where the mouse is, in the plane that faces the camera.
import { Plane, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { add, conjugate, rotate, sub } from "../math/rotate";
import type { Quat, Vec3 } from "../data/scene";
import { bodyAt, rayAt, type View } from "./view";

export interface Push {
  body: string;
  point: Vec3; // in the body's axes
  target: Vec3; // in the world
}
export interface Pushing {
  enabled: boolean; // without the Shift key too
  allowed: () => boolean;
  refresh: () => void; // the body has moved
}

function makeSpring(): Line2 {
  const line = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 3, depthTest: false, transparent: true, fog: false }));
  line.frustumCulled = false;
  line.renderOrder = 20;
  line.visible = false;
  return line;
}

const turnOf = (view: View, k: number): Quat => {
  const { q } = view.drawing!.poses;
  return [q[4 * k]!, q[4 * k + 1]!, q[4 * k + 2]!, q[4 * k + 3]!];
};
const placeOf = (view: View, k: number): Vec3 => {
  const { p } = view.drawing!.poses;
  return [p[3 * k]!, p[3 * k + 1]!, p[3 * k + 2]!];
};

export function makePushing(view: View, push: (p: Push) => void, release: () => void): Pushing {
  const canvas = view.stage.renderer.domElement;
  const line = makeSpring();
  view.stage.scene.add(line);
  const plane = new Plane();
  const target = new Vector3();
  let held: { index: number; push: Push } | null = null;
  let sent = 0;

  const pushing: Pushing = { enabled: false, allowed: () => false, refresh };
  function refresh(): void {
    if (!held || !view.drawing) return;
    const from = add(placeOf(view, held.index), rotate(turnOf(view, held.index), held.push.point));
    line.geometry.setPositions([...from, ...held.push.target]);
    view.stage.dirty = true;
  }

  function end(): void {
    if (!held) return;
    held = null;
    line.visible = false;
    view.stage.controls.enabled = true;
    view.stage.dirty = true;
    release();
  }

  function begin(event: PointerEvent): void {
    if (!pushing.allowed() || event.button !== 0 || !(event.shiftKey || pushing.enabled)) return;
    const hit = bodyAt(view, event.clientX, event.clientY);
    const d = view.drawing;
    if (!hit || !d) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    view.stage.controls.enabled = false;
    const k = hit.body;
    const point = rotate(conjugate(turnOf(view, k)), sub(hit.point, placeOf(view, k)));
    plane.setFromNormalAndCoplanarPoint(view.stage.camera.getWorldDirection(new Vector3()), target.set(...hit.point));
    held = { index: k, push: { body: d.scene.bodies[k]!.name, point, target: hit.point } };
    line.material.color.set(view.palette.push);
    line.visible = true;
    refresh();
    push(held.push);
  }

  function drag(event: PointerEvent): void {
    if (!held || !rayAt(view, event.clientX, event.clientY).ray.intersectPlane(plane, target)) return;
    held.push.target = target.toArray();
    refresh();
    if (event.timeStamp - sent < 15) return; // far below what the program accepts
    sent = event.timeStamp;
    push(held.push);
  }

  canvas.addEventListener("pointerdown", begin, { capture: true });
  canvas.addEventListener("pointermove", drag);
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  window.addEventListener("blur", end);
  return pushing;
}
