// Rows of numbers, one per moment, in pieces of equal size: a recording fills them at once, a live run one after another. Where
// memory ends the oldest piece goes, so a row's number is only good until the next append; its time stays.

export interface Rows {
  width: number; // numbers per row
  pieceRows: number;
  pieces: Float64Array[];
  count: number;
  dropped: number; // rows that have gone
  limit: number; // pieces that may be kept
}

const pieceBytes = 4 << 20;

export function makeRows(width: number, limitBytes = 256 << 20): Rows {
  const pieceRows = Math.max(1, Math.floor(pieceBytes / (8 * Math.max(width, 1))));
  const limit = Math.max(2, Math.floor(limitBytes / (pieceRows * width * 8)));
  return { width, pieceRows, pieces: [], count: 0, dropped: 0, limit };
}

// data: whole rows one after another
export function append(rows: Rows, data: Float64Array): void {
  let at = 0;
  while (at < data.length) {
    const used = rows.count % rows.pieceRows;
    if (used === 0) {
      if (rows.pieces.length === rows.limit) {
        rows.pieces.shift();
        rows.count -= rows.pieceRows;
        rows.dropped += rows.pieceRows;
      }
      rows.pieces.push(new Float64Array(rows.pieceRows * rows.width));
    }
    const n = Math.min(rows.pieceRows - used, (data.length - at) / rows.width);
    const last = rows.pieces[rows.pieces.length - 1]!;
    last.set(data.subarray(at, at + n * rows.width), used * rows.width);
    rows.count += n;
    at += n * rows.width;
  }
}

// The piece that holds a row, and where in it the row begins.
export const pieceOf = (rows: Rows, row: number): Float64Array => rows.pieces[Math.floor(row / rows.pieceRows)]!;
export const offsetOf = (rows: Rows, row: number): number => (row % rows.pieceRows) * rows.width;

export function valueAt(rows: Rows, row: number, column: number): number {
  return pieceOf(rows, row)[offsetOf(rows, row) + column]!;
}

// The last row whose entry in `column` (growing) is not above t; 0 when all are.
export function rowAt(rows: Rows, column: number, t: number): number {
  let low = 0;
  let high = rows.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valueAt(rows, middle, column) <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}
