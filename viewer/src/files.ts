// Recordings from the user's own disk: chosen, or dropped on the page. They go nowhere.
import { showTake, type App } from "./app";
import { readRecording } from "./data/recording";
import { stopLive } from "./session";
import { h, tell } from "./ui/dom";

export async function showBytes(a: App, bytes: Uint8Array, name: string): Promise<void> {
  const take = await readRecording(bytes, name);
  stopLive(a);
  a.picker.close();
  a.page.setBanner("", false);
  const still = a.state.link.t !== undefined || matchMedia("(prefers-reduced-motion: reduce)").matches;
  showTake(a, take);
  a.state.clock.playing = !still;
  a.page.setBadge(`Recording \u00b7 ${name}`, "recording");
}

async function show(a: App, file: File): Promise<void> {
  try {
    await showBytes(a, new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true);
  }
}

export function openFile(a: App): void {
  const field = h("input", { type: "file", accept: ".h5,.hdf5" });
  field.addEventListener("change", () => {
    const file = field.files?.[0];
    if (file) void show(a, file);
  });
  field.click();
}

export function watchDrops(a: App): void {
  let inside = 0; // enter and leave come for every element on the way
  const mark = (change: number): void => {
    inside = Math.max(0, inside + change);
    document.body.classList.toggle("dropping", inside > 0);
  };
  window.addEventListener("dragenter", () => mark(1));
  window.addEventListener("dragleave", () => mark(-1));
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-inside);
    const file = event.dataTransfer?.files[0];
    if (file) void show(a, file);
  });
}
