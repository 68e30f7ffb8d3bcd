// Which way x, y and z point on the screen.
import { Matrix4, Vector3 } from "three";
import type { PerspectiveCamera } from "three";

const ns = "http://www.w3.org/2000/svg";
const reach = 24;
const seenNow = new Matrix4();

export interface Triad {
  element: SVGSVGElement;
  update(camera: PerspectiveCamera): void;
}

export function makeTriad(): Triad {
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "-36 -36 72 72");
  svg.setAttribute("class", "triad");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Directions x, y and z");
  const axes = ["x", "y", "z"].map((name) => {
    const line = document.createElementNS(ns, "line");
    const text = document.createElementNS(ns, "text");
    text.textContent = name;
    const group = document.createElementNS(ns, "g");
    group.setAttribute("class", `axis-${name}`);
    group.append(line, text);
    svg.append(group);
    return { line, text };
  });
  const v = new Vector3();
  const seen = new Matrix4();
  return {
    element: svg,
    update: (camera) => {
      seenNow.copy(camera.matrixWorldInverse).setPosition(0, 0, 0);
      if (seen.equals(seenNow)) return;
      seen.copy(seenNow);
      axes.forEach(({ line, text }, i) => {
        v.set(0, 0, 0).setComponent(i, 1).transformDirection(camera.matrixWorldInverse);
        line.setAttribute("x2", (reach * v.x).toFixed(1));
        line.setAttribute("y2", (-reach * v.y).toFixed(1));
        text.setAttribute("x", ((reach + 7) * v.x).toFixed(1));
        text.setAttribute("y", (-(reach + 7) * v.y + 3.5).toFixed(1));
      });
    },
  };
}
