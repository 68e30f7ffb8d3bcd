// npm run pictures [words]: a small picture of every built-in scenario for the list of `sinew view`, into viewer/pictures, and one of the
// whole page into docs/_static. To be run when a scenario is new or looks different; SINEW is the program, CHROMIUM the browser.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hook, launch, loaded, open, program, quit, send } from "./browser.mjs";

const [width, height] = [400, 250];
const longest = 6; // simulated [s]: enough to see it on its way
const pictures = fileURLToPath(new URL("../pictures", import.meta.url));
const words = process.argv.slice(2);
const scenarios = JSON.parse(execFileSync(program, ["list", "--json"], { encoding: "utf8" }));

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function toWebp(page, png, w, h) {
  const webp = await page.evaluate(
    async ([base64, w, h]) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }), { resizeWidth: w, resizeHeight: h, resizeQuality: "high" });
      const canvas = new OffscreenCanvas(w, h);
      canvas.getContext("2d").drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.75 });
      return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (b) => String.fromCharCode(b)).join(""));
    },
    [png.toString("base64"), w, h],
  );
  return Buffer.from(webp, "base64");
}

async function picture(name) {
  const { html, end } = send(name);
  if (end === 0) return `${name}: nothing moves, no picture`;
  const t = Math.min(end, longest) / 2;
  const page = await open(`file://${html}#t=${t}&show=grid,shadows,trail`, { width: 1160, height: 640 });
  await loaded(page);
  await page.addStyleTag({ content: ".stage > :not(canvas) { display: none !important; }" });
  for (let frames = await hook(page, "frames"), k = 0; k < 20 && (await hook(page, "frames")) < frames + 2; k++) await sleep(100);
  const box = await page.locator(".stage > canvas").boundingBox();
  const tall = Math.min(box.height, (box.width * height) / width), wide = (tall * width) / height;
  const clip = { x: box.x + (box.width - wide) / 2, y: box.y + (box.height - tall) / 2, width: wide, height: tall };
  const webp = await toWebp(page, await page.screenshot({ clip }), width, height);
  await page.context().close();
  const file = path.join(pictures, `${name}.webp`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, webp);
  return file;
}

async function wholePage(name, t, file) {
  const page = await open(`file://${send(name).html}#t=${t}`, { width: 1280, height: 760 });
  await loaded(page);
  await sleep(2000); // a still is drawn once more, with all there is
  fs.writeFileSync(file, await toWebp(page, await page.screenshot(), 1280, 760));
  await page.context().close();
  return file;
}

await launch();
for (const { name } of scenarios.filter(({ bench }) => !bench)) // of a test bench there is nothing to be seen
  if (words.length === 0 || words.some((w) => name.includes(w))) console.log(await picture(name));
if (words.length === 0 || words.includes("page"))
  console.log(await wholePage("snake/obstacle-aided", 5, fileURLToPath(new URL("../../docs/_static/view.webp", import.meta.url))));
await quit();
