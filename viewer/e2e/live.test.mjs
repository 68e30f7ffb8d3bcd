// A live run, played by a stand-in: what the page sends, and what it does with what it is told.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { done, hook, launch, loaded, look, open, quit, record, settled, shown, until } from "./browser.mjs";
import { bendingRod, startFake } from "./fake_program.mjs";

let recording;
before(async () => {
  await launch();
  recording = record("sidewinding", 10);
});
after(quit);

const live = (options = {}) => startFake({ source: { kind: "live" }, recording, scenario: "snake/sidewinding", ...options });
const sent = (fake, type) => fake.log.filter((m) => m.type === type);

test("cycle times of a foreign controller stand beside the speed", async () => {
  const page = await open((await live()).address);
  await loaded(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await until("paused", async () => /paused/.test(await page.locator(".badge").textContent()));
  await page.getByRole("button", { name: "Play" }).click();
  await until("noted", async () => /real time · cycle 1 ms, answered in 0.025 ms/.test(await page.locator(".badge").textContent()));
});

test("a live run is drawn as it comes; pause, step and reset are asked for and followed", async () => {
  const fake = await live();
  const page = await open(fake.address);
  await loaded(page);
  await shown(page);
  const before = await hook(page, "t");
  await until("it goes on", async () => (await hook(page, "t")) > before + 0.2);
  await page.getByRole("button", { name: "Pause" }).click();
  await until("paused", async () => /paused/.test(await page.locator(".badge").textContent()));
  const rows = await settled(page);
  await page.getByRole("button", { name: "One row forward" }).click();
  await until("one more row", async () => (await hook(page, "rows")) === rows + 1);
  await page.getByRole("button", { name: /Reset: run again/ }).click();
  await until("from the start", async () => (await hook(page, "rows")) < rows);
  assert.equal(sent(fake, "reset").length, 1);
  await done(page);
  await fake.stop();
});

test("sliders and fields set parameters, refusals are told, other pages follow", async () => {
  const fake = await live();
  const page = await open(fake.address);
  const other = await open(fake.address);
  await loaded(page);
  await page.getByLabel("gait.Ah_deg, exact value").fill("25.5");
  await page.keyboard.press("Enter");
  await until("set", () => sent(fake, "set").some((m) => m.key === "gait.Ah_deg" && m.value === 25.5));
  await until("the other page", async () => (await other.getByLabel("gait.Ah_deg, exact value").inputValue()) === "25.5");
  await page.getByLabel("contact.mu_long", { exact: true }).fill("0.3");
  await until("slid", () => sent(fake, "set").some((m) => m.key === "contact.mu_long" && Math.abs(m.value - 0.3) < 0.01));
  await page.getByRole("button", { name: "Back to 30" }).click();
  await until("default", () => sent(fake, "set").at(-1).value === 30);
  await page.getByLabel("gait.Ah_deg, exact value").fill("5000");
  await page.keyboard.press("Enter");
  await until("refusal", async () => /too large/.test((await page.locator(".note.error").textContent()) ?? ""));
  await done(page);
  await done(other);
  await fake.stop();
});

test("dragging a body with Shift pushes it, and letting go releases it", async () => {
  const fake = await live();
  const page = await open(fake.address);
  await loaded(page);
  fake.program.run.running = false;
  await settled(page);
  const box = await page.locator(".stage > canvas").boundingBox();
  const at = await hook(page, "robot");
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + at.x * box.width, box.y + at.y * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + at.x * box.width + 80, box.y + at.y * box.height - 60, { steps: 6 });
  await until("push", () => sent(fake, "push").length >= 2);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await until("release", () => sent(fake, "release").length === 1);
  const [first, last] = [sent(fake, "push")[0], sent(fake, "push").at(-1)];
  assert.match(first.body, /^link\d+$/);
  assert.ok(Math.hypot(...first.point) < 0.12, `a point of the link: ${first.point}`);
  assert.ok(Math.hypot(...last.target.map((x, i) => x - first.target[i])) > 0.05);
  await done(page);
  await fake.stop();
});

test("the past can be looked at while the run goes on", async () => {
  const fake = await live();
  const page = await open(fake.address);
  await until("a second", async () => (await hook(page, "t")) > 1);
  await page.locator(".scrub").fill("0.5");
  const rows = await hook(page, "rows");
  await until("it goes on behind", async () => (await hook(page, "rows")) > rows + 10);
  assert.equal(await hook(page, "t"), 0.5);
  await page.keyboard.press("End");
  assert.ok((await hook(page, "t")) > 1);
  await done(page);
  await fake.stop();
});

test("rods are drawn, with their curvature as colour", async () => {
  const fake = await live({ take: bendingRod(), scenario: "rod" });
  const page = await open(fake.address);
  await loaded(page);
  await until("some rows", async () => (await hook(page, "rows")) > 30);
  await until("a picture", async () => (await look(page)).colours > 40);
  assert.match(await page.locator(".key").textContent(), /curvature 0 .* 1\/m/);
  await done(page);
  await fake.stop();
});

test("a program that goes away is missed, and found again", async () => {
  const first = await live();
  const page = await open(first.address, { allow: /WebSocket connection/ });
  await loaded(page);
  await first.stop();
  await until("banner", async () => /The program has gone/.test((await page.locator(".banner").textContent()) ?? ""));
  const second = await live({ port: first.port });
  await until("again", async () => (await page.locator(".banner").isHidden()) && /Live/.test(await page.locator(".badge").textContent()));
  second.program.say({ type: "failed", what: "step 12: not solved: take a smaller step" });
  await until("failure", async () => /smaller step/.test((await page.locator(".banner").textContent()) ?? ""));
  await done(page);
  await second.stop();
});

test("without a run the picker is shown; a card loads its scenario; the token goes everywhere", async () => {
  const fake = await startFake({ source: { kind: "none" }, recording, token: "s3cret" });
  const page = await open(fake.address);
  await until("cards", async () => (await page.locator(".scenario").count()) === 3);
  await page.locator(".picker input").fill("eleven");
  assert.equal(await page.locator(".scenario:visible").count(), 1);
  await page.locator(".scenario:visible").click();
  await until("load", () => sent(fake, "load").some((m) => m.scenario === "snake/sidewinding"));
  await loaded(page);
  assert.ok(await page.locator(".picker").isHidden());
  assert.ok(page.requests.every((r) => r.startsWith("data:") || r.includes("token=s3cret")), page.requests.join(" "));
  await done(page);
  await fake.stop();
});
