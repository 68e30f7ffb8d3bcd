// Ties the parts together: one state, one loop, and what buttons, keys and messages do to it.
import { colours } from "./colours";
import { advance, seek, setRange as setClockRange, speeds } from "./data/clock";
import { defaultPanels } from "./data/defaults";
import { fromFragment, toFragment } from "./data/link";
import { firstTime, lastTime, rowAtTime, timeOf, type Take } from "./data/take";
import { orbitBy } from "./draw/camera";
import { makePushing } from "./draw/push";
import { drawFrame, lookFrom, makeView, paint, setShown, setTake, setTrail, type Shown } from "./draw/view";
import { openFile, watchDrops } from "./files";
import { listen } from "./keys";
import { savePicture, savePlots, saveTable } from "./saves";
import { startLive } from "./session";
import { playRow } from "./studies";
import { makeState, type State } from "./state";
import { applyTheme, systemTheme, type Theme } from "./theme";
import { tell } from "./ui/dom";
import { makeHelp } from "./ui/help";
import { makeLivePanel, type LivePanel } from "./ui/live";
import { makePage, type Page } from "./ui/page";
import { makePicker, type Picker } from "./ui/picker";
import { makeDrives, type DrivesPanel } from "./ui/drives";
import { clearPlots, isShown, makePlots, movePlots, refreshPlots, repaint, setPanels, setRange, shownNames, showValues, toggleSignal, type Plots } from "./ui/plots";
import { makeReadOuts, type ReadOuts } from "./ui/readouts";
import { makeShowCard, type ShowCard } from "./ui/show";
import { makeSignals, type SignalsDrawer } from "./ui/signals";
import { makeStudyPanel, type StudyPanel } from "./ui/study";
import { makeTimeBar, type TimeBar } from "./ui/timebar";
import { makeTriad, type Triad } from "./ui/triad";

export interface App {
  state: State;
  page: Page;
  plots: Plots;
  drives: DrivesPanel;
  signals: SignalsDrawer;
  readouts: ReadOuts;
  show: ShowCard;
  time: TimeBar;
  triad: Triad;
  parameters: LivePanel;
  study: StudyPanel;
  picker: Picker;
  help: HTMLDialogElement;
  pushing: ReturnType<typeof makePushing>;
  jumped: boolean; // time was set, not passed
  drawn: number; // t of the last frame
  rowsDrawn: number;
}

// ---- time ----

const atEdge = (a: App): boolean => a.state.take?.live === true && a.state.clock.edge;

export function toggle(a: App): void {
  const { clock, live, run } = a.state;
  if (atEdge(a) && live && run) {
    live.send({ type: run.running ? "pause" : "play" });
    return;
  }
  if (!clock.playing && clock.t >= clock.last && !clock.live) clock.t = clock.first;
  clock.playing = !clock.playing;
}

export function step(a: App, rows: number): void {
  const { take, clock, live } = a.state;
  if (!take || take.rows.count === 0) return;
  if (rows > 0 && atEdge(a)) {
    live?.send({ type: "step" });
    return;
  }
  clock.playing = false;
  const at = rowAtTime(take, clock.t + 1e-9);
  const between = timeOf(take, at) < clock.t - 1e-9; // back from between two rows: the one before
  const row = Math.min(Math.max(at + rows + (rows < 0 && between ? 1 : 0), 0), take.rows.count - 1);
  goTo(a, timeOf(take, row));
}

export function goTo(a: App, t: number): void {
  seek(a.state.clock, t);
  a.jumped = true;
}

function goToEnd(a: App): void {
  const { clock } = a.state;
  if (clock.live) {
    clock.edge = true;
    clock.t = clock.last;
    a.jumped = true;
  } else goTo(a, clock.last);
}

function setSpeed(a: App, factor: number): void {
  if (atEdge(a)) a.state.live?.send({ type: "speed", value: factor });
  else a.state.clock.speed = factor || 1;
}

function otherSpeed(a: App, by: number): void {
  const now = atEdge(a) ? a.state.run!.speed : a.state.clock.speed;
  const at = speeds.findIndex((s) => s >= now);
  setSpeed(a, speeds[Math.min(Math.max((at < 0 ? speeds.length : at) + by, 0), speeds.length - 1)]!);
}

// ---- what is shown ----

export function setTheme(a: App, theme: Theme): void {
  a.state.theme = theme;
  applyTheme(theme);
  paint(a.state.view, colours[theme].drawing);
  repaint(a.plots, colours[theme].plot);
  a.drives.repaint(colours[theme].plot);
  a.study.repaint(theme);
  a.show.refresh(a.state.view);
}

function setShow(a: App, what: Shown, on: boolean): void {
  setShown(a.state.view, what, on);
  a.show.refresh(a.state.view);
}

export function showTake(a: App, take: Take): void {
  const { state, page } = a;
  const kept = take.live && state.take?.live && state.take.name === take.name; // a reset: same view, new rows
  const panels = kept && a.plots.take ? shownNames(a.plots) : null;
  state.take = take;
  Object.assign(state.clock, { t: firstTime(take), live: take.live, edge: take.live, playing: false });
  setClockRange(state.clock, firstTime(take), lastTime(take));
  const camera = kept ? cameraOf(a) : null;
  setTake(state.view, take);
  a.plots.range = null;
  setPanels(a.plots, take, panels ?? defaultPanels(take));
  a.signals.setTake(take);
  a.readouts.setTake(take);
  a.drives.setTake(take);
  a.show.setTake(take, state.view);
  page.setTitle(take.name, take.title);
  page.setZoomed(false);
  page.setWelcome(take.scene ? null : ["This recording cannot be drawn", "It was made by an older sinew that did not store what the robot looks like: run it again. Its signals can be plotted on the right."]);
  applyLink(a);
  if (camera) setCamera(a, camera);
  a.show.refresh(state.view);
  page.setFollow(state.view.follow.on);
  a.jumped = true;
}

export function showNothing(a: App, lines: string[]): void {
  a.state.take = null;
  setTake(a.state.view, null);
  clearPlots(a.plots);
  for (const part of [a.signals, a.readouts, a.drives]) part.setTake(null);
  a.show.setTake(null, a.state.view);
  a.page.setTitle("", "");
  a.page.setWelcome(lines);
}

// ---- link ----

function cameraOf(a: App): number[] {
  const { camera, controls } = a.state.view.stage;
  return [...camera.position.toArray(), ...controls.target.toArray()];
}

function setCamera(a: App, c: number[]): void {
  const { view } = a.state;
  view.stage.camera.position.set(c[0]!, c[1]!, c[2]!);
  view.stage.controls.target.set(c[3]!, c[4]!, c[5]!);
  view.stage.controls.update();
  view.keepCamera = true;
  view.stage.dirty = true;
}

export function linkOf(a: App): string {
  const { state, plots } = a;
  const { view, clock, take } = state;
  const page = location.href.split("#")[0]!;
  return page + toFragment({
    t: clock.edge ? undefined : clock.t,
    camera: take?.scene ? cameraOf(a) : undefined,
    follow: view.follow.on,
    signals: take ? shownNames(plots) : undefined,
    show: [...view.show],
    trail: view.trailPoint,
    scale: view.scale,
    theme: state.theme,
  });
}

// Once, for the take that comes first after the link was opened.
function applyLink(a: App): void {
  const { state } = a;
  const { view, take, link } = state;
  state.link = {};
  if (!take) return;
  if (link.signals) setPanels(a.plots, take, link.signals);
  if (link.show) for (const what of ["forces", "torque", "trail", "com", "balance", "support", "shadows", "grid"] as Shown[]) setShown(view, what, link.show.includes(what));
  if (link.trail !== undefined) setTrail(view, link.trail);
  if (link.scale !== undefined) view.scale = Math.min(Math.max(link.scale, 0.1), 10);
  if (link.follow !== undefined) view.follow.on = link.follow;
  if (link.t !== undefined && !take.live) seek(state.clock, link.t);
  if (link.camera) setCamera(a, link.camera);
}

async function copyLink(a: App): Promise<void> {
  const link = linkOf(a);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    tell("The link to this view is copied.");
  } catch {
    tell("The link to this view is in the address bar.");
  }
}

// ---- the loop ----

function frame(a: App, seconds: number): void {
  const { state, plots } = a;
  const { clock, take, view } = state;
  if (take) setClockRange(clock, firstTime(take), lastTime(take));
  advance(clock, seconds);
  const rows = take ? take.rows.count + take.rows.dropped : 0;
  const moved = clock.t !== a.drawn || (rows !== a.rowsDrawn && clock.edge) || a.jumped;
  drawFrame(view, clock.t, moved, a.jumped ? Infinity : seconds);
  a.pushing.refresh();
  a.triad.update(view.stage.camera);
  if (moved && (view.level === 0 || view.frames % 3 === 0 || a.jumped)) movePlots(plots, clock.t); // the whole page is put together anew
  if (a.jumped) updateTime(a);
  a.jumped = false;
  a.drawn = clock.t;
  a.rowsDrawn = rows;
}

function updateTime(a: App): void {
  const { state } = a;
  const { clock, take } = state;
  const running = atEdge(a) ? state.run?.running === true : clock.playing;
  const changeable = !take?.live || (state.hello?.interactive === true && state.connected);
  a.time.update({ clock, running, speed: atEdge(a) ? (state.run?.speed ?? 1) : clock.speed, live: take?.live === true, changeable });
}

// What need not be as quick as the eye: painting text costs more than moving the robot.
function slowFrame(a: App): void {
  const { take, clock, view } = a.state;
  updateTime(a);
  if (!take) return;
  showValues(a.plots, clock.t);
  a.readouts.update(take, clock.t);
  a.drives.update(clock.t);
  a.show.refresh(view);
  if (take.live && !a.plots.range) {
    refreshPlots(a.plots);
    movePlots(a.plots, clock.t);
  }
}

function run(a: App): void {
  let last = performance.now();
  let slow = 0;
  const tick = (now: number): void => {
    const seconds = Math.min((now - last) / 1000, 0.25);
    last = now;
    frame(a, seconds);
    if (now - slow > 100) {
      slow = now;
      slowFrame(a);
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

// ---- making it ----

function bindKeys(a: App): void {
  const { view } = a.state;
  const turn = (around: number, up: number, zoom = 1) => () => orbitBy(view.stage, around, up, zoom);
  const flip = (what: Shown) => () => setShow(a, what, !view.show.has(what));
  listen({
    " ": () => toggle(a),
    ArrowUp: () => steers(a) && a.parameters.nudge("command.speed", 0.02),
    ArrowDown: () => steers(a) && a.parameters.nudge("command.speed", -0.02),
    ArrowLeft: () => (steers(a) && a.parameters.nudge("command.turn", 0.05)) || step(a, -1),
    ArrowRight: () => (steers(a) && a.parameters.nudge("command.turn", -0.05)) || step(a, 1),
    Home: () => goTo(a, a.state.clock.first),
    End: () => goToEnd(a),
    "-": () => otherSpeed(a, -1),
    "+": () => otherSpeed(a, 1),
    "=": () => otherSpeed(a, 1),
    l: () => (a.state.clock.loop = !a.state.clock.loop),
    r: () => a.state.live?.send({ type: "reset" }),
    f: () => lookFrom(view, "fit", a.state.clock.t),
    t: () => lookFrom(view, "top", a.state.clock.t),
    s: () => lookFrom(view, "side", a.state.clock.t),
    g: () => (steers(a) && a.parameters.nudge("command.gait", 1, true)) || setFollow(a, !view.follow.on),
    c: flip("forces"),
    j: flip("torque"),
    d: () => setTheme(a, a.state.theme === "dark" ? "light" : "dark"),
    "/": () => a.signals.open(true),
    "?": () => a.help.showModal(),
    Escape: () => a.signals.open(false),
    "Shift+ArrowLeft": turn(-0.1, 0),
    "Shift+ArrowRight": turn(0.1, 0),
    "Shift+ArrowUp": turn(0, 0.08),
    "Shift+ArrowDown": turn(0, -0.08),
    PageUp: turn(0, 0, 1 / 1.15),
    PageDown: turn(0, 0, 1.15),
  });
}

// A robot that takes commands is driven while its run is watched as it goes; in what is past the keys look around, as in recordings.
function steers(a: App): boolean {
  return a.state.take?.live === true && atEdge(a);
}

function setFollow(a: App, on: boolean): void {
  a.state.view.follow.on = on;
  a.page.setFollow(on);
}

function setPush(a: App, on: boolean): void {
  a.pushing.enabled = on;
  a.page.setPush(a.pushing.allowed(), on);
}

function choose(a: App, name: string): void {
  a.picker.close();
  startLive(a);
  a.state.wanted = name;
  a.state.live?.send({ type: "load", scenario: name });
}

function makeSidePanels(get: () => App): Pick<App, "plots" | "drives" | "signals" | "readouts" | "parameters" | "study"> {
  const plots: Plots = makePlots((t) => goTo(get(), t), () => {
    get().signals.refresh();
    get().page.setZoomed(plots.range !== null);
    get().jumped = true;
  });
  return {
    plots,
    drives: makeDrives(),
    signals: makeSignals((c) => isShown(plots, c), (c) => toggleSignal(plots, c), () => get().page.stage.focus()),
    readouts: makeReadOuts(),
    study: makeStudyPanel((row) => playRow(get(), row)),
    parameters: makeLivePanel((key, value) => get().state.live?.send({ type: "set", key, value })),
  };
}

export function makeApp(host: HTMLElement): App {
  let a: App;
  const get = (): App => a;
  const look = (where: "fit" | "top" | "side") => () => lookFrom(a.state.view, where, a.state.clock.t);
  const page = makePage({
    scenarios: () => a.picker.open(true), openFile: () => openFile(a), copyLink: () => void copyLink(a),
    theme: () => setTheme(a, a.state.theme === "dark" ? "light" : "dark"), help: () => a.help.showModal(),
    fit: look("fit"), top: look("top"), side: look("side"), follow: () => setFollow(a, !a.state.view.follow.on),
    push: () => setPush(a, !a.pushing.enabled), picture: () => void savePicture(a),
    signals: () => a.signals.open(a.signals.element.hidden), plotsPicture: () => void savePlots(a), plotsTable: () => saveTable(a),
    unzoom: () => setRange(a.plots, null),
  });
  host.append(page.root);
  const view = makeView(page.stage);
  const link = fromFragment(location.hash);
  const state = makeState(view, link.theme ?? systemTheme());
  state.link = link;
  const side = makeSidePanels(get);
  const show = makeShowCard({ show: (w, on) => setShow(a, w, on), scale: (f) => ((view.scale = f), (view.stage.dirty = true), a.show.refresh(view)), trail: (p) => setTrail(view, p) });
  const time = makeTimeBar({
    toggle: () => toggle(a), step: (n) => step(a, n), seek: (t) => goTo(a, t), speed: (f) => setSpeed(a, f),
    loop: () => (state.clock.loop = !state.clock.loop), edge: () => goToEnd(a), reset: () => state.live?.send({ type: "reset" }),
  });
  const triad = makeTriad();
  const pushing = makePushing(view, (p) => state.live?.send({ type: "push", ...p }), () => state.live?.send({ type: "release" }));
  pushing.allowed = () => state.take?.live === true && state.hello?.interactive === true && state.clock.edge;
  const picker = makePicker((name) => choose(a, name), () => openFile(a));
  const help = makeHelp();
  a = { state, page, ...side, show, time, triad, picker, help, pushing, jumped: true, drawn: NaN, rowsDrawn: -1 };
  page.stage.append(show.element, show.legend, triad.element, side.signals.element);
  page.side.append(side.study.element, side.readouts.element, side.parameters.element, page.sideTools, side.plots.element, side.drives.element);
  page.root.append(time.element);
  document.body.append(picker.element, help);
  setTheme(a, state.theme);
  bindKeys(a);
  watchDrops(a);
  window.addEventListener("hashchange", () => {
    state.link = fromFragment(location.hash);
    if (state.link.theme) setTheme(a, state.link.theme);
    applyLink(a);
    a.show.refresh(view);
    page.setFollow(view.follow.on);
    a.jumped = true;
  });
  run(a);
  return a;
}
