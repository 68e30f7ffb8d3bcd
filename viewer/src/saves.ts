// What can be taken away: the picture, the plots, and their numbers.
import type { App } from "./app";
import { colours } from "./colours";
import { toCsv } from "./data/csv";
import { columnOf, extract } from "./data/take";
import { picture } from "./draw/view";
import { save, tell } from "./ui/dom";
import { plotsPicture, window_ } from "./ui/plots";

export async function savePicture(a: App): Promise<void> {
  const blob = await picture(a.state.view);
  if (blob) save(blob, `${fileName(a)}.png`);
}

export async function savePlots(a: App): Promise<void> {
  if (a.plots.panels.length === 0) return tell("There is no plot to save: choose signals first.");
  const { paper, ink } = colours[a.state.theme].page;
  const blob = await plotsPicture(a.plots, `${a.state.take?.name ?? ""}  ${a.state.take?.title ?? ""}`, paper, ink);
  if (blob) save(blob, `${fileName(a)}-plots.png`);
}

const fileName = (a: App): string => (a.state.take?.name || "sinew").replace(/[^\w.-]+/g, "-");

export function saveTable(a: App): void {
  const { take } = a.state;
  const columns = a.plots.panels.flatMap((p) => p.columns);
  if (!take || columns.length === 0) return tell("There is no plot to save: choose signals first.");
  const names = ["t", ...columns.map((c) => columnOf(take, c).name)];
  save(new Blob([toCsv(names, extract(take, columns, ...window_(a.plots)))], { type: "text/csv" }), `${fileName(a)}.csv`);
}
