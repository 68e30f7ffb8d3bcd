// Parameters of a live run: a slider and a field each, with unit, range and the way back to the default.
import type { Parameter } from "../data/live";
import { short, sliderRange, unitText } from "../math/nice";
import { button, h } from "./dom";

export interface LivePanel {
  element: HTMLDetailsElement;
  set(parameters: Parameter[], interactive: boolean): void;
  changed(key: string, value: number): void;
  // From the keyboard: a step up or down; round: past the end it begins anew. False: there is no such parameter here.
  nudge(key: string, by: number, round?: boolean): boolean;
}

interface Row {
  element: HTMLElement;
  show(value: number): void;
}

function makeRow(p: Parameter, send: (key: string, value: number) => void): Row {
  const { low, high, step } = sliderRange(p);
  const slider = h("input", { type: "range", min: low, max: high, step: "any", value: p.value, "aria-label": p.key });
  const field = h("input", { type: "number", step: "any", placeholder: "infinite", value: p.value, min: p.low ?? undefined, max: p.high ?? undefined, "aria-label": `${p.key}, exact value` });
  const back = button("reset", `Back to ${p.default}`, () => set(p.default));
  let asked = 0;
  const show = (value: number): void => {
    if (document.activeElement !== field) field.value = Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "";
    if (performance.now() - asked > 400) slider.value = String(value); // not while it is dragged
    back.disabled = value === p.default || !Number.isFinite(p.default);
  };
  const set = (value: number): void => {
    if (!Number.isFinite(value)) return;
    send(p.key, value);
    show(value);
  };
  slider.addEventListener("input", () => {
    asked = performance.now();
    const raw = Number(slider.value);
    const rounded = Number((Math.round(raw / step) * step).toPrecision(6));
    set(Math.min(Math.max(rounded, low), high));
  });
  field.addEventListener("change", () => {
    slider.value = field.value;
    set(field.valueAsNumber);
  });
  show(p.value);
  const range = `${short(low)} \u2026 ${short(high)}`;
  const element = h(
    "div", { class: "parameter", title: `${p.doc}. Default ${p.default}${p.unit === "1" ? "" : " " + p.unit}` },
    h("div", { class: "head" }, h("code", {}, p.key), field, h("span", { class: "unit" }, unitText(p.unit)), back),
    h("p", {}, p.doc),
    slider, h("span", { class: "range" }, range),
  );
  return { element, show };
}

// What people change most comes first: how it moves, what it touches, what pulls it.
const groups = ["command", "gait", "contact", "gravity", "control"];
const rank = (p: Parameter): number => (groups.indexOf(p.key.split(".")[0]!) + groups.length + 1) % (groups.length + 1);

export function makeLivePanel(send: (key: string, value: number) => void): LivePanel {
  const rows = new Map<string, Row>();
  const list = h("div", { class: "parameters" });
  const field = h("input", { type: "search", placeholder: "Search parameters", "aria-label": "Search parameters" });
  const note = h("p", { class: "empty" }, "This run is only watched: its parameters cannot be changed from here.");
  const count = h("span", { class: "count" });
  const element = h("details", { class: "live", open: true, hidden: true }, h("summary", {}, "Parameters", count), note, field, list);
  let all: Parameter[] = [];
  let canChange = false;
  const changed = (key: string, value: number): void => {
    const p = all.find((q) => q.key === key);
    if (p) p.value = value;
    rows.get(key)?.show(value);
  };
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const p of all) rows.get(p.key)!.element.hidden = !words.every((w) => `${p.key} ${p.doc}`.toLowerCase().includes(w));
  });
  return {
    element,
    set: (parameters, interactive) => {
      canChange = interactive;
      all = parameters.map((p) => ({ ...p })).sort((a, b) => rank(a) - rank(b)); // stable: the rest stays in the program's order
      rows.clear();
      for (const p of all) rows.set(p.key, makeRow(p, send));
      list.replaceChildren(...[...rows.values()].map((r) => r.element));
      count.textContent = String(parameters.length);
      field.value = "";
      field.hidden = parameters.length < 8;
      note.hidden = interactive;
      element.hidden = parameters.length === 0 && interactive;
      list.inert = !interactive;
    },
    changed,
    nudge: (key, by, round = false) => {
      const p = all.find((q) => q.key === key);
      if (!p || !canChange) return false;
      const low = p.low ?? -Infinity, high = p.high ?? Infinity;
      let value = Math.round((p.value + by) / Math.abs(by)) * Math.abs(by); // 0 is among the steps
      if (round && value > high) value = low;
      value = Number(Math.min(Math.max(value, low), high).toPrecision(6));
      changed(key, value);
      send(key, value);
      return true;
    },
  };
}
