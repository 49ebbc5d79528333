// Angles and numbers that move nothing one sees: small dials and sliders in the corner of a scene.
import { label } from "./equations.js";
import { acting } from "./items.js";

const kinds = ["dial", "slider"];
const SIZE = 44;
const NS = "http://www.w3.org/2000/svg";

// Those of a scene that has something else as well;
// alone, with the forces on them, they are the scene.
export function instrumentsOf(items) {
  const own = items.filter((item) => kinds.includes(item.kind));
  return items.every((item) => kinds.includes(item.kind) || acting.includes(item.kind)) ? [] : own;
}

function svg(kind, attributes) {
  const element = document.createElementNS(NS, kind);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function dial(picture, item) {
  const r = SIZE / 2;
  const zero = item.size?.[0].value ?? 0;
  const hand = svg("line", { x1: r, y1: r, "stroke-width": 3, "stroke-linecap": "round" });
  picture.append(svg("circle", { cx: r, cy: r, r: r - 2, "stroke-width": 1.5, fill: "none", opacity: 0.5 }), hand);
  return (row) => {
    const angle = zero + item.value.at(row);
    hand.setAttribute("x2", r + (r - 6) * Math.cos(angle));
    hand.setAttribute("y2", r - (r - 6) * Math.sin(angle));
  };
}

function slider(picture, item) {
  const [low, high] = item.value.range();
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  const bead = svg("circle", { cy: SIZE / 2, r: 4.5, fill: "currentColor" });
  picture.append(svg("line", { x1: 2, x2: SIZE - 2, y1: SIZE / 2, y2: SIZE / 2, "stroke-width": 1.5, opacity: 0.5 }), bead);
  return (row) => bead.setAttribute("cx", SIZE / 2 + (SIZE / 2 - 7) * (item.value.at(row) / most));
}

export function showInstruments(scene) {
  scene.panel?.remove();
  if (!scene.instruments.length) return;
  scene.panel = document.createElement("div");
  scene.panel.className = "instruments";
  for (const item of scene.instruments) {
    const box = document.createElement("figure");
    if (item.driven) box.className = "driven";
    const picture = svg("svg", { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}`, stroke: "currentColor" });
    const caption = document.createElement("figcaption");
    caption.textContent = label(item.name ?? "");
    box.append(picture, caption);
    scene.panel.append(box);
    scene.updates.push(item.kind === "dial" ? dial(picture, item) : slider(picture, item));
  }
  scene.host.append(scene.panel);
}
