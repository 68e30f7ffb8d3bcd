// Every colour of the page, light and dark; test/contrast.test.ts measures them. The style sheet knows those of `page` as --NAME, and
// those of forces and marks too, so that legends show what the picture shows.
import type { Theme } from "./theme";

export interface PageColours {
  paper: string; // of panels
  back: string; // behind them
  ink: string; // text
  soft: string; // less important text
  line: string; // between parts; carries no meaning
  outline: string; // of fields and buttons
  hover: string;
  accent: string;
  "accent-soft": string; // behind what is switched on
  bad: string;
  "bad-back": string;
  good: string;
  record: string; // the dot of a run that goes on
  "axis-x": string; // of the small triad
  "axis-y": string;
  "axis-z": string;
}

export interface Palette {
  dark: boolean;
  background: string;
  ground: string;
  grid: string;
  linkA: string;
  linkB: string;
  head: string;
  frame: string;
  obstacle: string;
  normal: string; // forces
  friction: string;
  point: string;
  com: string;
  support: string;
  trail: string;
  push: string;
  sky: string;
  floorLight: string;
  sun: number;
  ambient: number;
}

export interface PlotColours {
  ink: string; // numbers and names of axes
  grid: string;
  lines: string[]; // told apart by people who see colours differently too (Okabe and Ito), darkened where white paper needs it
}

export interface Colours {
  page: PageColours;
  drawing: Palette;
  plot: PlotColours;
}

const light: Colours = {
  page: {
    paper: "#ffffff",
    back: "#f4f6f8",
    ink: "#1c262d",
    soft: "#4f5d67",
    line: "#d5dce1",
    outline: "#7f8b94",
    hover: "#e7edf1",
    accent: "#0b6b7a",
    "accent-soft": "#d7ecef",
    bad: "#a3172e",
    "bad-back": "#fde8ea",
    good: "#0a6b45",
    record: "#d42a3c",
    "axis-x": "#b3261e",
    "axis-y": "#18733b",
    "axis-z": "#1c4fb8",
  },
  drawing: {
    dark: false,
    background: "#eef2f4",
    ground: "#e3e8ea",
    grid: "#7d8b94",
    linkA: "#2b8c9e",
    linkB: "#1f7386",
    head: "#bf6f1c",
    frame: "#3f4a52",
    obstacle: "#8a816e",
    normal: "#1756c4",
    friction: "#b83800",
    point: "#10202c",
    com: "#b1006e",
    support: "#07744b",
    trail: "#8a3fb0",
    push: "#cb0e38",
    sky: "#ffffff",
    floorLight: "#c8d0d4",
    sun: 1.6, // a shadow must leave enough light for arrows to be seen in it
    ambient: 2.0,
  },
  plot: {
    ink: "#4a5761",
    grid: "#dfe5e9",
    lines: ["#0072b2", "#c8511b", "#007a5a", "#a4508b", "#8a6d00", "#3a3a3a", "#3d8fbd", "#b02a37"],
  },
};

const dark: Colours = {
  page: {
    paper: "#161c22",
    back: "#101519",
    ink: "#e6ecf0",
    soft: "#a9b6bf",
    line: "#303a43",
    outline: "#6b7782",
    hover: "#232c34",
    accent: "#5fc6d6",
    "accent-soft": "#17353c",
    bad: "#ff9aa8",
    "bad-back": "#3d1a20",
    good: "#5fd6a0",
    record: "#ff6b78",
    "axis-x": "#ff8a80",
    "axis-y": "#6fd694",
    "axis-z": "#8ab4ff",
  },
  drawing: {
    dark: true,
    background: "#12171c",
    ground: "#262f37",
    grid: "#6f7f8a",
    linkA: "#45b3c6",
    linkB: "#2c8ca0",
    head: "#f0a44b",
    frame: "#aab6be",
    obstacle: "#837b69",
    normal: "#6ea8ff",
    friction: "#ff8a4c",
    point: "#e8eef2",
    com: "#ff6fb8",
    support: "#3fd39a",
    trail: "#c694ea",
    push: "#ff5777",
    sky: "#cfe0ea",
    floorLight: "#20282e",
    sun: 2.0,
    ambient: 1.35,
  },
  plot: {
    ink: "#aeb9c2",
    grid: "#2a333b",
    lines: ["#6cb8e8", "#f29a5e", "#4fcfa4", "#e29bc9", "#e8cf57", "#d5d9de", "#9fd3f0", "#ff8f8f"],
  },
};

export const colours: Record<Theme, Colours> = { light, dark };

// What the style sheet calls --NAME.
export function variables(theme: Theme): Record<string, string> {
  const { normal, friction, com, trail, support } = colours[theme].drawing;
  return { ...colours[theme].page, normal, friction, com, trail, support };
}
