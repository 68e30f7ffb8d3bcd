// Recordings: looked at, played, plotted, dropped on the page, inside the page.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import h5wasm from "h5wasm/node";
import { done, folder, hook, launch, loaded, look, open, program, quit, record, send, shown, until } from "./browser.mjs";
import { pageFile, startFake } from "./fake_program.mjs";

let file;
let fake;
before(async () => {
  await launch();
  file = record("sidewinding", 2);
  fake = await startFake({ shared: true, source: { kind: "recording", name: "recording.h5", url: "/recording.h5" }, recording: file });
});
after(async () => {
  await fake.stop();
  await quit();
});

const drop = (page, bytes, name) =>
  page.evaluate(
    ([base64, fileName]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], fileName));
      for (const type of ["dragenter", "dragover", "drop"]) window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [Buffer.from(bytes).toString("base64"), name],
  );

test("a recording is drawn with the robot in the picture, in light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    const page = await open(fake.address, { scheme });
    await loaded(page);
    assert.equal(await hook(page, "rows"), 201);
    await shown(page);
    const { colours } = await look(page);
    assert.ok(colours > 40, `blank: ${colours} colours`);
    const at = await hook(page, "robot");
    assert.ok(at.x > 0.3 && at.x < 0.7 && at.y > 0.3 && at.y < 0.7, JSON.stringify(at));
    assert.match(await page.title(), /sidewinding/);
    await done(page);
  }
});

test("it plays, pauses, steps by rows and is scrubbed", async () => {
  const page = await open(fake.address);
  await loaded(page);
  assert.equal(await hook(page, "t"), 0); // who wants no motion gets none unasked
  await page.keyboard.press("Space");
  await until("time passes", async () => (await hook(page, "t")) > 0.3);
  await page.keyboard.press("Space");
  assert.equal(await hook(page, "playing"), false);
  await page.locator(".scrub").fill("1.234");
  assert.ok(Math.abs((await hook(page, "t")) - 1.234) < 1e-9);
  await page.locator(".stage").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await hook(page, "t")) - 1.24) < 1e-9);
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await hook(page, "t")) - 1.23) < 1e-9);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await hook(page, "t")) - 2) < 1e-9);
  await until("the numbers follow", async () => (await page.locator(".readouts b").first().textContent()) === "2.00");
  await done(page);
});

test("signals are found by words and plotted by unit; a click in a plot sets the clock", async () => {
  const page = await open(fake.address);
  await loaded(page);
  const panels = await page.locator(".panel").count();
  await page.keyboard.press("/");
  await page.locator(".drawer input[type=search]").fill("link6.p");
  await page.locator(".drawer .leaf", { hasText: "body.link6.p.x" }).click();
  await page.locator(".drawer .leaf", { hasText: "body.link6.p.y" }).click();
  assert.deepEqual((await hook(page, "signals")).slice(-2), ["body.link6.p.x", "body.link6.p.y"]);
  assert.equal(await page.locator(".panel").count(), panels + 1); // metres share one panel
  await page.locator(".drawer input[type=search]").fill("");
  await page.locator(".drawer summary", { hasText: "joint" }).click();
  await page.locator(".drawer summary", { hasText: "joint1" }).first().click();
  await page.locator(".drawer button").click();
  const over = page.locator(".u-over").first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  assert.ok(Math.abs((await hook(page, "t")) - 1) < 0.02);
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 45, { steps: 5 });
  await page.mouse.up();
  const [table] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const lines = fs.readFileSync(await table.path(), "utf8").trim().split("\n");
  assert.ok(lines[0].startsWith("t,com.speed") && lines[0].endsWith("body.link6.p.x,body.link6.p.y"), lines[0]);
  assert.ok(lines.length > 40 && lines.length < 62, `${lines.length} rows of the zoomed part`);
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG", exact: true }).click()]);
  assert.equal(fs.readFileSync(await png.path()).subarray(1, 4).toString(), "PNG");
  await over.dblclick();
  await done(page);
});

test("a recording dropped on the page is shown without the server; another file is refused in words", async () => {
  const page = await open(fake.address);
  await loaded(page);
  await drop(page, Buffer.from("no recording"), "notes.txt");
  await until("refusal", async () => /notes\.txt.*not an HDF5 file/.test((await page.locator(".note.error").textContent()) ?? ""));
  assert.match(await page.title(), /sidewinding/); // what was there stays
  const asked = page.requests.length;
  await drop(page, fs.readFileSync(record("pendulum", 1)), "swing.h5");
  await until("the other recording", async () => /pendulum/.test(await page.title()));
  await until("its rows", async () => (await hook(page, "rows")) === 101);
  assert.equal(page.requests.length, asked);
  await done(page);
});

test("the recording of a killed run opens; one without a scene is plotted and says why it is not drawn", async () => {
  const page = await open(pageFile.href);
  const killed = path.join(folder, "killed.h5");
  const run = spawn(program, ["run", "sidewinding", "--until", "1000", "--quiet", "--out", killed], { cwd: folder });
  await until("a file that grows", () => fs.existsSync(killed) && fs.statSync(killed).size > 1e6);
  await new Promise((gone) => (run.once("exit", gone), run.kill("SIGKILL")));
  await drop(page, fs.readFileSync(killed), "killed.h5");
  await until("its rows", async () => (await hook(page, "rows")) > 20);
  const older = path.join(folder, "older.h5");
  fs.copyFileSync(file, older);
  await h5wasm.ready;
  const h5 = new h5wasm.File(older, "a");
  h5.delete_attribute("scene");
  h5.close();
  await drop(page, fs.readFileSync(older), "older.h5");
  await until("words", async () => /older sinew/.test((await page.locator(".welcome").textContent()) ?? ""));
  assert.ok((await page.locator(".panel").count()) > 1);
  await done(page);
});

test("the page with a recording inside opens from a file and asks nobody", async () => {
  const inside = `<script id="recording" type="application/octet-stream;base64" data-name="recording.h5">${fs.readFileSync(file).toString("base64")}</script>\n</body>`;
  const alone = path.join(folder, "alone.html");
  fs.writeFileSync(alone, fs.readFileSync(pageFile, "utf8").replace("</body>", () => inside));
  const page = await open(`file://${alone}`);
  await loaded(page);
  await shown(page);
  assert.deepEqual(page.requests.filter((r) => !/^(data|blob):/.test(r)), [`file://${alone}`]);
  await done(page);
});

test("the page without anything says what to do", async () => {
  const page = await open(pageFile.href);
  await until("welcome", async () => /Drop a recording/.test((await page.locator(".welcome").textContent()) ?? ""));
  await done(page);
});

test("a link brings back time, camera, signals and switches", async () => {
  const page = await open(fake.address);
  await loaded(page);
  await page.locator(".scrub").fill("1.5");
  await page.getByLabel("Support polygon").check();
  await page.getByRole("button", { name: "Top" }).click();
  await page.keyboard.press("d");
  await page.locator(".chip button").first().click();
  const [link, signals] = [await hook(page, "link"), await hook(page, "signals")];
  await done(page);
  const other = await open(link);
  await loaded(other);
  assert.equal(await hook(other, "t"), 1.5);
  assert.deepEqual(await hook(other, "signals"), signals);
  assert.equal(await other.getByLabel("Support polygon").isChecked(), true);
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), "dark");
  const part = (l) => new URLSearchParams(l.split("#")[1]).get("camera").split(",").map(Number);
  part(await hook(other, "link")).forEach((x, i) => assert.ok(Math.abs(x - part(link)[i]) < 1e-3, `camera ${part(link)}`));
  await done(other);
});

test("all can be reached by keyboard and has a name", async () => {
  const page = await open(fake.address);
  await loaded(page);
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
  await page.keyboard.press("?");
  assert.ok(await page.locator(".help").isVisible());
  await page.keyboard.press("Escape");
  for (const key of ["t", "s", "f", "g", "c", "j", "Shift+ArrowLeft", "PageUp", "+", "-", "l"]) await page.keyboard.press(key);
  assert.equal(await page.getByLabel("Joint torque as colour").isChecked(), true);
  assert.equal(await page.getByLabel("Contact forces", { exact: true }).isChecked(), false);
  await done(page);
});

test("drives are drawn over speed inside of what they can do, and one that sweeps over frequency", async () => {
  const { html } = send("drive/force-bode", ["--set", 'output.signals=["drive.*"]', "--set", "output.every=0.001"]);
  const page = await open(pathToFileURL(html).href);
  await loaded(page);
  await page.locator(".drives summary").click();
  await until("charts", async () => (await page.locator(".drives svg.chart").count()) === 3);
  assert.equal(await page.locator(".plane path.bound").count(), 2);
  assert.equal(await page.locator(".plane circle.here").count(), 1);
  const texts = await page.locator(".drives svg text").allTextContents();
  for (const text of ["speed [m/s]", "force [N]", "spring / sweep [dB]", "phase [deg]", "frequency [Hz]"]) assert.ok(texts.includes(text), text);
  const before = await page.locator(".plane circle.here").getAttribute("cx");
  await page.locator(".scrub").fill("1.1");
  await until("the dot moves", async () => (await page.locator(".plane circle.here").getAttribute("cx")) !== before);
  await done(page);
  const other = await open(fake.address); // a robot without drives
  await loaded(other);
  assert.ok(await other.locator(".drives").isHidden());
  await done(other);
});
