// npm run bench: frames a second of a recording that plays, and the page's own time for one. Without a graphics processor the rest is the
// software that draws; with one, start the browser by hand and read window.sinewView in its console.
import { launch, loaded, open, quit, send } from "./browser.mjs";

const seconds = 5;

await launch();
console.log("links  frames/s  moving [ms]  moving and drawing [ms]");
for (const [links, duration] of [[11, 10], [352, 1]]) {
  const { html } = send("sidewinding", ["--set", `n_links=${links}`, "--until", String(duration)]);
  const page = await open(`file://${html}`, { width: 1440, height: 860, motion: "no-preference" }); // plays by itself, in a loop
  await loaded(page);
  await new Promise((r) => setTimeout(r, 8000)); // until it has found out how plain the picture must be
  const before = await page.evaluate(() => window.sinewView.frames);
  await new Promise((r) => setTimeout(r, 1000 * seconds));
  const { frames, update, cost } = await page.evaluate(() => ({ frames: window.sinewView.frames, update: window.sinewView.update, cost: window.sinewView.cost }));
  console.log(`${String(links).padStart(5)}  ${((frames - before) / seconds).toFixed(1).padStart(8)}  ${update.toFixed(2).padStart(11)}  ${cost.toFixed(2).padStart(23)}`);
  await page.context().close();
}
await quit();
