// What a link to this view holds, behind the # of the address: it never reaches a server.

export interface ViewState {
  t?: number;
  camera?: number[]; // position, then target
  follow?: boolean;
  signals?: string[][]; // by panel
  show?: string[];
  trail?: string;
  scale?: number; // of the arrows
  theme?: "light" | "dark";
}

const short = (x: number): string => String(Number(x.toPrecision(6)));

export function toFragment(s: ViewState): string {
  const p = new URLSearchParams();
  if (s.t !== undefined) p.set("t", short(s.t));
  if (s.camera) p.set("camera", s.camera.map(short).join(","));
  if (s.follow !== undefined) p.set("follow", s.follow ? "1" : "0");
  if (s.signals) p.set("signals", s.signals.map((panel) => panel.join(",")).join(";"));
  if (s.show) p.set("show", s.show.join(","));
  if (s.trail !== undefined) p.set("trail", s.trail);
  if (s.scale !== undefined) p.set("scale", short(s.scale));
  if (s.theme) p.set("theme", s.theme);
  return "#" + p.toString();
}

// Anyone may have written the link: what does not fit is left out.
export function fromFragment(fragment: string): ViewState {
  const p = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: ViewState = {};
  const number = (key: string): number | undefined => {
    const text = p.get(key);
    return text !== null && text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const words = (text: string): string[] => text.split(",").filter(Boolean);
  const t = number("t");
  if (t !== undefined) state.t = t;
  const camera = (p.get("camera") ?? "").split(",").map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) state.camera = camera;
  if (p.has("follow")) state.follow = p.get("follow") === "1";
  if (p.has("signals")) state.signals = p.get("signals")!.split(";").map(words).filter((panel) => panel.length > 0);
  if (p.has("show")) state.show = words(p.get("show")!);
  if (p.has("trail")) state.trail = p.get("trail")!;
  const scale = number("scale");
  if (scale !== undefined && scale > 0) state.scale = scale;
  const theme = p.get("theme");
  if (theme === "light" || theme === "dark") state.theme = theme;
  return state;
}
