// Debian's Chromium, drawn by software, and what every test asks of a page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach } from "node:test";
import { chromium } from "playwright-core";

export const program = process.env.SINEW ?? "sinew";
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sinew-e2e-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

let recorded = new Map();
export function record(scenario, until) {
  const file = path.join(folder, `${scenario.replace(/\W/g, "-")}.h5`);
  if (!recorded.has(file)) execFileSync(program, ["run", scenario, "--until", String(until), "--quiet", "--out", file], { cwd: folder });
  recorded.set(file, true);
  return file;
}

// A page with the recording of this scenario inside.
export function send(name, options = []) {
  const recording = path.join(folder, "sent.h5"), html = path.join(folder, "sent.html");
  const ran = execFileSync(program, ["run", name, ...options, "--json", "--quiet", "--out", recording], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  execFileSync(program, ["export", recording, "--html", html], { cwd: folder });
  return { html, end: JSON.parse(ran).time.end };
}

let browser;
export async function launch() {
  const found = process.env.CHROMIUM ?? "chromium";
  const executablePath = found.includes("/") ? found : execFileSync("which", [found], { encoding: "utf8" }).trim();
  browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-background-networking"],
  });
}
export const quit = () => browser.close();
const left = new Set(); // what a test has started and not ended, because it failed
export const ending = (end) => (left.add(end), end);
afterEach(async () => {
  await Promise.all(browser.contexts().map((c) => c.close()));
  for (const end of left) await end();
  left.clear();
});

// A page whose complaints are a test's failure. allow: a pattern of those that belong to the test
export async function open(address, { scheme = "light", allow = null, width = 1200, height = 760, motion = "reduce" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: motion, acceptDownloads: true });
  context.setDefaultTimeout(600_000); // no test fails because the machine has much else to do
  const page = await context.newPage();
  page.complaints = [];
  const complain = (text) => allow?.test(text) || page.complaints.push(text);
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !/GPU stall|GL Driver Message/.test(m.text()) && complain(m.text()));
  page.on("pageerror", (e) => complain(String(e.stack)));
  page.requests = [];
  page.on("request", (r) => page.requests.push(r.url()));
  await page.goto(address);
  return page;
}

export async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

export const hook = (page, name) => page.evaluate((n) => window.sinewView?.[n], name);

// The page's rules forbid what playwright's own waiting does, so this asks again and again.
export async function until(what, ask, seconds = 600) {
  const end = Date.now() + 1000 * seconds;
  let last;
  do {
    last = await ask();
    if (last) return last;
    await new Promise((r) => setTimeout(r, 60));
  } while (Date.now() < end);
  assert.fail(`${what}: not after ${seconds} s (last: ${JSON.stringify(last)})`);
}

// Their number, once no more rows come although the page has had its turns: a busy machine takes its time.
export function settled(page) {
  return until("no more rows", async () => {
    const rows = await hook(page, "rows");
    for (let i = 0; i < 5; i++) await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
    await new Promise((r) => setTimeout(r, 200));
    return (await hook(page, "rows")) === rows && rows;
  });
}

export const loaded = (page) => until("rows", async () => (await hook(page, "rows")) > 1 && (await hook(page, "frames")) > 2);

// Colours in the middle of the picture, as the screen shows it: how many differ, and how many pixels are not the background's.
export async function look(page) {
  const box = await page.locator(".stage > canvas").boundingBox();
  const clip = { x: box.x + 0.3 * box.width, y: box.y + 0.2 * box.height, width: 0.4 * box.width, height: 0.6 * box.height };
  const png = await page.screenshot({ clip });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    let strong = 0; // pixels with a colour: the robot is teal and orange, the ground grey
    for (let i = 0; i < data.length; i += 4) {
      colours.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
      if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) strong++;
    }
    return { colours: colours.size, robot: strong / (data.length / 4) };
  }, png.toString("base64"));
}

// The robot is in the picture; a slow machine needs a moment to draw it.
export const shown = (page) => until("the robot in the picture", async () => (await look(page)).robot > 0.02);
