// Plots that zoom: the plot lines of the model, every column by its kind, the ledger, what is kept,
// and any two against each other. They are made when they come into sight.
import uPlot from "uplot";
import { label, unitLabel } from "./equations.js";
import { Space, aboutOf, layerOf, scaleOf, titleOf } from "./fields.js";

const CURVES_MOST = 6;
const HEIGHT = 230;
const SIDE = 52; // room for the numbers of an axis
const FONT = "12px system-ui, sans-serif";
const RIGHT = 30; // room for half of the last number of the axis below

// A text that is at most so many pixels wide, shortened where it is wider.
const ruler = document.createElement("canvas").getContext("2d");
function fitted(text, most) {
  ruler.font = FONT;
  const wide = (t) => ruler.measureText(t).width;
  if (wide(text) <= most) return text;
  let n = text.length;
  while (n > 1 && wide(`${text.slice(0, n)}…`) > most) n--;
  return `${text.slice(0, n)}…`;
}

const short = (x) => {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  const a = Math.abs(x);
  return a !== 0 && (a < 1e-3 || a >= 1e6) ? x.toExponential(2) : String(Number(x.toPrecision(5)));
};
const withGaps = (x) => (x.some((v) => !Number.isFinite(v)) ? Array.from(x, (v) => (Number.isFinite(v) ? v : null)) : x);
const range = (x) => {
  let low = Infinity;
  let high = -Infinity;
  for (const v of x) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
};

const largest = (x) => x.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0);

// What may share an axis: quantities of one unit; without units, of one sort.
const measureOf = (c) => c.unit ?? c.sort ?? "";

const energies = new Set(["energy", "kinetic", "potential"]);

// Curves of one unit share a plot, a handful at most.
function byUnit(curves) {
  const groups = new Map();
  for (const curve of curves) {
    const key = measureOf(curve);
    const list = groups.get(key) ?? [[]];
    if (list[list.length - 1].length === CURVES_MOST) list.push([]);
    list[list.length - 1].push(curve);
    groups.set(key, list);
  }
  return [...groups.values()].flat();
}

export class Plots {
  constructor(data, theme, player, host) {
    Object.assign(this, { data, theme, player, host });
    this.live = new Map(); // element -> plot
    this.sections = this.plan();
    this.watch = new IntersectionObserver((entries) => this.seen(entries), { rootMargin: "200px" });
    this.build();
    theme.on(() => this.build());
    new ResizeObserver(() => this.resize()).observe(host);
    player.on((what) => what === "time" && this.move());
  }

  curve(i, extra = {}) {
    const c = this.data.columns[i];
    const name = c.unique === false ? `${label(c.name)} (not unique)` : label(c.name);
    return { name, unit: c.unit, sort: c.sort, zero: c.zero, values: () => this.values(i), ...extra };
  }

  // Is it 0 but for rounding, all the time? The program says up to where.
  isRounding(i) {
    return largest(this.data.column(i)) <= (this.data.columns[i].zero ?? 0);
  }

  // What is drawn of a column: rounding is 0.
  values(i) {
    const x = this.data.column(i);
    return this.isRounding(i) ? x.map((v) => (Number.isFinite(v) ? 0 : v)) : x;
  }

  // Panels of some columns by unit; those that are mere rounding are named instead.
  panels(columns) {
    const quiet = columns.filter((i) => this.isRounding(i));
    const plots = byUnit(columns.filter((i) => !quiet.includes(i)).map((i) => this.curve(i))).map((curves) => ({ curves }));
    if (quiet.length) plots.push({ words: `0 but for rounding: ${quiet.slice(0, 12).map((i) => label(this.data.columns[i].name)).join(", ")}${quiet.length > 12 ? ", …" : ""}` });
    return plots;
  }

  // What there is to plot.
  plan() {
    const d = this.data;
    const sections = [];
    const add = (title, about, plots) => plots.length && sections.push({ title, about, plots });
    const kind = (name, title, about) => add(title, about, this.panels(d.of(name)));
    const asked = (p) => byUnit(p.curves.map((i) => this.curve(i))).map((curves) => (p.x === undefined ? { curves } : { x: this.curve(p.x), curves }));
    add("Plots of the model", "", d.plots.flatMap(asked));
    for (const field of d.fields ?? []) {
      const spec = field.left_out ? [] : [{ x: this.curve(field.x), curves: [this.curve(field.y)], field }];
      sections.push({ title: titleOf(field), about: aboutOf(field), plots: spec, className: "field" });
    }
    kind("position", "Coordinates");
    kind("velocity", "Velocities");
    const observed = d.of("observe").filter((i) => !energies.has(d.columns[i].name));
    add("Observed", "", this.panels(observed));
    kind("force", "Forces", "multipliers of constraints and operators");
    const works = (i) => d.run.ledger[d.columns[i].of] !== "workless";
    add("Energy", "", [{ curves: d.of("observe").filter((i) => energies.has(d.columns[i].name)).map((i) => this.curve(i)) }]);
    const power = d.of("power").filter(works);
    add("Powers", "what each feeds into the system", this.panels(power));
    const change = { name: "energy − energy(0)", unit: d.columns[d.index("energy")]?.unit, zero: d.run.rounding, values: () => this.change(d.index("energy")) };
    const ledger = d.of("work").filter(works);
    if (ledger.length) add("Ledger", "the works add up to the change of the energy", [{ curves: [change, ...ledger.slice(0, CURVES_MOST).map((i) => this.curve(i))] }]);
    const kept = Object.entries(d.result.conserved ?? {}).map(([name]) => d.index(name)).filter((i) => i >= 0);
    add("Kept", "distance from the value at the start", kept.map((i) => this.keptPlot(i)));
    const axes = d.columns.flatMap((c, i) => (["position", "velocity", "observe", "force", "power", "momentum"].includes(c.kind) ? [i] : []));
    if (axes.length > 1) sections.push({ title: "One against the other", about: "configuration space, phase portraits", choose: axes, plots: [] });
    return sections;
  }

  // How far what is kept is from its value at the start; where that is rounding, in words.
  keptPlot(i) {
    const name = label(this.data.columns[i].name);
    const off = largest(this.change(i));
    if (off <= (this.data.columns[i].zero ?? 0)) return { words: `${name}: the same but for rounding, within ${short(off)}` };
    return { curves: [{ ...this.curve(i), name: `Δ ${name}`, values: () => this.change(i) }] };
  }

  change(i) {
    const x = this.data.column(i);
    return x.map((v) => v - x[0]);
  }

  build() {
    for (const plot of this.live.values()) plot.destroy();
    this.live.clear();
    this.watch.disconnect();
    this.host.replaceChildren();
    for (const section of this.sections) {
      const element = document.createElement("section");
      if (section.className) element.className = section.className;
      const head = document.createElement("h2");
      head.textContent = section.title;
      element.append(head);
      if (section.about) {
        const about = document.createElement("span");
        about.className = "about";
        about.textContent = section.about;
        head.append(" ", about);
      }
      if (section.choose) this.chooser(section, element);
      for (const spec of section.plots) this.card(spec, element);
      this.host.append(element);
    }
  }

  card(spec, into) {
    const card = document.createElement("div");
    if (spec.words) {
      card.className = "words";
      card.textContent = spec.words;
      into.append(card);
      return card;
    }
    card.className = "plot";
    card.style.minHeight = `${HEIGHT}px`;
    card.spec = spec;
    into.append(card);
    const scale = spec.field && scaleOf(spec.field, this.theme.colors, short);
    if (scale) into.append(scale);
    this.watch.observe(card);
    return card;
  }

  chooser(section, element) {
    const d = this.data;
    const bar = document.createElement("div");
    bar.className = "choose";
    section.choice ??= [section.choose[0], section.choose[1]];
    const pick = (k, words) => {
      const box = document.createElement("label");
      const select = document.createElement("select");
      for (const i of section.choose) select.append(new Option(label(d.columns[i].name), i, false, i === section.choice[k]));
      select.addEventListener("change", () => {
        section.choice[k] = Number(select.value);
        show();
      });
      box.append(words, " ", select);
      bar.append(box);
    };
    pick(0, "across");
    pick(1, "up");
    element.append(bar);
    let card = null;
    const show = () => {
      if (card) {
        this.live.get(card)?.destroy();
        this.live.delete(card);
        card.remove();
      }
      card = this.card({ x: this.curve(section.choice[0]), curves: [this.curve(section.choice[1])] }, element);
    };
    show();
  }

  seen(entries) {
    for (const { target, isIntersecting } of entries) {
      target.inSight = isIntersecting;
      if (isIntersecting && !this.live.has(target)) {
        this.live.set(target, target.spec.field?.planes ? this.space(target) : target.spec.x ? this.path(target) : this.curves(target));
        this.move(true);
      }
    }
  }

  axes(unitX, unitY, width, height) {
    const c = this.theme.colors;
    const axis = (name, extra) => ({
      stroke: c.faint, font: FONT, labelFont: FONT, label: name, labelSize: 20, labelGap: 2,
      grid: { stroke: c.line, width: 1 }, ticks: { stroke: c.line, width: 1, size: 5 }, values: (_, ticks) => ticks.map(short), ...extra,
    });
    // as wide as its longest number;
    // what stands one below the other begins at the same place as a rule
    const wide = (u, values) => {
      if (!values) return SIDE;
      u.ctx.save();
      u.ctx.font = FONT;
      const most = Math.max(0, ...values.map((v) => u.ctx.measureText(v ?? "").width));
      u.ctx.restore();
      return Math.max(SIDE, Math.ceil(most) + 16);
    };
    return [axis(fitted(unitX, width - 2 * SIDE - RIGHT), { size: 34, space: 68 }), axis(fitted(unitY, height - 74), { size: wide })];
  }

  width() {
    const style = getComputedStyle(this.host);
    return Math.max(220, Math.floor(this.host.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)));
  }

  // Curves over t, with the time of the motion as a line; a click goes there.
  curves(card) {
    const { data, theme } = this;
    const times = data.column(0);
    const backwards = data.sign < 0;
    const turn = (x) => (backwards ? x.slice().reverse() : x);
    const values = card.spec.curves.map((curve) => withGaps(turn(curve.values())));
    const known = (v, zero) => short(Number.isFinite(v) && Math.abs(v) <= zero ? 0 : v); // rounding is 0
    const series = card.spec.curves.map((curve, i) => ({ label: curve.name, stroke: theme.colors.curves[i % theme.colors.curves.length], width: 1.8, pxAlign: 0, points: { show: data.rows < 40 }, value: (_, v) => (curve.unit && Number.isFinite(v) ? `${known(v, curve.zero ?? 0)} ${unitLabel(curve.unit)}` : known(v, curve.zero ?? 0)) }));
    const unit = card.spec.curves[0]?.unit;
    let cursor = null;
    const plot = new uPlot(
      {
        width: this.width(), height: HEIGHT - 40, padding: [10, RIGHT, 0, 0], pxAlign: 0,
        scales: {
          x: { time: false },
          // what does not change is drawn as such, not as the noise of its last digits;
          // "Kept" shows that
          y: { range: (_, low, high) => { if (low === null) return [0, 1]; const size = Math.max(Math.abs(low), Math.abs(high)); if (high - low <= 1e-8 * size || high === low) return [low - (size || 1) * 0.1, high + (size || 1) * 0.1]; const room = (high - low) * 0.07; return [low - room, high + room]; } },
        },
        series: [{ label: "t", value: (_, v) => short(v) }, ...series],
        axes: this.axes(data.time ? `t in ${data.time}` : "t", unit ? `in ${unitLabel(unit)}` : "", this.width(), HEIGHT - 40),
        legend: { live: true, markers: { width: 0, fill: (_, i) => series[i - 1]?.stroke } },
        cursor: { drag: { x: true, y: false, setScale: true }, points: { size: 6 }, sync: { key: "t", setSeries: false } },
        hooks: {
          init: [(u) => {
            cursor = document.createElement("div");
            cursor.className = "now";
            u.over.append(cursor);
            let down = 0;
            u.over.addEventListener("pointerdown", (e) => (down = e.clientX));
            u.over.addEventListener("click", (e) => {
              if (Math.abs(e.clientX - down) < 4) this.player.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
            });
          }],
          draw: [() => queueMicrotask(() => this.move(true))],
        },
      },
      [turn(times), ...values],
      card,
    );
    plot.now = (t, row, words) => {
      const x = plot.valToPos(t, "x");
      cursor.style.transform = `translateX(${x}px)`;
      cursor.style.visibility = x >= 0 && x <= plot.over.clientWidth ? "visible" : "hidden";
      if (words && plot.cursor.left < 0) plot.setLegend({ idx: Math.round(backwards ? data.rows - 1 - row : row) });
    };
    plot.again = () => plot.setSize({ width: this.width(), height: HEIGHT - 40 });
    card.plot = plot;
    return plot;
  }

  // A path in the space of three coordinates.
  space(card) {
    const { field } = card.spec;
    const curves = [field.x, field.y, field.z].map((i) => this.curve(i));
    const made = new Space(field, curves.map((c) => c.values()), curves, this.theme.colors, card, this.width());
    made.again = () => made.resize(this.width());
    card.plot = made;
    return made;
  }

  // One quantity against another: a path, to scale where both are of one kind.
  path(card) {
    const { data, theme } = this;
    const x = card.spec.x;
    const xs = x.values();
    const all = card.spec.curves.map((curve) => curve.values());
    const width = this.width();
    const field = card.spec.field;
    const ys = all.map(range);
    const [x0, x1, y0, y1] = field?.box ?? [...range(xs), Math.min(...ys.map((r) => r[0])), Math.max(...ys.map((r) => r[1]))];
    const layer = field && layerOf(field, xs, all[0], theme.colors);
    const rates = (name) => name.includes("′");
    const alike = card.spec.curves.every((c) => c.unit === x.unit && rates(c.name) === rates(x.name));
    const room = field?.box ? 1 : field ? 1.16 : 1.1;
    const spread = [(x1 - x0) * room || 1, (y1 - y0) * room || 1];
    const inner = width - 80;
    let height = 300;
    if (alike && spread[1] / spread[0] < 6 && spread[0] / spread[1] < 12) {
      height = Math.min(460, Math.max(field ? 230 : 190, (inner * spread[1]) / spread[0] + 60));
      const scale = Math.max(spread[0] / inner, spread[1] / (height - 60));
      spread[0] = scale * inner;
      spread[1] = scale * (height - 60);
    }
    const whole = { x: [(x0 + x1 - spread[0]) / 2, (x0 + x1 + spread[0]) / 2], y: [(y0 + y1 - spread[1]) / 2, (y0 + y1 + spread[1]) / 2] };
    const draw = (u, s) => {
      const ratio = devicePixelRatio || 1;
      const pen = u.ctx;
      pen.save();
      pen.beginPath();
      pen.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      pen.clip();
      pen.strokeStyle = theme.colors.curves[(s - 1) % theme.colors.curves.length];
      pen.lineWidth = 1.8 * ratio;
      pen.lineJoin = "round";
      pen.beginPath();
      let on = false;
      const y = all[s - 1];
      for (let i = 0; i < xs.length; i++) {
        const a = u.valToPos(xs[i], "x", true);
        const b = u.valToPos(y[i], "y", true);
        if (!Number.isFinite(a + b)) on = false;
        else if (on) pen.lineTo(a, b);
        else {
          pen.moveTo(a, b);
          on = true;
        }
      }
      pen.stroke();
      pen.restore();
      return null;
    };
    const dots = [];
    const unit = card.spec.curves[0].unit;
    const names = card.spec.curves.map((c) => c.name).join(", ");
    const say = (name, u) => (u ? `${name} in ${unitLabel(u)}` : name);
    const facets = [{ scale: "x", auto: true }, { scale: "y", auto: true }];
    const plot = new uPlot(
      {
        mode: 2, width, height, padding: [10, RIGHT, 0, 0], pxAlign: 0,
        scales: { x: { time: false, range: (u, low, high) => u.zoomed?.x ?? whole.x }, y: { range: (u) => u.zoomed?.y ?? whole.y } },
        series: [{}, ...all.map(() => ({ facets, paths: draw, points: { show: false } }))],
        axes: this.axes(say(x.name, x.unit), say(names, unit), width, height),
        legend: { show: false },
        cursor: { drag: { x: true, y: true, setScale: false }, points: { show: false } },
        hooks: {
          drawAxes: layer ? [layer] : [],
          init: [(u) => {
            for (let i = 0; i < all.length; i++) {
              const dot = document.createElement("div");
              dot.className = "dot";
              dot.style.background = theme.colors.curves[i % theme.colors.curves.length];
              u.over.append(dot);
              dots.push(dot);
            }
            u.over.addEventListener("dblclick", () => {
              u.zoomed = null;
              u.redraw(true, true);
              u.batch(() => {
                u.setScale("x", { min: whole.x[0], max: whole.x[1] });
                u.setScale("y", { min: whole.y[0], max: whole.y[1] });
              });
              this.move(true);
            });
          }],
          draw: [() => queueMicrotask(() => this.move(true))],
          setSelect: [(u) => {
            const { left, top, width: w, height: h } = u.select;
            if (w < 5 || h < 5) return;
            u.zoomed = { x: [u.posToVal(left, "x"), u.posToVal(left + w, "x")], y: [u.posToVal(top + h, "y"), u.posToVal(top, "y")] };
            u.batch(() => {
              u.setScale("x", { min: u.zoomed.x[0], max: u.zoomed.x[1] });
              u.setScale("y", { min: u.zoomed.y[0], max: u.zoomed.y[1] });
            });
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            this.move(true);
          }],
        },
      },
      [null, ...all.map((y) => [xs, y])],
      card,
    );
    plot.now = (t, row) => {
      const i = row | 0;
      const f = row - i;
      const at = (v) => (f ? v[i] + f * (v[i + 1] - v[i]) : v[i]);
      dots.forEach((dot, k) => {
        const a = plot.valToPos(at(xs), "x");
        const b = plot.valToPos(at(all[k]), "y");
        dot.style.transform = `translate(${a}px, ${b}px)`;
        dot.style.visibility = a >= 0 && b >= 0 && a <= plot.over.clientWidth && b <= plot.over.clientHeight ? "visible" : "hidden";
      });
    };
    plot.again = () => {
      this.live.get(card)?.destroy();
      this.live.set(card, this.path(card));
    };
    card.plot = plot;
    return plot;
  }

  // The time of the motion in all plots that are seen; words less often, they are slow.
  move(all = false) {
    const t = this.player.t;
    const row = this.data.row(t);
    const now = performance.now();
    const words = all || !this.player.playing || now - (this.said ?? 0) > 120;
    if (words) this.said = now;
    for (const [card, plot] of this.live) if (card.inSight !== false && card.offsetParent) plot.now(t, row, words);
  }

  resize() {
    if (!this.host.clientWidth || this.size === this.host.clientWidth) return;
    this.size = this.host.clientWidth;
    for (const plot of [...this.live.values()]) plot.again();
    this.move(true);
  }
}
