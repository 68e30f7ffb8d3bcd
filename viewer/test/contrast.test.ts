// Contrast of all that is to be read or told apart, by the formula of WCAG 2.1: 4.5 for text (1.4.3), 3 for lines, icons and outlines of
// controls (1.4.11). Not measured: lines that only part panels, the grid, switched-off buttons, and shades within the robot.
import { describe, expect, it } from "vitest";
import { colours, variables, type Colours } from "../src/colours";
import sheet from "../src/style.css?raw";
import type { Theme } from "../src/theme";

type Rgb = [number, number, number]; // 0 to 1, sRGB
type Named = [string, Rgb];

const rgb = (hex: string): Rgb => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as Rgb;
const linear = (c: Rgb): Rgb => c.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as Rgb;
const encoded = (c: Rgb): Rgb => c.map((v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)) as Rgb;
const mixed = (a: Rgb, b: Rgb, share: number): Rgb => a.map((v, i) => share * v + (1 - share) * b[i]!) as Rgb;

function luminance(c: Rgb): number {
  const [r, g, b] = linear(c);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

// Ground as lights and shadow leave it (draw/stage.ts: the sun stands at (0.9, -1.3, 3); a matt surface gives back 1/pi), and as it is drawn
// without light where frames are slow.
function grounds({ drawing: d }: Colours): Named[] {
  const sun = (d.sun * 3) / Math.hypot(0.9, 1.3, 3);
  const sky = linear(rgb(d.sky));
  const under = (light: number): Rgb => encoded(linear(rgb(d.ground)).map((v, i) => Math.min(1, (v * (light + d.ambient * sky[i]!)) / Math.PI)) as Rgb);
  return [["background", rgb(d.background)], ["ground", rgb(d.ground)], ["ground in the sun", under(sun)], ["ground in shadow", under(0)]];
}

// A card lets a tenth of the picture through, whatever is there.
function cards(c: Colours): Named[] {
  const d = c.drawing;
  const behind: Named[] = [...grounds(c), ...(["linkA", "linkB", "head", "obstacle", "point"] as const).map((n): Named => [n, rgb(d[n])])];
  return behind.map(([name, b]) => [`card over ${name}`, mixed(rgb(c.page.paper), b, 0.9)]);
}

function expectAll(least: number, front: Named[], back: Named[]): void {
  for (const [a, x] of front) for (const [b, y] of back) expect(contrast(x, y), `${a} on ${b}`).toBeGreaterThanOrEqual(least);
}

describe("the formula", () => {
  it("gives 21 for black on white and 4.54 for #767676, as published", () => {
    expect(contrast(rgb("#000000"), rgb("#ffffff"))).toBeCloseTo(21, 9);
    expect(contrast(rgb("#767676"), rgb("#ffffff"))).toBeCloseTo(4.54, 2);
  });
});

describe.each(["light", "dark"] as Theme[])("in the %s theme", (theme) => {
  const c = colours[theme];
  const page = (...names: (keyof Colours["page"])[]): Named[] => names.map((n) => [n, rgb(c.page[n])]);
  const drawn = (...names: ("normal" | "friction" | "point" | "com" | "support" | "trail" | "push" | "linkA" | "linkB" | "head" | "frame" | "obstacle")[]): Named[] =>
    names.map((n) => [n, rgb(c.drawing[n])]);
  const lines: Named[] = c.plot.lines.map((l, i) => [`line ${i}`, rgb(l)]);

  it("text and muted text can be read on panels, on buttons and on the cards over the picture", () => {
    expectAll(4.5, page("ink", "soft"), [...page("paper", "back", "hover"), ...cards(c)]);
    expectAll(4.5, page("accent"), [...page("paper", "back", "accent-soft"), ...cards(c)]);
    expectAll(4.5, page("bad"), page("paper", "bad-back"));
    expectAll(4.5, page("good"), page("paper"));
    expectAll(4.5, page("paper"), page("ink"));
  });
  it("the play button can be read, also under the mouse", () => {
    const hover: Named = ["hover", mixed(rgb(c.page.accent), rgb(c.page.ink), 0.85)];
    expectAll(4.5, page("paper"), [...page("accent"), hover]);
  });
  it("numbers at the axes of plots can be read", () => expectAll(4.5, [["plot ink", rgb(c.plot.ink)]], page("paper")));
  it("names of directions can be read on the picture", () => expectAll(4.5, page("axis-x", "axis-y", "axis-z"), grounds(c).slice(0, 3)));
  it("fields, sliders, the frame of the focus and the dot of a run can be seen", () => {
    expectAll(3, page("outline"), page("paper", "back"));
    expectAll(3, page("accent"), [...page("paper", "back", "hover"), ...grounds(c)]);
    expectAll(3, page("record", "soft"), page("paper", "accent-soft"));
  });
  it("lines of plots can be seen on paper and in their legends", () => expectAll(3, lines, page("paper")));
  it("arrows, marks and trails can be seen on the ground, in shadow too, and in the legend", () => {
    const marks = drawn("normal", "friction", "point", "com", "support", "trail", "push");
    expectAll(3, marks, grounds(c));
    expectAll(3, drawn("normal", "friction", "com", "trail", "support"), cards(c));
  });
  it("the robot and obstacles can be told from the ground", () => expectAll(3, drawn("linkA", "linkB", "head", "frame", "obstacle"), grounds(c).slice(0, 3)));
  it("the style sheet uses these colours and no others", () => {
    const known = new Set([...Object.keys(variables(theme)), "shade", "mark"]);
    const used = new Set([...sheet.matchAll(/var\(--([\w-]+)\)/g)].map((m) => m[1]!));
    expect(used.size).toBeGreaterThan(15);
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    expect(sheet.match(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsl)\((?!0 0 0 \/)[^)]*\)/gi)).toBeNull(); // but black, for shadows
  });
});
