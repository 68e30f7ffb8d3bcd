import { describe, expect, it } from "vitest";
import { advance, makeClock, seek, setRange } from "../src/data/clock";
import { fromFragment, toFragment, type ViewState } from "../src/data/link";

describe("a link", () => {
  it("brings back what was put in", () => {
    const state: ViewState = { t: 3.25, camera: [1, 2, 3, 0, -0.5, 0], follow: true, signals: [["contact.a.s:peg.1.normal", "b"], ["c"]], show: ["forces", "com"], trail: "link 1", scale: 2, theme: "dark" };
    expect(fromFragment(toFragment(state))).toEqual(state);
  });
  it("that makes no sense changes nothing", () => {
    expect(fromFragment("#t=abc&camera=1,2&scale=-1&theme=pink")).toEqual({});
    expect(fromFragment("")).toEqual({});
  });
});

describe("the clock", () => {
  const made = () => {
    const clock = makeClock();
    setRange(clock, 0, 10);
    return clock;
  };
  it("runs at its speed and begins again", () => {
    const clock = Object.assign(made(), { playing: true, speed: 2, t: 9 });
    expect(advance(clock, 1)).toBe(true);
    expect(clock.t).toBeCloseTo(1);
  });
  it("stops at the end without the loop", () => {
    const clock = Object.assign(made(), { playing: true, loop: false, t: 9.5 });
    advance(clock, 1);
    expect([clock.t, clock.playing]).toEqual([10, false]);
  });
  it("joins a live run where it catches up, and stays with it", () => {
    const clock = Object.assign(made(), { playing: true, live: true, t: 9.5 });
    advance(clock, 1);
    expect(clock.edge).toBe(true);
    setRange(clock, 0, 12);
    expect(clock.t).toBe(12);
  });
  it("leaves the live run when a time is chosen, and keeps within what there is", () => {
    const clock = Object.assign(made(), { live: true, edge: true });
    seek(clock, -5);
    expect([clock.edge, clock.t]).toEqual([false, 0]);
    setRange(clock, 4, 12); // the oldest rows are gone
    expect(clock.t).toBe(4);
  });
});
