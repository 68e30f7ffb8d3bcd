// Colours of the drawing, for light and dark.

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

export const lightPalette: Palette = {
  dark: false,
  background: "#eef2f4",
  ground: "#e3e8ea",
  grid: "#7d8b94",
  linkA: "#2f93a5",
  linkB: "#1f7386",
  head: "#e08a2c",
  frame: "#3f4a52",
  obstacle: "#b9b09f",
  normal: "#1756c4",
  friction: "#c23b00",
  point: "#10202c",
  com: "#b1006e",
  support: "#0b8457",
  trail: "#8a3fb0",
  push: "#d10f3b",
  sky: "#ffffff",
  floorLight: "#c8d0d4",
  sun: 2.0,
  ambient: 1.6,
};

export const darkPalette: Palette = {
  dark: true,
  background: "#12171c",
  ground: "#262f37",
  grid: "#6f7f8a",
  linkA: "#45b3c6",
  linkB: "#2c8ca0",
  head: "#f0a44b",
  frame: "#aab6be",
  obstacle: "#6f6757",
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
};
