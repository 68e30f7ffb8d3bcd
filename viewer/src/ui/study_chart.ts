// A study over two of its columns, as SVG: fields where it is a grid, points elsewhere, coloured by a third column.
import type { PlotColours } from "../colours";
import { edgesOf, numberOf, type Axis, type Choice, type Drawn, type Spot, type Study } from "../data/study";
import { css, scaleColour } from "../math/colour";
import { axisText, short } from "../math/nice";
import { node, spanOf, ticksOf, type Span } from "./chart";

const [width, height] = [360, 240];
const [left, right, top, bottom] = [54, 10, 8, 34];

export interface Look {
  plot: PlotColours;
  isDark: boolean;
  playing: number; // number of the row that runs; -1: none
}

interface Scale {
  span: Span;
  at(value: number): number; // in the picture
}

function scaleOf(values: number[], from: number, to: number, isGrid: boolean): Scale {
  let span = spanOf([values]);
  if (isGrid) {
    const { edges } = edgesOf(values);
    span = { low: edges[0]!, high: edges[edges.length - 1]! };
  }
  return { span, at: (v) => from + ((v - span.low) / (span.high - span.low)) * (to - from) };
}

const mostNamed = 8; // values of a key that are written each

const ticks = (axis: Axis, scale: Scale, centres: number[]): { at: number; text: string }[] =>
  axis.words.length > 0
    ? axis.words.map((text, at) => ({ at, text })).filter(({ at }) => at >= scale.span.low && at <= scale.span.high)
    : (centres.length > 0 && centres.length <= mostNamed ? centres : ticksOf(scale.span, false)).map((at) => ({ at, text: short(at) }));

const nameOf = (study: Study, name: string): string => {
  const unit = study.columns.find((c) => c.name === name)?.unit ?? "";
  return unit === "" || unit === "1" ? name : `${name} [${axisText(unit)}]`;
};

function drawAxes(svg: SVGElement, drawn: Drawn, sx: Scale, sy: Scale, look: Look): void {
  const text = { fill: look.plot.ink, "font-size": 10 };
  for (const { at, text: label } of ticks(drawn.x, sx, drawn.isGrid ? edgesOf(drawn.spots.map((s) => s.x)).centres : [])) {
    const x = sx.at(at);
    svg.append(node("line", { x1: x, x2: x, y1: top, y2: height - bottom, stroke: look.plot.grid }));
    svg.append(node("text", { ...text, x, y: height - bottom + 12, "text-anchor": "middle" }, label.slice(0, 14)));
  }
  for (const { at, text: label } of ticks(drawn.y, sy, drawn.isGrid ? edgesOf(drawn.spots.map((s) => s.y)).centres : [])) {
    const y = sy.at(at);
    svg.append(node("line", { x1: left, x2: width - right, y1: y, y2: y, stroke: look.plot.grid }));
    svg.append(node("text", { ...text, x: left - 5, y: y + 3.5, "text-anchor": "end" }, label.slice(0, 9)));
  }
}

// A spot without a number is an outline with a cross: there was a run, and it did not go well.
function drawSpot(spot: Spot, box: { x: number; y: number; w: number; h: number } | null, at: { x: number; y: number }, look: Look, share: number): SVGElement {
  const hasNumber = Number.isFinite(spot.value);
  const fill = hasNumber ? css(scaleColour(share, look.isDark, [0, 0, 0])) : "none";
  const group = node("g", { class: hasNumber ? "spot" : "spot bad", "pointer-events": "all" });
  const paint = { fill, stroke: hasNumber && box ? "none" : look.plot.ink, "stroke-width": 0.7 };
  if (box) group.append(node("rect", { x: box.x, y: box.y, width: box.w, height: box.h, ...paint }));
  else group.append(node("circle", { cx: at.x, cy: at.y, r: 4.5, ...paint }));
  if (!hasNumber) group.append(node("path", { d: `M${at.x - 3} ${at.y - 3}l6 6m0 -6l-6 6`, stroke: look.plot.ink, "stroke-width": 1, fill: "none" }));
  return group;
}

export function drawStudy(study: Study, choice: Choice, drawn: Drawn, look: Look, play: (spot: Spot) => void): SVGElement {
  const label = `${choice.colour} over ${choice.x} and ${choice.y}: ${drawn.spots.length} places. The table below has the same rows.`;
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart study-chart" });
  if (drawn.spots.length === 0) return svg;
  const [xs, ys] = [drawn.spots.map((s) => s.x), drawn.spots.map((s) => s.y)];
  const sx = scaleOf(xs, left, width - right, drawn.isGrid);
  const sy = scaleOf(ys, height - bottom, top, drawn.isGrid);
  const [ex, ey] = [edgesOf(xs), edgesOf(ys)];
  const values = drawn.spots.map((s) => s.value).filter(Number.isFinite);
  const [low, high] = rangeOf(values);
  drawAxes(svg, drawn, sx, sy, look);
  for (const spot of drawn.spots) {
    const at = { x: sx.at(spot.x), y: sy.at(spot.y) };
    let box = null;
    if (drawn.isGrid) {
      const [i, k] = [ex.centres.indexOf(spot.x), ey.centres.indexOf(spot.y)];
      const [x1, x2, y1, y2] = [sx.at(ex.edges[i]!), sx.at(ex.edges[i + 1]!), sy.at(ey.edges[k + 1]!), sy.at(ey.edges[k]!)];
      box = { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
    }
    const element = drawSpot(spot, box, at, look, high > low ? (spot.value - low) / (high - low) : 0.5);
    const numbers = spot.rows.map((r) => numberOf(study, study.rows[r]!));
    element.setAttribute("data-rows", numbers.join(" "));
    element.append(node("title", {}, `${choice.x} ${textAt(drawn.x, spot.x)}, ${choice.y} ${textAt(drawn.y, spot.y)}\n${choice.colour} ${short(spot.value)}\nrow ${numbers.slice(0, 8).join(", ")}: click to see it`));
    element.addEventListener("click", () => play(spot));
    if (numbers.includes(look.playing)) element.append(node("circle", { cx: at.x, cy: at.y, r: 7.5, fill: "none", stroke: look.plot.ink, "stroke-width": 2, class: "playing" }));
    svg.append(element);
  }
  const text = { fill: look.plot.ink, "font-size": 10, "text-anchor": "middle" };
  svg.append(node("text", { ...text, x: (left + width - right) / 2, y: height - 6 }, nameOf(study, choice.x)));
  const middle = (top + height - bottom) / 2;
  svg.append(node("text", { ...text, x: 10, y: middle, transform: `rotate(-90 10 ${middle})` }, nameOf(study, choice.y)));
  return svg;
}

const textAt = (axis: Axis, value: number): string => axis.words[value] ?? short(value);

export function rangeOf(values: number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return [low, high];
}
