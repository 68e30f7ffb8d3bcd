// Stands for the program in tests of the page alone: serves it under the same rules, and "runs" by sending the rows of a recording.
import fs from "node:fs";
import http from "node:http";
import h5wasm from "h5wasm/node";
import { WebSocketServer } from "ws";
import { ending } from "./browser.mjs";

export const pageFile = new URL("../dist/index.html", import.meta.url);
const rules = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:";

export async function readRecording(path) {
  await h5wasm.ready;
  const file = new h5wasm.File(path, "r");
  const index = JSON.parse(new TextDecoder().decode(file.get("index").value));
  const signals = index.columns.map(([name, unit, description]) => ({ name, unit, description }));
  const samples = file.get("samples");
  const take = { scene: JSON.parse(file.attrs.scene.value), signals, rows: samples.value, count: samples.shape[0] };
  file.close();
  return take;
}

export const parameters = [
  { key: "gait.Ah_deg", value: 30, default: 30, unit: "deg", doc: "amplitude of the horizontal wave", low: 0, high: 90 },
  { key: "contact.mu_long", value: 0.2, default: 0.2, unit: "1", doc: "friction against sliding along the body", low: 0, high: null },
  { key: "gravity.g.2", value: -9.81, default: -9.81, unit: "m/s^2", doc: "gravity, upwards", low: null, high: null },
];

// Rows from..to; past the last the recording begins again, later.
function frame(generation, take, from, to) {
  const width = take.signals.length;
  const time = take.signals.findIndex((s) => s.name === "t");
  const end = take.rows[(take.count - 1) * width + time] + 0.01;
  const buffer = Buffer.alloc(8 + 8 * width * (to - from));
  buffer.writeUInt32LE(generation, 0);
  buffer.writeUInt32LE(to - from, 4);
  for (let row = from; row < to; row++)
    for (let i = 0; i < width; i++) {
      const later = i === time ? end * Math.floor(row / take.count) : 0;
      buffer.writeDoubleLE(take.rows[(row % take.count) * width + i] + later, 8 + 8 * ((row - from) * width + i));
    }
  return buffer;
}

// An arm that bends to and fro: what a continuum robot sends.
export function bendingRod(points = 12, count = 100) {
  const names = ["t", ...Array.from({ length: points }, (_, k) => ["x", "y", "z"].map((a) => `rod.arm.${k}.p.${a}`)).flat()];
  const rows = new Float64Array(count * names.length);
  for (let i = 0; i < count; i++) {
    const bend = 1.5 * Math.sin((2 * Math.PI * i) / count) + 1e-3; // curvature at the end, growing along the arm [1/m]
    rows[i * names.length] = 0.01 * i;
    let [x, z, angle] = [0, 0, 0];
    for (let k = 0; k < points; k++) {
      rows.set([x, 0, z], i * names.length + 1 + 3 * k);
      angle += ((bend * k) / points) * 0.1;
      (x += 0.1 * Math.sin(angle)), (z += 0.1 * Math.cos(angle));
    }
  }
  const scene = { format: "sinew scene 1", name: "rod", title: "an arm", gravity: [0, 0, -9.81], ground: { kind: "plane", normal: [0, 0, 1], height: 0 }, rods: [{ name: "arm", radius: 0.03, points }] };
  return { scene, signals: names.map((name) => ({ name, unit: name === "t" ? "s" : "m", description: name })), rows, count };
}

function live(server, take, log) {
  const sockets = new WebSocketServer({ server, path: "/live" });
  const run = { generation: 1, scenario: "", row: 0, running: true, speed: 1, values: new Map(parameters.map((p) => [p.key, p.value])) };
  const all = (message) => sockets.clients.forEach((s) => s.send(message));
  const say = (json) => all(JSON.stringify(json));
  const state = () => say({ type: "state", running: run.running, speed: run.speed, real_time_factor: run.running ? 0.99 : 0, t: 0, dropped: 0, note: "cycle 1 ms, answered in 0.025 ms" });
  const hello = () => JSON.stringify({ type: "hello", protocol: 1, generation: run.generation, scenario: run.scenario, interactive: true, scene: take.scene, signals: take.signals, parameters: parameters.map((p) => ({ ...p, value: run.values.get(p.key) })), running: run.running, speed: run.speed, real_time_factor: 0.99 });
  const advance = (rows) => {
    all(frame(run.generation, take, run.row, run.row + rows));
    run.row += rows;
  };
  const restart = () => {
    run.generation++;
    run.row = 0;
    run.running = true;
    all(hello());
  };
  sockets.on("connection", (socket) => {
    if (run.scenario) socket.send(hello());
    socket.on("message", (data) => {
      const m = JSON.parse(String(data));
      log.push(m);
      if (m.type === "play" || m.type === "pause") run.running = m.type === "play";
      if (m.type === "step") advance(1);
      if (m.type === "speed") run.speed = m.value;
      if (m.type === "reset") restart();
      if (m.type === "load") (run.scenario = m.scenario), restart();
      if (m.type === "set" && m.value > 1000) return socket.send(JSON.stringify({ type: "error", what: `${m.key}: too large` }));
      if (m.type === "set") run.values.set(m.key, m.value), say({ type: "parameter", key: m.key, value: m.value });
      state();
    });
  });
  const timer = setInterval(() => run.running && run.scenario && sockets.clients.size && advance(Math.max(1, Math.round(2 * run.speed))), 20);
  const states = setInterval(state, 250);
  return { run, say, stop: () => (clearInterval(timer), clearInterval(states), sockets.clients.forEach((s) => s.terminate()), sockets.close()) };
}

// source: of /api/source; recording: path; take: instead of it; scenario: that runs at first, "" for none; shared: by several tests
export async function startFake({ source, recording, take: given, scenario = "", port = 0, token = "", shared = false }) {
  const log = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    log.push({ request: url.pathname });
    const json = (value) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (token && url.searchParams.get("token") !== token) return response.writeHead(403).end();
    if (url.pathname === "/") return response.setHeader("content-type", "text/html").setHeader("content-security-policy", rules).end(fs.readFileSync(pageFile));
    if (url.pathname === "/api/source") return json(source);
    if (url.pathname === "/recording.h5" && recording) return response.end(fs.readFileSync(recording));
    if (url.pathname === "/api/scenarios")
      return json([
        { name: "snake/sidewinding", title: "sidewinding of an eleven-link snake robot", source: "Transeth et al.", picture: null },
        { name: "basics/pendulum", title: "pendulum released from the horizontal", source: "textbook", picture: null },
        { name: "basics/stack", title: "stack of ten boxes that stands still", source: "textbook: statics", picture: null },
      ]);
    response.writeHead(404).end();
  });
  const take = source.kind === "recording" ? null : (given ?? (await readRecording(recording)));
  const program = take ? live(server, take, log) : null;
  if (program) program.run.scenario = scenario;
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  const used = server.address().port;
  const stop = () => new Promise((done) => (program?.stop(), server.closeAllConnections(), server.close(done)));
  if (!shared) ending(stop);
  return {
    address: `http://127.0.0.1:${used}/${token ? `?token=${token}` : ""}`,
    port: used,
    log,
    program,
    stop,
  };
}
