// For tests and measurements: what the page is doing, as plain numbers.
import { Vector3 } from "three";
import { linkOf, type App } from "./app";
import { shownNames } from "./ui/plots";

export interface Hook {
  readonly frames: number;
  readonly update: number; // of a frame: moving everything [ms]
  readonly cost: number; // and drawing it
  readonly between: number; // time from frame to frame [ms]
  readonly level: number; // of plainness, 0: all there is
  readonly instances: number;
  readonly t: number;
  readonly rows: number;
  readonly playing: boolean;
  readonly signals: string[];
  readonly robot: { x: number; y: number }; // centre of mass on the canvas, 0 to 1
  readonly link: string;
}

declare global {
  interface Window {
    sinewView?: Hook;
  }
}

export function makeHook(a: App): void {
  const { view, clock } = a.state;
  const at = new Vector3();
  window.sinewView = {
    get frames() { return view.frames; },
    get update() { return view.update; },
    get cost() { return view.cost; },
    get between() { return view.slow; },
    get level() { return view.level; },
    get instances() { return view.drawing?.robot.instances ?? 0; },
    get t() { return clock.t; },
    get rows() { return a.state.take?.rows.count ?? 0; },
    get playing() { return clock.playing; },
    get signals() { return a.state.take ? shownNames(a.plots).flat() : []; },
    get robot() {
      at.set(...(view.drawing?.poses.centre ?? [NaN, NaN, NaN])).project(view.stage.camera);
      return { x: 0.5 + at.x / 2, y: 0.5 - at.y / 2 };
    },
    get link() { return linkOf(a); },
  };
}
