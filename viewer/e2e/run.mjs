// npm run e2e [words]: all tests in the browser, or the files whose name holds one of the words. SINEW: the program; CHROMIUM: the browser.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const words = process.argv.slice(2);
let failed = 0;
for (const name of ["recording", "live", "program"]) {
  if (words.length > 0 && !words.some((w) => name.includes(w))) continue;
  const file = fileURLToPath(new URL(`./${name}.test.mjs`, import.meta.url));
  if (spawnSync(process.execPath, [file], { stdio: "inherit" }).status !== 0) failed++;
}
process.exitCode = failed ? 1 : 0;
