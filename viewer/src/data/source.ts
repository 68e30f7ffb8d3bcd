// Where the take comes from: bytes inside the page, the program that serves it, or nobody yet.

export type Source =
  | { kind: "bytes"; name: string; bytes: Uint8Array }
  | { kind: "recording"; name: string; url: string }
  | { kind: "study"; url: string }
  | { kind: "live" }
  | { kind: "none" } // the program waits for a scenario
  | { kind: "alone" }; // a page without a program, to drop recordings on

export interface Scenario {
  name: string;
  title: string;
  source: string;
  picture: string | null;
}

// With --listen every address carries the token of the page's own.
export function address(path: string, page: string): string {
  const token = new URL(page).searchParams.get("token");
  const url = new URL(path, page);
  if (token !== null) url.searchParams.set("token", token);
  return url.href;
}
export const here = (path: string): string => address(path, location.href.split("#")[0]!);
export const liveAddress = (): string => here("/live").replace(/^http/, "ws");

export function fromBase64(base64: string): Uint8Array {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function inside(): Source | null {
  const element = document.getElementById("recording");
  if (!element) return null;
  const source: Source = { kind: "bytes", name: element.dataset.name ?? "recording.h5", bytes: fromBase64(element.textContent ?? "") };
  element.remove(); // half as much again as the recording; not needed twice
  return source;
}

export async function findSource(): Promise<Source> {
  const found = inside();
  if (found) return found;
  if (!location.protocol.startsWith("http")) return { kind: "alone" };
  const answer = await fetch(here("/api/source"));
  if (answer.status === 403) throw new Error("the program wants a token: open the whole address that it printed, with ?token=");
  if (!answer.ok) return { kind: "alone" };
  return (await answer.json()) as Source;
}

export async function fetchBytes(url: string): Promise<Uint8Array> {
  const answer = await fetch(here(url));
  if (!answer.ok) throw new Error(`${url}: the program answers ${answer.status}: start sinew view again`);
  return new Uint8Array(await answer.arrayBuffer());
}

export async function fetchScenarios(): Promise<Scenario[]> {
  const answer = await fetch(here("/api/scenarios"));
  if (!answer.ok) throw new Error(`the list of scenarios cannot be had: the program answers ${answer.status}`);
  return (await answer.json()) as Scenario[];
}
