// A small chart of curves over any axis, as SVG. uPlot draws over time; here x goes back and forth.
import type { PlotColours } from "../colours";
import { niceAbove, short } from "../math/nice";

export interface Curve {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  kind: "run" | "bound" | "here";
}
export interface Chart {
  label: string; // for those who see no picture
  x: { text: string; logarithm?: boolean };
  y: { text: string };
  curves: Curve[];
}

const [width, height] = [360, 190];
const [left, right, top, bottom] = [54, 10, 8, 34];

export interface Span {
  low: number;
  high: number;
}
export function spanOf(lists: ArrayLike<number>[]): Span {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const v = list[i]!;
      if (!Number.isFinite(v)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  if (!(high >= low)) return { low: -1, high: 1 };
  const around = high > low ? 0.05 * (high - low) : Math.abs(low) / 2 || 1;
  return { low: low - around, high: high + around };
}

// Round numbers inside of the span; of a logarithm: 1, 2 and 5 of each power of ten, or the powers alone.
export function ticksOf({ low, high }: Span, logarithm: boolean): number[] {
  const out: number[] = [];
  if (logarithm) {
    const digits = high - low > 2.5 ? [1] : [1, 2, 5];
    for (let power = Math.floor(low); power <= Math.ceil(high); power++)
      for (const d of digits) {
        const at = power + Math.log10(d);
        if (at >= low && at <= high) out.push(at);
      }
    return out;
  }
  const step = niceAbove((high - low) / 5);
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(i * step);
  return out;
}

const space = "http://www.w3.org/2000/svg";
export function node(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text) element.textContent = text;
  return element;
}

// A point for each pixel that it passes is enough.
function pathOf(curve: Curve, px: (x: number) => number, py: (y: number) => number): string {
  let path = "";
  let last = "";
  let pen = "M";
  for (let i = 0; i < curve.x.length; i++) {
    const [x, y] = [px(curve.x[i]!), py(curve.y[i]!)];
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    const place = `${x.toFixed(1)} ${y.toFixed(1)}`;
    if (place !== last) path += pen + place;
    last = place;
    pen = "L";
  }
  return path;
}

export function drawChart(chart: Chart, colours: PlotColours): SVGElement {
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": chart.label, class: "chart" });
  const log = chart.x.logarithm === true;
  const of = (v: number): number => (log ? Math.log10(v) : v);
  const xs = spanOf(chart.curves.map((c) => (log ? Array.from(c.x, of) : c.x)));
  const ys = spanOf(chart.curves.map((c) => c.y));
  const px = (x: number): number => left + ((of(x) - xs.low) / (xs.high - xs.low)) * (width - left - right);
  const py = (y: number): number => height - bottom - ((y - ys.low) / (ys.high - ys.low)) * (height - top - bottom);
  const text = { fill: colours.ink, "font-size": 10 };
  for (const at of ticksOf(xs, log)) {
    const x = px(log ? 10 ** at : at);
    svg.append(node("line", { x1: x, x2: x, y1: top, y2: height - bottom, stroke: colours.grid }));
    svg.append(node("text", { ...text, x, y: height - bottom + 12, "text-anchor": "middle" }, short(log ? 10 ** at : at)));
  }
  for (const at of ticksOf(ys, false)) {
    svg.append(node("line", { x1: left, x2: width - right, y1: py(at), y2: py(at), stroke: colours.grid }));
    svg.append(node("text", { ...text, x: left - 5, y: py(at) + 3.5, "text-anchor": "end" }, short(at)));
  }
  svg.append(node("text", { ...text, x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, chart.x.text));
  const y = (top + height - bottom) / 2;
  svg.append(node("text", { ...text, x: 12, y, "text-anchor": "middle", transform: `rotate(-90 12 ${y})` }, chart.y.text));
  for (const curve of chart.curves) {
    if (curve.kind === "here") {
      for (let i = 0; i < curve.x.length; i++) svg.append(node("circle", { cx: px(curve.x[i]!), cy: py(curve.y[i]!), r: 4, fill: colours.lines[1]!, class: "here" }));
      continue;
    }
    const dash: Record<string, string> = curve.kind === "bound" ? { "stroke-dasharray": "5 3" } : {};
    const stroke = curve.kind === "bound" ? colours.ink : colours.lines[0]!;
    svg.append(node("path", { d: pathOf(curve, px, py), fill: "none", stroke, "stroke-width": 1.5, "stroke-linejoin": "round", class: curve.kind, ...dash }));
  }
  return svg;
}
