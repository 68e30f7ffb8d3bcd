// The keys, and what the mouse does.
import { button, h } from "./dom";

const keys: [string, string][] = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "one row back or forward"],
  ["Arrows, G", "live, of a robot that takes commands: faster, slower, left, right; next gait"],
  ["Home, End", "first or last moment (live: where the run is now)"],
  ["\u2212 +", "slower or faster"],
  ["L", "begin again at the end"],
  ["R", "live: run again from the start"],
  ["F", "fit the robot into the picture"],
  ["T, S", "look from the top or the side"],
  ["G", "go along with the robot"],
  ["Shift + arrows", "turn the camera"],
  ["Page up, down", "nearer or farther"],
  ["C, J", "contact forces, joint torques"],
  ["D", "light or dark"],
  ["/", "search signals"],
  ["?", "this help"],
];
const mouse: [string, string][] = [
  ["Drag", "turn the camera; right button or two fingers: shift it"],
  ["Wheel, pinch", "nearer or farther"],
  ["Shift + drag", "live: push the robot with a spring"],
  ["Click in a plot", "go to that time"],
  ["Drag in a plot", "zoom; double click: all"],
  ["Drop a file", "look at a recording; it stays on this computer"],
];

export function makeHelp(): HTMLDialogElement {
  const table = (rows: [string, string][]): HTMLElement => h("dl", {}, ...rows.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]));
  const element: HTMLDialogElement = h(
    "dialog", { class: "help", "aria-label": "Help" },
    h("header", {}, h("h2", {}, "Keys and mouse"), button("close", "Close", () => element.close(), { key: "Esc" })),
    h("div", { class: "columns" }, table(keys), table(mouse)),
  );
  return element;
}
