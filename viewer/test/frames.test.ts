import { describe, expect, it } from "vitest";
import { readFrame, readHello } from "../src/data/live";
import { address, fromBase64 } from "../src/data/source";

function frame(generation: number, rows: number[][], said = rows.length): ArrayBuffer {
  const flat = rows.flat();
  const buffer = new ArrayBuffer(8 + 8 * flat.length);
  const view = new DataView(buffer);
  view.setUint32(0, generation, true);
  view.setUint32(4, said, true);
  flat.forEach((x, i) => view.setFloat64(8 + 8 * i, x, true));
  return buffer;
}

describe("binary messages", () => {
  it("hold whole rows of one generation", () => {
    expect([...readFrame(frame(3, [[0, 1], [2, 3]]), 3, 2)!]).toEqual([0, 1, 2, 3]);
  });
  it("of another generation are left out", () => expect(readFrame(frame(2, [[0, 1]]), 3, 2)).toBeNull());
  it("that are cut off or too long are left out", () => {
    expect(readFrame(frame(3, [[0, 1]], 2), 3, 2)).toBeNull();
    expect(readFrame(frame(3, [[0, 1]]).slice(0, 12), 3, 2)).toBeNull();
    expect(readFrame(new ArrayBuffer(4), 3, 2)).toBeNull();
  });
});

describe("hello", () => {
  it("becomes an empty take with the scenario's parameters", () => {
    const hello = readHello({ type: "hello", generation: 4, scenario: "a/b", interactive: true, running: true, speed: 2, real_time_factor: 0.5, scene: { format: "sinew scene 1", title: "T" }, signals: [{ name: "t", unit: "s", description: "time" }], parameters: [] });
    expect(hello.take.rows.count).toBe(0);
    expect(hello.take.title).toBe("T");
    expect([hello.generation, hello.speed, hello.interactive]).toEqual([4, 2, true]);
  });
});

describe("addresses", () => {
  it("carry the page's token on, and nothing else of it", () => {
    expect(address("/live", "http://h:1/?token=a%2Bb&x=1")).toBe("http://h:1/live?token=a%2Bb");
    expect(address("/recording.h5", "http://h:1/")).toBe("http://h:1/recording.h5");
  });
});

describe("base64", () => {
  it("gives back all bytes", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(fromBase64(` ${btoa(String.fromCharCode(...bytes))}\n`)).toEqual(bytes);
  });
});
