// Colours, light and dark. The style sheet has those of the page;
// here are those of canvas and scene.

export const palettes = {
  light: {
    paper: 0xf6f5f1, grid: 0xb9b6ab, gridStrong: 0x8f8b80, ink: "#23262d", faint: "#8b8f98", line: "#d9d6cd",
    driven: 0xe8730c, force: 0xd2344f, contact: 0xd2344f, impulse: 0x8a2be2, applied: 0x4f8a2f, spring: 0x0f8c9e, damper: 0x9a6a2a, rod: 0x5d6470, anchor: 0x3a3f48, edge: 0x20242c, shadow: 0.22, ground: 0xb4b7c4,
    bodies: [0x3b6fd4, 0x1f9488, 0x8a5cc9, 0x4f8a2f, 0xc2477d, 0x9a6a2a, 0x3f8fb8, 0x6b6f7a],
    curves: ["#2f66d0", "#d2344f", "#168a7d", "#e8730c", "#8250c4", "#4f8a2f", "#b0397a", "#6b6f7a"],
    names: { red: 0xd13b3b, orange: 0xe8730c, yellow: 0xe0b020, green: 0x3f9142, teal: 0x1f9488, blue: 0x3b6fd4, purple: 0x8250c4, pink: 0xd65a96, brown: 0x8d6238, gray: 0x8a8f99, black: 0x2a2d33, white: 0xf7f7f5 },
  },
  dark: {
    paper: 0x101318, grid: 0x3a424e, gridStrong: 0x5d6775, ink: "#e4e7ec", faint: "#7f8794", line: "#2a313b",
    driven: 0xff9a3d, force: 0xff5d73, contact: 0xff5d73, impulse: 0xc99bff, applied: 0x8cc965, spring: 0x3fc4d6, damper: 0xc9985a, rod: 0x9aa3b0, anchor: 0xc3c9d2, edge: 0x0b0d11, shadow: 0.5, ground: 0x6d7688,
    bodies: [0x5b8ff0, 0x35b8a8, 0xa680ec, 0x7fbb57, 0xe573a5, 0xc9985a, 0x62b4dd, 0x9aa0ac],
    curves: ["#6ea0ff", "#ff6b81", "#3cc7b6", "#ffa24d", "#b18cf5", "#8cc965", "#f083b4", "#a2a9b5"],
    names: { red: 0xf06060, orange: 0xff9a3d, yellow: 0xf2cf4a, green: 0x6cc06e, teal: 0x35b8a8, blue: 0x5b8ff0, purple: 0xa680ec, pink: 0xee82b4, brown: 0xb98a5a, gray: 0x9aa0ac, black: 0x3d434d, white: 0xf2f3f5 },
  },
};

const KEY = "liaison-theme";

// Storage may be closed to pages from files.
const kept = {
  get() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  set(value) {
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // the choice lasts as long as the page
    }
  },
};

export class Theme {
  constructor() {
    this.listeners = [];
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const asked = new URLSearchParams(location.search).get("theme") ?? kept.get();
    this.name = asked === "dark" || asked === "light" ? asked : dark.matches ? "dark" : "light";
    dark.addEventListener("change", () => {
      if (!kept.get()) this.set(dark.matches ? "dark" : "light");
    });
    document.documentElement.dataset.theme = this.name;
  }
  get colors() {
    return palettes[this.name];
  }
  on(listener) {
    this.listeners.push(listener);
  }
  set(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    for (const listener of this.listeners) listener(this);
  }
  toggle() {
    this.set(this.name === "dark" ? "light" : "dark");
    kept.set(this.name);
  }
}
