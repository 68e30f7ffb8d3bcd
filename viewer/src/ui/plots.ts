// Plots, one above the other with one time axis and the clock as a line through all of them. Signals of one unit share a panel.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colours, type PlotColours } from "../colours";
import { columnOf, extract, firstTime, lastTime, rowAtTime, valueOf, type Take } from "../data/take";
import { axisText, readable, unitText } from "../math/nice";
import { h, icon, setText } from "./dom";

export interface Panel {
  columns: number[];
  element: HTMLElement;
  plot: uPlot | null;
  line: HTMLElement;
  values: HTMLElement[];
}
export interface Plots {
  element: HTMLElement;
  panels: Panel[];
  take: Take | null;
  range: [number, number] | null; // null: all of a recording, the last seconds of a live run
  colours: PlotColours;
  seek: (t: number) => void;
  changed: () => void;
}

const liveWindow = 20; // s

export function makePlots(seek: (t: number) => void, changed: () => void): Plots {
  const element = h("div", { class: "plots" });
  const plots: Plots = { element, panels: [], take: null, range: null, colours: colours.light.plot, seek, changed };
  new ResizeObserver(() => {
    for (const p of plots.panels) p.plot?.setSize(sizeOf(plots));
  }).observe(element);
  return plots;
}

// As high as leaves room for all, within reason.
function sizeOf(plots: Plots): { width: number; height: number } {
  const room = plots.element.clientHeight / Math.max(plots.panels.length, 1) - 44;
  return { width: Math.max(plots.element.clientWidth - 2, 120), height: Math.min(Math.max(room, 130), 240) };
}

export function window_(plots: Plots): [number, number] {
  const take = plots.take;
  if (plots.range || !take) return plots.range ?? [0, 1];
  const last = lastTime(take);
  return [take.live ? Math.max(firstTime(take), last - liveWindow) : firstTime(take), Math.max(last, firstTime(take) + 1e-6)];
}

// The names that are shown, by panel.
export const shownNames = (plots: Plots): string[][] => plots.panels.map((p) => p.columns.map((c) => columnOf(plots.take!, c).name));

export function setPanels(plots: Plots, take: Take, names: string[][]): void {
  plots.take = take;
  const groups = names.map((panel) => panel.flatMap((n) => take.index.get(n) ?? []));
  rebuild(plots, groups.filter((g) => g.length > 0));
}

export function clearPlots(plots: Plots): void {
  plots.take = null;
  plots.range = null;
  rebuild(plots, []);
}

export function toggleSignal(plots: Plots, column: number): void {
  const take = plots.take;
  if (!take) return;
  const groups = plots.panels.map((p) => [...p.columns]);
  const at = groups.findIndex((g) => g.includes(column));
  const unit = columnOf(take, column).unit;
  if (at >= 0) groups[at] = groups[at]!.filter((c) => c !== column);
  else {
    // the last panel of that unit: the one that was made last
    const mate = [...groups].reverse().find((g) => columnOf(take, g[0]!).unit === unit && g.length < 8);
    if (mate) mate.push(column);
    else groups.push([column]);
  }
  rebuild(plots, groups.filter((g) => g.length > 0));
  plots.changed();
}

export const isShown = (plots: Plots, column: number): boolean => plots.panels.some((p) => p.columns.includes(column));

function rebuild(plots: Plots, groups: number[][]): void {
  for (const p of plots.panels) p.plot?.destroy();
  plots.panels = groups.map((columns) => makePanel(plots, columns));
  const empty = h("p", { class: "empty" }, "No signals chosen. ", h("b", {}, "Signals"), " above lists all that there are.");
  plots.element.replaceChildren(...(groups.length || !plots.take ? plots.panels.map((p) => p.element) : [empty]));
  for (const p of plots.panels) draw(plots, p);
}

export function repaint(plots: Plots, with_: PlotColours): void {
  plots.colours = with_;
  rebuild(plots, plots.panels.map((p) => p.columns));
}

const colourOf = (plots: Plots, i: number): string => plots.colours.lines[i % plots.colours.lines.length]!;

function makePanel(plots: Plots, columns: number[]): Panel {
  const take = plots.take!;
  const values: HTMLElement[] = [];
  const legend = h("div", { class: "legend" });
  columns.forEach((c, i) => {
    const { name, unit, description } = columnOf(take, c);
    const value = h("b", {});
    const swatch = h("i", {});
    swatch.style.background = colourOf(plots, i);
    const off = h("button", { type: "button", title: `Take ${name} away`, "aria-label": `Take ${name} away`, click: () => toggleSignal(plots, c) }, icon("close"));
    legend.append(h("span", { class: "chip", title: `${description} [${unit}]` }, swatch, h("span", { class: "name" }, name), value, off));
    values.push(value);
  });
  return { columns, element: h("section", { class: "panel" }, legend), plot: null, line: h("div", { class: "nowline" }), values };
}

function dataOf(plots: Plots, columns: number[]): uPlot.AlignedData {
  const [t, ...ys] = extract(plots.take!, columns, ...window_(plots));
  // infinite gaps of open contacts and the like: nothing there
  return [Array.from(t!), ...ys.map((y) => Array.from(y, (v) => (Number.isFinite(v) ? v : null)))];
}

function axis(label: string, { ink, grid }: PlotColours): uPlot.Axis {
  return {
    label, labelSize: 16, labelGap: 0, labelFont: "11px system-ui, sans-serif", font: "11px system-ui, sans-serif",
    stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 },
  };
}

function draw(plots: Plots, panel: Panel): void {
  const take = plots.take!;
  const unit = columnOf(take, panel.columns[0]!).unit;
  const plot = new uPlot(
    {
      ...sizeOf(plots),
      series: [{}, ...panel.columns.map((c, i) => ({ label: columnOf(take, c).name, stroke: colourOf(plots, i), width: 1.5, points: { show: false } }))],
      scales: { x: { time: false, range: () => window_(plots) }, y: { range: spanOf } },
      axes: [
        { ...axis("time [s]", plots.colours), size: 26, space: 60 },
        { ...axis(axisText(unit) === "no unit" ? "[1]" : `[${unitText(unit)}]`, plots.colours), size: 50, space: 28, values: (_u, ticks) => ticks.map(tick) },
      ],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
      hooks: { setSelect: [(u) => zoomed(plots, u)] },
      padding: [8, 10, 0, 0],
    },
    dataOf(plots, panel.columns),
    panel.element,
  );
  panel.plot = plot;
  plot.over.append(panel.line);
  plot.over.title = "Click: go to that time. Drag: zoom. Double click: all.";
  let down = 0;
  plot.over.addEventListener("mousedown", (e) => (down = e.clientX));
  plot.over.addEventListener("click", (e) => {
    if (Math.abs(e.clientX - down) < 4) plots.seek(plot.posToVal(e.clientX - plot.over.getBoundingClientRect().left, "x"));
  });
  plot.over.addEventListener("dblclick", () => setRange(plots, null));
}

// A line that stays at one value lies in the middle of its panel.
function spanOf(_u: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [-1, 1];
  const around = low === high ? Math.abs(low) / 2 || 1 : 0;
  return around ? [low - around, high + around] : uPlot.rangeNum(low, high, 0.1, true);
}

const tick = (v: number): string => (Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(0) : String(Number(v.toPrecision(6)))).replace("-", "\u2212");

function zoomed(plots: Plots, u: uPlot): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const range: [number, number] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  setRange(plots, range);
}

export function setRange(plots: Plots, range: [number, number] | null): void {
  plots.range = range;
  refreshPlots(plots);
  plots.changed();
}

// The take has grown, or another part of it is looked at.
export function refreshPlots(plots: Plots): void {
  if (!plots.take) return;
  for (const p of plots.panels) p.plot?.setData(dataOf(plots, p.columns));
}

export function movePlots(plots: Plots, t: number): void {
  for (const p of plots.panels) {
    if (!p.plot) continue;
    const x = p.plot.valToPos(t, "x");
    const inside = x >= 0 && x <= p.plot.over.clientWidth;
    p.line.style.transform = `translateX(${Math.round(x)}px)`;
    p.line.style.visibility = inside ? "visible" : "hidden";
  }
}

export function showValues(plots: Plots, t: number): void {
  const take = plots.take;
  if (!take || take.rows.count === 0) return;
  const row = rowAtTime(take, t);
  for (const p of plots.panels) p.columns.forEach((c, i) => setText(p.values[i]!, `${readable(valueOf(take, row, c))} ${unitText(columnOf(take, c).unit)}`.trim()));
}

// All panels with their legends on one sheet.
export function plotsPicture(plots: Plots, title: string, background: string, ink: string): Promise<Blob | null> {
  const ratio = window.devicePixelRatio;
  const sheet = document.createElement("canvas");
  const shown = plots.panels.flatMap((p) => (p.plot ? [{ panel: p, canvas: p.plot.ctx.canvas }] : []));
  const head = 30 * ratio;
  const row = 20 * ratio;
  sheet.width = Math.max(...shown.map((s) => s.canvas.width), 1) + 20 * ratio;
  sheet.height = head + shown.reduce((sum, s) => sum + s.canvas.height + row * s.panel.columns.length + 10 * ratio, 10 * ratio);
  const g = sheet.getContext("2d")!;
  g.fillStyle = background;
  g.fillRect(0, 0, sheet.width, sheet.height);
  g.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  g.fillStyle = ink;
  g.fillText(title, 10 * ratio, 20 * ratio);
  g.font = `${11 * ratio}px system-ui, sans-serif`;
  let y = head;
  for (const { panel, canvas } of shown) {
    panel.columns.forEach((c, i) => {
      g.fillStyle = colourOf(plots, i);
      g.fillRect(12 * ratio, y + 6 * ratio, 14 * ratio, 3 * ratio);
      g.fillStyle = ink;
      const { name, unit } = columnOf(plots.take!, c);
      g.fillText(`${name} [${unit}]`, 32 * ratio, y + 12 * ratio);
      y += row;
    });
    g.drawImage(canvas, 10 * ratio, y);
    y += canvas.height + 10 * ratio;
  }
  return new Promise((done) => sheet.toBlob(done, "image/png"));
}
