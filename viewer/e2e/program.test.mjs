// The page with the real program: sinew view, sinew export --html.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { done, ending, folder, hook, launch, loaded, open, program, quit, record, settled, shown, until } from "./browser.mjs";

before(launch);
after(quit);

async function view(...what) {
  const child = spawn(program, ["view", ...what, "--port", "0", "--no-open"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (d) => (said += d));
  const address = await until("address", () => /https?:\/\/\S+/.exec(said)?.[0]);
  const gone = new Promise((end) => child.once("exit", end));
  return { address, stop: ending(() => (child.kill("SIGINT"), gone)) };
}

test("sinew view runs a scenario: it moves, a parameter changes it, pause holds it", async () => {
  const run = await view("sidewinding");
  const page = await open(run.address);
  await loaded(page);
  await shown(page);
  const fields = page.locator(".parameter input[type=number]");
  assert.ok((await fields.count()) > 0);
  const key = await page.locator(".parameter code").first().textContent();
  const before = Number(await fields.first().inputValue());
  await fields.first().fill(String(before * 0.9));
  await page.keyboard.press("Enter");
  const other = await open(run.address);
  await loaded(other);
  assert.ok(Math.abs(Number(await other.getByLabel(`${key}, exact value`).inputValue()) - before * 0.9) < 1e-9);
  await page.getByRole("button", { name: "Pause" }).click();
  await until("paused", async () => /paused/.test(await page.locator(".badge").textContent()));
  const rows = await settled(page);
  await new Promise((r) => setTimeout(r, 300));
  assert.equal(await hook(page, "rows"), rows);
  await done(page);
  await done(other);
  await run.stop();
});

test("a push is work from outside", async () => {
  const run = await view("sidewinding");
  const page = await open(`${run.address}#signals=energy.work_external`);
  await loaded(page);
  const box = await page.locator(".stage > canvas").boundingBox();
  const work = async () => Number((await page.locator(".chip b").first().textContent()).replace("\u2212", "-").replace(/ .*/, ""));
  assert.equal(await work(), 0);
  const at = await hook(page, "robot");
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + at.x * box.width, box.y + at.y * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + at.x * box.width, box.y + 0.25 * box.height, { steps: 8 });
  await until("work", async () => (await work()) !== 0);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await done(page);
  await run.stop();
});

test("sinew view plays a recording; sinew export --html makes a page that needs nobody", async () => {
  const file = record("sidewinding", 2);
  const run = await view(file);
  const page = await open(run.address);
  await loaded(page);
  assert.equal(await hook(page, "rows"), 201);
  await done(page);
  await run.stop();
  const html = path.join(folder, "sent.html");
  execFileSync(program, ["export", file, "--html", html], { cwd: folder });
  const alone = await open(`file://${html}`);
  await loaded(alone);
  await shown(alone);
  assert.deepEqual(alone.requests.filter((r) => !/^(data|blob):/.test(r)), [`file://${html}`]);
  await done(alone);
});

test("sinew view without a name shows the list and runs what is chosen", async () => {
  const run = await view();
  const page = await open(run.address);
  await until("cards", async () => (await page.locator(".scenario").count()) > 20);
  await page.locator('.scenario[data-name="basics/pendulum"]').click();
  await loaded(page);
  assert.match(await page.title(), /pendulum/);
  await done(page);
  await run.stop();
});

test("sinew view shows a study: colours over two keys, a table with reasons, and a click plays that run", async () => {
  const study = path.join(folder, "study.h5");
  const vary = ["--vary", "Ah_deg=20,30,40", "--vary", "mu_long=-1,0.2", "--results", "max_torque"];
  execFileSync(program, ["sweep", "sidewinding", ...vary, "--until", "0.2", "--quiet", "--out", study], { cwd: folder });
  const run = await view(study);
  const page = await open(run.address);
  await until("places", async () => (await page.locator(".spot").count()) === 6);
  assert.equal(await page.locator(".spot.bad").count(), 3);
  const shades = await page.locator(".spot:not(.bad) > rect").evaluateAll((all) => all.map((r) => r.getAttribute("fill")));
  assert.equal(new Set(shades).size, 3);
  assert.match(await page.locator('tr[data-row="2"]').textContent(), /refused.*mu_long.*must be/);
  assert.equal(await hook(page, "rows"), 0);
  await page.locator('.spot[data-rows="3"]').click();
  await loaded(page);
  assert.match(await page.title(), /sidewinding #3/);
  await page.locator(".live > summary").click();
  const value = (key) => page.getByLabel(`${key}, exact value`).inputValue().then(Number);
  assert.equal(await value("gait.Ah_deg"), 30);
  assert.equal(await value("contact.mu_long"), 0.2);
  await page.locator('tr[data-row="5"] button').click();
  await until("the other run", async () => /#5/.test(await page.title()));
  assert.equal(await value("gait.Ah_deg"), 40);
  await page.locator('tr[data-row="2"] button').click();
  await until("why not", async () => /mu_long/.test(await page.locator(".note.error").textContent()));
  assert.match(await page.title(), /#5/);
  await page.locator(".choices select").first().selectOption("max_torque");
  await until("points", async () => (await page.locator(".spot > circle:not(.playing)").count()) === 3);
  await done(page);
  await run.stop();
});

test("arrow keys walk and turn the hexapod, g changes its gait", async () => {
  const run = await view("hexapod/tripod");
  const page = await open(`${run.address}#signals=walk.gait`);
  await loaded(page);
  await shown(page);
  const value = (key) => page.getByLabel(`command.${key}, exact value`).inputValue().then(Number);
  assert.equal(await value("speed"), 0.1);
  await page.locator(".stage > canvas").focus();
  await page.keyboard.press("ArrowDown");
  await until("slower", async () => (await value("speed")) === 0.08);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await until("to the left", async () => (await value("turn")) === 0.1);
  await page.keyboard.press("ArrowRight");
  await until("less", async () => (await value("turn")) === 0.05);
  for (let i = 0; i < 4; i++) await page.keyboard.press("g"); // ripple, amble, own, free: past the end it begins anew
  await page.keyboard.press("g");
  await until("wave", async () => (await value("gait")) === 0);
  const other = await open(run.address);
  await loaded(other);
  assert.equal(Number(await other.getByLabel("command.gait, exact value").inputValue()), 0);
  await until("it walks so", async () => Number((await page.locator(".chip b").first().textContent()).replace(/ .*/, "")) === 0);
  await done(page);
  await done(other);
  await run.stop();
});
