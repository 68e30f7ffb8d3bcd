// The WebSocket to a running program (docs/view-protocol.md).
import { append, makeRows } from "./rows";
import { readScene } from "./scene";
import { makeTake, type Column, type Take } from "./take";

export interface Parameter {
  key: string;
  value: number;
  default: number;
  unit: string;
  doc: string;
  low: number | null;
  high: number | null;
}
export interface RunState {
  running: boolean;
  speed: number;
  real_time_factor: number;
  dropped: number;
  note: string; // cycle times of a foreign controller
}
export interface Hello extends RunState {
  generation: number;
  scenario: string;
  interactive: boolean;
  take: Take;
  parameters: Parameter[];
}
export type Request =
  | { type: "play" | "pause" | "step" | "reset" | "release" }
  | { type: "speed"; value: number }
  | { type: "set"; key: string; value: number }
  | { type: "push"; body: string; point: number[]; target: number[] }
  | { type: "load"; scenario: string };

export interface LiveEvents {
  hello(hello: Hello): void;
  state(state: RunState): void;
  rows(): void; // the take has grown
  parameter(key: string, value: number): void;
  failed(what: string): void;
  refused(what: string): void;
  connected(yes: boolean): void;
}
export interface Live {
  send(request: Request): void;
  close(): void;
}

export function readHello(m: Record<string, unknown>): Hello {
  const columns = m.signals as Column[];
  const scene = m.scene ? readScene(m.scene) : null;
  const scenario = String(m.scenario ?? "");
  const take = makeTake({ name: scenario, title: scene?.title ?? "", live: true }, scene, columns, makeRows(columns.length));
  return {
    generation: Number(m.generation),
    scenario,
    interactive: m.interactive === true,
    take,
    // JSON has no infinity: a limit that is none comes as null
    parameters: ((m.parameters ?? []) as Parameter[]).map((p) => ({ ...p, value: p.value ?? Infinity, default: p.default ?? Infinity })),
    ...readState(m),
  };
}

export function readState(m: Record<string, unknown>): RunState {
  return {
    running: m.running === true,
    speed: Number(m.speed ?? 1),
    real_time_factor: Number(m.real_time_factor ?? 0),
    dropped: Number(m.dropped ?? 0),
    note: String(m.note ?? ""),
  };
}

// The rows of a binary message, or null when they are not of this generation or not whole.
export function readFrame(buffer: ArrayBuffer, generation: number, width: number): Float64Array | null {
  if (buffer.byteLength < 8) return null;
  const head = new DataView(buffer);
  const n = head.getUint32(4, true);
  if (head.getUint32(0, true) !== generation || buffer.byteLength !== 8 + 8 * n * width) return null;
  return new Float64Array(buffer, 8, n * width);
}

const firstWait = 500; // ms until the next try; doubles up to 5 s

export function connect(url: string, events: LiveEvents): Live {
  let socket: WebSocket;
  let hello: Hello | null = null;
  let wait = firstWait;
  let timer = 0;
  let closed = false;

  function text(message: Record<string, unknown>): void {
    switch (message.type) {
      case "hello":
        hello = readHello(message);
        wait = firstWait;
        return events.hello(hello);
      case "state":
        return events.state(readState(message));
      case "parameter":
        return events.parameter(String(message.key), (message.value as number | null) ?? Infinity);
      case "failed":
        return events.failed(String(message.what));
      case "error":
        return events.refused(String(message.what));
    }
  }

  function open(): void {
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => events.connected(true);
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") return text(JSON.parse(event.data) as Record<string, unknown>);
      const rows = hello && readFrame(event.data, hello.generation, hello.take.columns.length);
      if (!rows || rows.length === 0) return;
      append(hello!.take.rows, rows);
      events.rows();
    };
    socket.onclose = () => {
      if (closed) return;
      events.connected(false);
      timer = window.setTimeout(open, wait);
      wait = Math.min(2 * wait, 5000);
    };
  }

  open();
  return {
    send: (request) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}
