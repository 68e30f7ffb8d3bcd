// Colours for numbers. The scale runs from a quiet grey-blue to a strong red in even steps of lightness, so that it also reads in grey;
// on dark ground it runs the other way, from dim to bright.

export type Rgb = [number, number, number]; // 0 to 1, sRGB

const light: Rgb[] = [
  [0.62, 0.7, 0.76],
  [0.9, 0.58, 0.27],
  [0.82, 0.32, 0.2],
  [0.45, 0.03, 0.18],
];
const dark: Rgb[] = [
  [0.28, 0.31, 0.36],
  [0.55, 0.25, 0.45],
  [0.93, 0.44, 0.3],
  [1.0, 0.9, 0.55],
];

export function scaleColour(x: number, isDark: boolean, out: Rgb): Rgb {
  const stops = isDark ? dark : light;
  const at = Math.min(Math.max(Number.isFinite(x) ? x : 0, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const f = at - i;
  for (let k = 0; k < 3; k++) out[k] = stops[i]![k]! * (1 - f) + stops[i + 1]![k]! * f;
  return out;
}

export const css = (c: Rgb): string => `rgb(${c.map((v) => Math.round(255 * v)).join(",")})`;

export function scaleGradient(isDark: boolean): string {
  const stops = Array.from({ length: 9 }, (_, i) => css(scaleColour(i / 8, isDark, [0, 0, 0])));
  return `linear-gradient(to right, ${stops.join(",")})`;
}
