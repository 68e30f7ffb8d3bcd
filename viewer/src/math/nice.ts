// Numbers for people.

// The nearest of 1, 2, 5 times a power of ten that is not above x.
export function niceBelow(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  const m = x / power;
  return (m >= 5 - 1e-9 ? 5 : m >= 2 - 1e-9 ? 2 : 1) * power;
}
export function niceAbove(x: number): number {
  const below = niceBelow(x);
  if (below >= x * (1 - 1e-9)) return below;
  return niceBelow(below * 2.5001);
}

const minus = "\u2212";

// About four digits, with a true minus sign.
export function readable(x: number): string {
  if (Number.isNaN(x)) return "\u2013";
  if (!Number.isFinite(x)) return x > 0 ? "\u221e" : `${minus}\u221e`;
  const a = Math.abs(x);
  let text: string;
  if (a === 0) text = "0";
  else if (a >= 1e5 || a < 1e-3) text = a.toExponential(2).replace("e+", "e").replace("e-", `e${minus}`);
  else text = a.toFixed(a >= 1000 ? 0 : a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4);
  return x < 0 && !/^0(\.0*)?$/.test(text) ? minus + text : text;
}

// The same without zeros at the end.
export const short = (x: number): string => {
  const text = readable(x);
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
};

// As in docs: "1" is the unit of pure numbers.
export const unitText = (unit: string): string => (unit === "1" || unit === "" ? "" : unit.replace(/\^2/g, "\u00b2").replace(/\^3/g, "\u00b3").replace(/ /g, "\u202f"));
export const axisText = (unit: string): string => (unit === "1" || unit === "" ? "no unit" : unitText(unit));

export interface SliderRange {
  low: number;
  high: number;
  step: number;
}

// A range to slide over. Bounds of the scenario where both are there; else a span around the default that reaches to twice its size,
// and never past a bound.
export function sliderRange(p: { value: number; default: number; low: number | null; high: number | null }): SliderRange {
  const known = [p.default, p.value].filter(Number.isFinite);
  const most = Math.max(0, ...known.map(Math.abs));
  const span = most === 0 ? 1 : niceAbove(2 * most);
  let low = p.low ?? (known.some((x) => x < 0) || p.default === 0 ? -span : 0);
  let high = p.high ?? span;
  if (p.low !== null && p.high === null) high = Math.max(span, p.low + span);
  if (p.high !== null && p.low === null) low = Math.min(low, p.high - span);
  low = Math.min(low, ...known);
  high = Math.max(high, ...known);
  if (!(high > low)) high = low + 1;
  return { low, high, step: niceBelow((high - low) / 200) };
}
