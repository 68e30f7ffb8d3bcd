// A recording (docs/recordings.md): /samples is the table of all rows and /index names its columns, so two reads do instead of one
// per signal.
import h5wasm, { type Attribute, type Dataset, type File as H5File } from "h5wasm";
import { append, makeRows } from "./rows";
import { readScene, type Scene } from "./scene";
import { makeTake, type Column, type Take } from "./take";

const notOurs = (name: string, why: string): Error =>
  new Error(`${name}: ${why}: choose a recording that sinew run has written (recording.h5)`);

// A file whose run goes on, or was killed, is still marked as open for writing: byte 11 of the superblock (versions 2 and 3). Only
// single-writer mode reads that.
export function modeOf(bytes: Uint8Array): "r" | "Sr" {
  return bytes[8]! >= 2 && bytes[11]! !== 0 ? "Sr" : "r";
}

function open(path: string, name: string, mode: "r" | "Sr"): H5File {
  const file = new h5wasm.File(path, mode);
  if (file.file_id < 0n) throw notOurs(name, "not an HDF5 file that can be read");
  return file;
}

function attribute(file: H5File, name: string): string {
  const value = (file.attrs[name] as Attribute | undefined)?.value;
  return typeof value === "string" ? value : "";
}

function readColumns(file: H5File, name: string): Column[] {
  const index = file.get("index") as Dataset | null;
  if (!index) throw notOurs(name, "no sinew recording: /index is missing");
  const json = JSON.parse(new TextDecoder().decode(index.value as Uint8Array)) as { columns: [string, string, string][] };
  return json.columns.map(([column, unit, description]) => ({ name: column, unit, description }));
}

function readSceneOf(file: H5File): Scene | null {
  const json = attribute(file, "scene");
  return json ? readScene(JSON.parse(json)) : null;
}

function read(file: H5File, name: string): Take {
  const columns = readColumns(file, name);
  const samples = file.get("samples") as Dataset | null;
  const shape = samples?.shape;
  if (!samples || !shape || shape[1] !== columns.length) throw notOurs(name, "no sinew recording: /samples does not fit");
  const rows = makeRows(columns.length, Number.MAX_SAFE_INTEGER);
  for (let at = 0; at < shape[0]!; at += rows.pieceRows)
    append(rows, samples.slice([[at, Math.min(at + rows.pieceRows, shape[0]!)], []]) as Float64Array);
  if (rows.count === 0) throw new Error(`${name}: the recording has no rows yet: open it again when the run has gone on`);
  const about = { name: attribute(file, "name") || name, title: attribute(file, "title"), live: false };
  return makeTake(about, readSceneOf(file), columns, rows);
}

let opened = 0;

export async function readRecording(bytes: Uint8Array, name: string): Promise<Take> {
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(1, 4)) !== "HDF") throw notOurs(name, "not an HDF5 file");
  const { FS } = await h5wasm.ready;
  const path = `take${opened++}.h5`;
  FS.writeFile(path, bytes);
  try {
    const file = open(path, name, modeOf(bytes));
    try {
      return read(file, name);
    } finally {
      file.close();
    }
  } finally {
    FS.unlink(path);
  }
}
