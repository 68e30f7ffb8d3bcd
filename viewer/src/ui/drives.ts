// Drives: torque over speed inside of what a drive can do, with a dot at the present time; of one that sweeps, the Bode plot of its answer.
import { colours, type PlotColours } from "../colours";
import type { Drive } from "../data/scene";
import { extract, firstTime, lastTime, rowAtTime, valueOf, type Take } from "../data/take";
import { bodeOf } from "../math/bode";
import { drawChart, type Chart, type Curve } from "./chart";
import { h } from "./dom";

export interface DrivesPanel {
  element: HTMLDetailsElement;
  setTake(take: Take | null): void;
  update(t: number): void; // only while it is open
  repaint(colours: PlotColours): void;
}

const column = (take: Take, drive: Drive, name: string): number | undefined => take.index.get(`drive.${drive.name}.${name}`);

// Where a drive has no limit of speed its bounds hold as far as the run goes.
export function boundsOf(drive: Drive, speed: ArrayLike<number>): Curve[] {
  if (drive.speed.length === 0) return [];
  let x = drive.speed;
  let [least, most] = [drive.least, drive.most];
  if (Math.max(...x) - Math.min(...x) === 0) {
    let fastest = 0;
    for (let i = 0; i < speed.length; i++) if (Math.abs(speed[i]!) > fastest) fastest = Math.abs(speed[i]!);
    x = [-fastest, fastest];
    [least, most] = [[least[0]!, least[0]!], [most[0]!, most[0]!]];
  }
  return [{ x, y: most, kind: "bound" }, { x, y: least, kind: "bound" }];
}

export function planeOf(take: Take, drive: Drive, t: number): Chart | null {
  const effort = drive.turns ? "torque" : "force";
  const [u, f] = [column(take, drive, "speed"), column(take, drive, effort)];
  if (u === undefined || f === undefined || take.rows.count === 0) return null;
  const [, speed, force] = extract(take, [u, f], firstTime(take), lastTime(take));
  const row = rowAtTime(take, t);
  return {
    label: `${effort} over speed of drive ${drive.name}, inside of what it can do`,
    x: { text: `speed [${drive.turns ? "rad/s" : "m/s"}]` },
    y: { text: `${effort} [${drive.turns ? "N m" : "N"}]` },
    curves: [
      ...boundsOf(drive, speed!),
      { x: speed!, y: force!, kind: "run" },
      { x: [valueOf(take, row, u)], y: [valueOf(take, row, f)], kind: "here" },
    ],
  };
}

const answers = ["spring", "torque", "force", "speed", "current"];

// Magnitude and phase; empty: it does not sweep, or that is not recorded.
export function bodeCharts(take: Take, drive: Drive): Chart[] {
  const sweep = column(take, drive, "sweep");
  const name = answers.find((n) => column(take, drive, n) !== undefined);
  if (sweep === undefined || !name || take.live) return [];
  const [t, x, y] = extract(take, [sweep, column(take, drive, name)!], firstTime(take), lastTime(take));
  const { frequency, magnitude, phase } = bodeOf(t!, x!, y!);
  if (frequency.length === 0) return [];
  const over = { text: "frequency [Hz]", logarithm: true };
  const label = `answer of drive.${drive.name}.${name} to the sweep`;
  return [
    { label: `magnitude of the ${label}`, x: over, y: { text: `${name} / sweep [dB]` }, curves: [{ x: frequency, y: magnitude, kind: "run" }] },
    { label: `phase of the ${label}`, x: over, y: { text: "phase [deg]" }, curves: [{ x: frequency, y: phase, kind: "run" }] },
  ];
}

export function makeDrives(): DrivesPanel {
  const choice = h("select", { "aria-label": "Drive", change: () => show() });
  const plane = h("div", { class: "plane" });
  const bode = h("div", { class: "bode" });
  const element = h("details", { class: "drives", toggle: () => show() }, h("summary", {}, "Drives"), choice, plane, bode);
  let take: Take | null = null;
  let paint = colours.light.plot;
  let [time, drawn, rows] = [0, NaN, -1];
  const chosen = (): Drive | undefined => take?.scene?.drives.find((d) => d.name === choice.value);
  const put = (host: HTMLElement, charts: Chart[], otherwise: string): void =>
    host.replaceChildren(...(charts.length ? charts.map((c) => drawChart(c, paint)) : [otherwise]));
  function showPlane(): void {
    const drive = chosen();
    if (!take || !drive || !element.open) return;
    const chart = planeOf(take, drive, time);
    put(plane, chart ? [chart] : [], "Speed and torque of this drive were not recorded: add drive.* to output.signals.");
    [drawn, rows] = [time, take.rows.count];
  }
  function show(): void {
    const drive = chosen();
    if (!take || !drive || !element.open) return;
    showPlane();
    put(bode, bodeCharts(take, drive), "");
  }
  return {
    element,
    setTake(next) {
      take = next;
      const names = (next?.scene?.drives ?? []).map((d) => d.name);
      const before = choice.value;
      choice.replaceChildren(...names.map((n) => h("option", { value: n }, n)));
      if (names.includes(before)) choice.value = before;
      element.hidden = names.length === 0;
      show();
    },
    update(t) {
      time = t;
      if (element.open && (t !== drawn || (take?.live && take.rows.count !== rows))) showPlane();
    },
    repaint(next) {
      paint = next;
      show();
    },
  };
}
