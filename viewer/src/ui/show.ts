// What is drawn: switches, and the legend that says what the colours and lengths mean.
import type { Take } from "../data/take";
import { scaleGradient } from "../math/colour";
import { short } from "../math/nice";
import { newtonsPerMetre, type Shown, type View } from "../draw/view";
import { h, setText } from "./dom";

export interface ShowActions {
  show(what: Shown, on: boolean): void;
  scale(factor: number): void;
  trail(point: string): void;
}
export interface ShowCard {
  element: HTMLElement;
  legend: HTMLElement;
  setTake(take: Take | null, view: View): void;
  refresh(view: View): void;
}

const switches: [Shown, string, string][] = [
  ["forces", "Contact forces", "Arrows: normal force and friction at every contact"],
  ["torque", "Joint torque as colour", "Colour of each link: torque of the joint that carries it"],
  ["support", "Support polygon", "Convex hull of the contact points"],
  ["com", "Centre of mass", "With its projection on the ground"],
  ["balance", "Zero-moment and capture point", "Where the ground's push acts; over which point the robot would come to rest"],
  ["trail", "Trail of", "Way of a point up to now"],
  ["grid", "Grid", "Lines on the ground"],
  ["shadows", "Shadows", "Shadows"],
];

function makeSwitches(act: ShowActions) {
  const boxes = new Map<Shown, HTMLInputElement>();
  const rows = new Map<Shown, HTMLElement>();
  const point = h("select", { "aria-label": "Point of the trail", change: () => act.trail(point.value) });
  const scale = h("input", { type: "range", min: -1, max: 1, step: 0.02, value: 0, "aria-label": "Length of force arrows", title: "Length of force arrows" });
  scale.addEventListener("input", () => act.scale(10 ** Number(scale.value)));
  const list = switches.map(([what, label, tip]) => {
    const box = h("input", { type: "checkbox", name: what, change: () => act.show(what, box.checked) });
    boxes.set(what, box);
    const row = h("div", { class: "row" }, h("label", { title: tip }, box, label), what === "trail" ? point : what === "forces" ? scale : null);
    rows.set(what, row);
    return row;
  });
  return { boxes, rows, list, point, scale };
}

export function makeShowCard(act: ShowActions): ShowCard {
  const { boxes, rows, list, point, scale } = makeSwitches(act);
  const element = h("details", { class: "card show", open: window.innerWidth > 820 }, h("summary", {}, "Show"), ...list);

  const force = h("span", {});
  const forces = h("div", {}, h("span", {}, h("i", { class: "normal" }), "normal force"), h("span", {}, h("i", { class: "friction" }), "friction"), force);
  const bar = h("span", { class: "bar" });
  const most = h("span", {});
  const torque = h("div", {}, h("span", {}, "joint torque 0 "), bar, most);
  const bendMost = h("span", {});
  const bendBar = h("span", { class: "bar" });
  const bend = h("div", {}, h("span", {}, "curvature 0 "), bendBar, bendMost);
  const grid = h("div", {});
  const com = h("div", {});
  const marks: [Shown, string][] = [["com", "centre of mass"], ["trail", "trail"], ["support", "support polygon"]];
  const keys = marks.map(([what, label]) => ({ what, element: h("span", {}, h("i", { class: what }), label) }));
  keys.push({ what: "balance", element: h("span", {}, h("i", { class: "zmp" }), "zero-moment point ", h("b", { class: "capture" }, "\u00d7"), " capture point") });
  com.append(...keys.map((k) => k.element));
  const legend = h("div", { class: "card key", "aria-label": "Legend" }, forces, torque, bend, com, grid);

  let dark: boolean | null = null;
  return {
    element,
    legend,
    setTake: (take, view) => {
      const scene = take?.scene;
      element.hidden = legend.hidden = !scene;
      if (!take || !scene) return;
      const names = ["com", ...scene.bodies.map((b) => b.name)].filter((n) => take.index.has(n === "com" ? "com.p.x" : `body.${n}.p.x`));
      point.replaceChildren(...names.map((n) => h("option", { value: n }, n === "com" ? "centre of mass" : n)));
      rows.get("com")!.hidden = scene.bodies.length === 0 && !take.index.has("com.p.x");
      rows.get("balance")!.hidden = !view.drawing?.balance;
      rows.get("trail")!.hidden = names.length === 0;
      const contacts = scene.contacts.length > 0;
      rows.get("forces")!.hidden = rows.get("support")!.hidden = !contacts;
      rows.get("torque")!.hidden = !view.drawing?.torques.of.length;
      rows.get("shadows")!.hidden = scene.ground.kind === "none" && scene.obstacles.length === 0;
    },
    refresh: (view) => {
      for (const [what, box] of boxes) box.checked = view.show.has(what);
      point.value = view.trailPoint;
      if (document.activeElement !== scale) scale.value = String(Math.log10(view.scale));
      const d = view.drawing;
      if (!d) return;
      forces.hidden = !view.show.has("forces") || d.scene.contacts.length === 0;
      setText(force, `arrow of 0.1 m = ${short(0.1 * newtonsPerMetre(view))} N`);
      torque.hidden = !view.show.has("torque") || d.torques.of.length === 0;
      setText(most, ` ${short(d.torques.most)} N\u202fm`);
      bend.hidden = d.rods.drawn.length === 0;
      setText(bendMost, ` ${short(d.rods.most)} 1/m`);
      if (dark !== view.palette.dark) bar.style.background = bendBar.style.background = scaleGradient((dark = view.palette.dark));
      for (const k of keys) k.element.hidden = !view.show.has(k.what) || rows.get(k.what)!.hidden;
      const far = d.scene.ground.kind === "heights" ? "cell" : d.scene.ground.kind === "none" ? "grid (no ground)" : "grid";
      setText(grid, `${far}: ${short(d.floor.spacing)} m`);
      grid.hidden = d.scene.ground.kind === "mesh" || (d.scene.ground.kind !== "heights" && !view.show.has("grid"));
    },
  };
}
