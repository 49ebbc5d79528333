// The page: the motion on the left, plots and words on the right, one clock for all.
import "katex/dist/katex.min.css";
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { Contacts, modeBar } from "./contacts.js";
import { Data } from "./data.js";
import { equations } from "./equations.js";
import { highlight } from "./highlight.js";
import { icons } from "./icons.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { Scene } from "./scene.js";
import { summary, verdicts } from "./summary.js";
import { Theme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const data = new Data(JSON.parse($("data").textContent));
const theme = new Theme();
const player = new Player(data);
const contacts = new Contacts(data);

// --- head

const title = data.title ?? data.name;
document.title = `${title} – liaison`;
$("title").textContent = title;
$("verdict").textContent = verdicts[data.result.status] ?? data.result.status;
$("verdict").className = data.result.status;
$("theme").addEventListener("click", () => theme.toggle());
const showTheme = () => ($("theme").innerHTML = theme.name === "dark" ? icons.sun : icons.moon);
theme.on(showTheme);
showTheme();

// --- stage

let scene = null;
try {
  scene = new Scene(data, theme, $("stage"));
} catch (error) {
  const note = document.createElement("p");
  note.className = "no-scene";
  const reason = /webgl/i.test(error.message) ? "This browser shows no pictures in space (WebGL is off)." : `The scene cannot be drawn: ${error.message}.`;
  note.textContent = `${reason} All else is in the tabs.`;
  $("stage").append(note);
}

const tools = [
  { id: "trails", words: "trails (t)", key: "t", icon: icons.trail, on: true },
  { id: "forces", words: "forces (f)", key: "f", icon: icons.force, on: true },
  { id: "follow", words: "follow (c)", key: "c", icon: icons.follow, on: !!scene?.options.follow },
];
const switches = new Map();
if (scene) {
  const has = scene.has;
  for (const tool of tools.filter((t) => has[t.id])) {
    const button = document.createElement("button");
    button.innerHTML = tool.icon;
    button.title = tool.words;
    button.setAttribute("aria-label", tool.words);
    button.setAttribute("aria-pressed", tool.on);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      scene.set(tool.id, on);
    });
    $("tools").append(button);
    switches.set(tool.key, button);
  }
  if (has.forces) {
    for (const [icon, words, key, by] of [[icons.longer, "longer arrows (])", "]", Math.SQRT2], [icons.shorter, "shorter arrows ([)", "[", Math.SQRT1_2]]) {
      const button = document.createElement("button");
      button.innerHTML = icon;
      button.title = words;
      button.setAttribute("aria-label", words);
      button.addEventListener("click", () => scene.stretch(by));
      $("tools").append(button);
      switches.set(key, button);
    }
  }
  const home = document.createElement("button");
  home.innerHTML = icons.home;
  home.title = "the whole (0)";
  home.setAttribute("aria-label", home.title);
  home.addEventListener("click", () => scene.frame());
  $("tools").append(home);
  switches.set("0", home);
  legend();
  theme.on(legend);
  scene.covered = () => ({ above: $("clock").offsetTop + $("clock").offsetHeight, below: $("legend").offsetHeight + 12, right: $("tools").offsetWidth + 12 });
  scene.controls.addEventListener("start", () => (scene.touched = true));
}

function legend() {
  const c = theme.colors;
  const css = (n) => `#${n.toString(16).padStart(6, "0")}`;
  const has = scene.has;
  const rows = [];
  if (has.driven) rows.push([css(c.driven), "driven by an operator"]);
  const words = { constraint: ["force of a constraint", c.force], contact: ["force of a contact", c.force], operator: ["force of an operator", c.driven], applied: ["applied force", c.applied], potential: ["force of a potential", c.spring], dissipation: ["force of a dissipation", c.damper] };
  for (const { role, shared, part, names, what: kind } of scene.acting) {
    const what = words[role][0].replace("force", kind);
    const who = names.size <= 3 && !["potential", "dissipation"].includes(role) ? `: ${[...names].join(", ")}` : "";
    const notes = [shared && "not unique", part && "the part that can be drawn"].filter(Boolean);
    rows.push([css(words[role][1]), `${what}${who}${notes.length ? ` (${notes.join("; ")})` : ""}`, true, shared]);
  }
  if (scene.impacts.length) rows.push([css(c.impulse), "impulse of an impact", true]);
  const unplaced = data.scene.unplaced ?? [];
  if (unplaced.length) rows.push(["transparent", `no arrow: ${unplaced.slice(0, 3).join(", ")}${unplaced.length > 3 ? ", ..." : ""}; nothing in the picture moves with it`]);
  $("legend").replaceChildren(
    ...rows.map(([color, text, arrow, faint]) => {
      const span = document.createElement("span");
      const mark = document.createElement("i");
      mark.className = arrow ? "arrow" : "";
      mark.style.color = color;
      mark.style.opacity = faint ? 0.45 : 1;
      span.append(mark, text);
      return span;
    }),
  );
}

// What arrows mean: a force as long as the bar, a couple that goes half round.
const [forceUnit, coupleUnit, impulseUnit, twistUnit] = data.scene.newtons ? [" N", " N m", " N s", " N m s"] : ["", "", "", ""];
const withArrows = !!scene?.has.forces;
let shownArrows = "";
function arrowScale() {
  if (!withArrows) return;
  const { force, couple, impulse, twist } = scene.scale;
  const wide = (x) => (x ? Math.round(x.length / scene.perPixel) : 0);
  const pixels = `${wide(force)} ${wide(impulse)}`;
  const key = `${pixels} ${scene.longer} ${scene.options.forces}`;
  if (key === shownArrows) return;
  shownArrows = key;
  const host = $("arrows");
  host.replaceChildren();
  if (!scene.options.forces) return;
  const add = (mark, words, className) => {
    const span = document.createElement("span");
    if (className) span.className = className;
    span.append(mark, words);
    host.append(span);
  };
  const addBar = (x, unit, what, className) => {
    const bar = document.createElement("b");
    bar.style.width = `${Math.min(160, Math.max(4, wide(x)))}px`;
    add(bar, `${what}${Number(x.value.toPrecision(2))}${unit}${x.peaks ? ", larger ones shortened" : ""}`, className);
  };
  if (force) addBar(force, forceUnit, "");
  if (couple) add(document.createElement("u"), `${Number(couple.value.toPrecision(2))}${coupleUnit}`);
  if (impulse) addBar(impulse, impulseUnit, "impulse ", "impulse");
  if (twist) add(document.createElement("u"), `impulse ${Number(twist.value.toPrecision(2))}${twistUnit}`, "impulse");
}

// A length to compare with, in the plane.
const unit = data.columns.find((c) => c.kind === "position" && c.unit && /^(m|cm|mm|km)$/.test(c.unit))?.unit ?? "";
let shownScale = "";
function scaleBar() {
  if (!scene?.plane || scene.items.some((i) => i.kind === "dial" || i.kind === "slider")) return;
  const perPixel = scene.perPixel;
  const wanted = perPixel * 90;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const nice = [1, 2, 5, 10].map((k) => k * power).filter((x) => x <= wanted).pop() ?? power;
  const text = `${Number(nice.toPrecision(2))}${unit ? ` ${unit}` : ""}`;
  const key = `${text} ${Math.round(nice / perPixel)}`;
  if (key === shownScale) return;
  shownScale = key;
  $("scale").style.width = `${nice / perPixel}px`;
  $("scale").textContent = text;
}

// --- transport

const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(data.length || 1))));
const showTime = () => {
  $("clock").textContent = `t = ${player.t.toFixed(digits)}${data.time ? ` ${data.time}` : ""}`;
  $("scrub").value = data.length ? player.s / data.length : 0;
  $("scrub").style.setProperty("--done", `${$("scrub").value * 100}%`);
};
const SEEN = 0.9; // seconds for which one sees an impact, as fast as the motion goes on
const showState = () => {
  if (scene) scene.span = SEEN * player.speed;
  $("play").innerHTML = player.playing ? icons.pause : icons.play;
  $("play").setAttribute("aria-label", player.playing ? "pause" : "play");
  $("rate").textContent = `${Number(player.speed.toPrecision(3))}×`;
};
player.on((what) => {
  if (what === "state") return showState();
  showTime();
  scene?.update(data.row(player.t), player.t);
});
$("play").addEventListener("click", () => player.play());
$("slower").addEventListener("click", () => player.faster(-1));
$("faster").addEventListener("click", () => player.faster(1));
$("scrub").addEventListener("input", () => {
  player.play(false);
  player.seek(data.first + data.sign * $("scrub").value * data.length);
});
for (const event of (data.result.events ?? []).slice(0, 400)) {
  if (!(data.length > 0)) break;
  const mark = document.createElement("button");
  mark.style.left = `${(100 * Math.abs(event.t - data.first)) / data.length}%`;
  mark.className = event.kind ?? "event";
  mark.title = `${event.name}${event.kind ? ` ${event.kind}` : ""}, t = ${Number(event.t.toPrecision(6))}`;
  mark.setAttribute("aria-label", mark.title);
  mark.tabIndex = -1;
  mark.addEventListener("click", () => player.seek(event.t));
  $("marks").append(mark);
}

modeBar(contacts, player, $("courses"));

// --- panels

const panels = [
  ["Plots", (host) => new Plots(data, theme, player, host)],
  ["Equations", (host) => host.append(equations(data.latex, data.file, data.of("position").length))],
  ["Model", (host) => host.append(highlight(data.text))],
  ["Result", (host) => host.append(summary(data, player))],
];
const tabs = panels.map(([name, fill], i) => {
  const tab = document.createElement("button");
  const panel = document.createElement("div");
  tab.textContent = name;
  tab.id = `tab-${i}`;
  tab.setAttribute("role", "tab");
  panel.id = `panel-${i}`;
  panel.className = `panel ${name.toLowerCase()}`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  tab.setAttribute("aria-controls", panel.id);
  document.querySelector("nav").append(tab);
  $("panels").append(panel);
  return { tab, panel, fill, filled: false, name };
});
let plots = null;
function show(name) {
  for (const t of tabs) {
    const on = t.name === name;
    t.tab.setAttribute("aria-selected", on);
    t.tab.tabIndex = on ? 0 : -1;
    t.panel.hidden = !on;
    if (on && !t.filled) {
      t.filled = true;
      const made = t.fill(t.panel);
      if (made instanceof Plots) plots = made;
    }
  }
  $("panels").scrollTop = 0;
}
for (const t of tabs) t.tab.addEventListener("click", () => show(t.name));
show("Plots");

// --- keys

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.("select")) return;
  const turn = (by) => {
    const i = (tabs.findIndex((t) => !t.panel.hidden) + by + tabs.length) % tabs.length;
    show(tabs[i].name);
    tabs[i].tab.focus();
  };
  const onTab = e.target.getAttribute?.("role") === "tab";
  const actions = {
    " ": () => player.play(),
    ArrowRight: () => (onTab ? turn(1) : player.nudge(e.shiftKey ? 10 : 1)),
    ArrowLeft: () => (onTab ? turn(-1) : player.nudge(e.shiftKey ? -10 : -1)),
    Home: () => player.seek(data.first),
    End: () => {
      player.play(false);
      player.seek(data.last);
    },
    "+": () => player.faster(1),
    "=": () => player.faster(1),
    "-": () => player.faster(-1),
    d: () => theme.toggle(),
  };
  const action = actions[e.key] ?? (switches.has(e.key) ? () => switches.get(e.key).click() : null) ?? (/^[1-4]$/.test(e.key) ? () => show(tabs[e.key - 1].name) : null);
  if (!action) return;
  e.preventDefault();
  action();
});

// --- life

new ResizeObserver(() => scene?.resize()).observe($("stage"));
const spent = { frames: 0, times: [] }; // milliseconds of script in the last frames
let last = performance.now();
function frame(now) {
  const begin = performance.now();
  player.tick((now - last) / 1000);
  last = now;
  scene?.render();
  scaleBar();
  arrowScale();
  const used = performance.now() - begin;
  spent.times[spent.frames++ % 100] = used;
  requestAnimationFrame(frame);
}
showState();
player.seek(data.first);
scene?.resize();
requestAnimationFrame(frame);
const asked = new URLSearchParams(location.search);
if (asked.has("t")) player.seek(Number(asked.get("t")));
else if (!asked.has("still") && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(true);
if (asked.has("tab")) show(asked.get("tab"));

// What tests and the curious may ask.
window.liaison = { data, player, scene, contacts, theme, spent, show, get plots() { return plots; } };
