// Play, step, speed and the way through time.
import { speeds, type Clock } from "../data/clock";
import { button, h, icon, setIcon, setPressed, setText } from "./dom";

export interface TimeActions {
  toggle(): void;
  step(rows: number): void;
  seek(t: number): void;
  speed(factor: number): void;
  loop(): void;
  edge(): void;
  reset(): void;
}
export interface TimeState {
  clock: Clock;
  running: boolean; // of what the play button starts
  speed: number;
  live: boolean;
  changeable: boolean; // speed and reset
}
export interface TimeBar {
  element: HTMLElement;
  update(state: TimeState): void;
}

const seconds = (t: number): string => t.toFixed(2);

export function makeTimeBar(act: TimeActions): TimeBar {
  const playIcon = icon("play");
  const play = h("button", { type: "button", class: "play", click: act.toggle }, playIcon);
  const range = h("input", { type: "range", class: "scrub", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time" });
  range.addEventListener("input", () => act.seek(Number(range.value)));
  range.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    e.preventDefault();
    e.stopPropagation();
    act.step(e.key === "ArrowLeft" ? -1 : 1);
  });
  const speed = h("select", { "aria-label": "Speed", title: "Simulated over real time" });
  for (const s of speeds) speed.append(h("option", { value: s }, `${s}\u00d7`));
  const most = h("option", { value: 0 }, "max");
  speed.addEventListener("change", () => act.speed(Number(speed.value)));
  const loop = button("loop", "Begin again at the end", act.loop, { key: "L" });
  const reset = button("reset", "Reset: run again from the start with the present parameters", act.reset, { key: "R" });
  const edge = h("button", { type: "button", class: "edge", title: "Go to where the run is now (End)", click: act.edge }, h("span", { class: "dot" }), "Live");
  const now = h("output", { class: "now" });
  const element = h(
    "footer", { class: "timebar" },
    reset, button("back", "One row back", () => act.step(-1), { key: "\u2190" }), play, button("forward", "One row forward", () => act.step(1), { key: "\u2192" }),
    loop, speed, range, now, edge,
  );

  function update({ clock, running, speed: factor, live, changeable }: TimeState): void {
    setIcon(playIcon, running ? "pause" : "play");
    play.title = `${running ? "Pause" : "Play"} (Space)`;
    play.setAttribute("aria-label", running ? "Pause" : "Play");
    if (range.min !== String(clock.first)) range.min = String(clock.first);
    if (range.max !== String(clock.last)) range.max = String(clock.last);
    if (range.value !== String(clock.t)) range.value = String(clock.t);
    const text = `${seconds(clock.t)} / ${seconds(clock.last)} s`;
    setText(now, text);
    range.setAttribute("aria-valuetext", text);
    setPressed(loop, clock.loop);
    loop.hidden = live;
    reset.hidden = edge.hidden = !live;
    reset.disabled = !changeable;
    speed.disabled = live && clock.edge && !changeable;
    if (live !== most.isConnected) live ? speed.append(most) : most.remove();
    if (speed.value !== String(factor)) {
      const known = [...speed.options].some((o) => Number(o.value) === factor);
      if (!known) speed.append(h("option", { value: factor }, `${factor}\u00d7`));
      speed.value = String(factor);
    }
    edge.classList.toggle("on", clock.edge);
    setPressed(edge, clock.edge);
  }
  return { element, update };
}
