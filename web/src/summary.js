// The result in words: how it ended, the last state, forces, the ledger,
// what is kept, events, choices.
import { label, unitLabel } from "./equations.js";

// With the digits that are known: what is rounding is 0.
const number = (x, rounding = 0) => {
  if (x === null || x === undefined) return "–";
  const a = Math.abs(x);
  if (a <= rounding) return "0";
  const digits = rounding > 0 ? Math.floor(Math.log10(a / rounding)) + 1 : 7;
  return a !== 0 && (a < 1e-4 || a >= 1e6) ? x.toExponential(Math.min(4, digits - 1)) : String(Number(x.toPrecision(Math.min(7, digits))));
};

const element = (tag, className, ...children) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
};

function table(rows, head) {
  const t = element("table", "numbers");
  if (head) {
    const row = t.createTHead().insertRow();
    for (const words of head) row.append(element("th", "", words));
  }
  const body = t.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    cells.forEach((cell, i) => {
      const at = row.insertCell();
      if (i > 1 && typeof cell === "string") at.className = "unit";
      at.append(i && typeof cell === "number" ? number(cell) : (cell?.text ?? cell ?? "–"));
    });
  }
  return t;
}

const SHOWN = 400; // rows of a list, at most

const more = (count) => (count > SHOWN ? `and ${count - SHOWN} more (in the JSON)` : "");

// Time, kind, name, impulse, energy; a click on the time goes there.
function eventTable(events, data, player, energy) {
  const struck = events.some((e) => e.impulse);
  const ways = (e) => (e.direction > 0 ? "rising" : e.direction < 0 ? "falling" : "event");
  const rows = events.slice(0, SHOWN).map((event) => {
    const button = element("button", "", `t = ${number(event.t)}${data.time ? ` ${data.time}` : ""}`);
    button.addEventListener("click", () => player.seek(event.t));
    const cells = [button, event.kind ?? ways(event), event.name];
    return struck ? [...cells, event.impulse ? event.impulse.map((x) => number(x)).join(", ") : "", event.impulse ? event.energy : ""] : cells;
  });
  const impulse = data.scene.newtons ? "impulse in N s" : "impulse";
  const list = table(rows, ["time", "kind", "name", ...(struck ? [impulse, energy] : [])]);
  list.classList.add("events");
  return list;
}

export const verdicts = { done: "done", stopped: "stopped", failed: "could not go on" };

// What is rounding of the largest of some numbers is 0.
function roundingOf(all) {
  const size = Math.max(0, ...all.map(Math.abs).filter(Number.isFinite));
  return (x) => (Math.abs(x) > 1e-14 * size ? x : 0);
}

export function summary(data, player) {
  const r = data.result;
  const seconds = data.time ? ` ${data.time}` : "";
  const units = new Map(data.columns.filter((c) => c.unit && c.kind !== "scene" && c.kind !== "plot").map((c) => [c.name, c.unit]));
  const unit = (name) => (units.has(name) ? unitLabel(units.get(name)) : "");
  const roundings = new Map(data.columns.filter((c) => c.rounding).map((c) => [c.name, c.rounding]));
  const knownTo = (rounding, x) => (typeof x === "number" ? { text: number(x, rounding) } : x);
  const known = (name, x) => knownTo(roundings.get(name), x); // at the end
  const joule = unit("energy");
  const per = (words, u) => (u ? `${words} in ${u}` : words);
  const several = new Set(r.not_unique ?? []); // made of multipliers that are not unique
  const article = element("article", "summary");
  const section = (title, ...content) => article.append(element("section", "", element("h2", "", title), ...content));
  const ended = { done: `Done at t = ${number(r.t)}${seconds}.`, stopped: `Stopped at t = ${number(r.t)}${seconds}.`, failed: `Could not go on at t = ${number(r.t)}${seconds}.` }[r.status] ?? "";
  const facts = [`${r.steps} steps`, `${number(r.seconds * 1000)} ms`, `tolerance ${number(data.run.tolerance)}`, `order ${data.run.order}`, `${data.rows} samples`];
  const verdict = element("p", `verdict ${r.status}`, element("strong", "", ended), " ", facts.join(" · "));
  article.append(verdict);
  if (data.reason) article.append(element("pre", "reason", data.reason));
  const quality = [["balance of the ledger", r.balance], ["regularity (1: ideal, 0: cannot act)", r.regularity], ...Object.entries(r.residual ?? {}).map(([name, x]) => [`residual of ${name}`, x])];
  section("How well", table(quality));
  const kept = Object.entries(r.conserved ?? {});
  if (kept.length) section("Kept", table(kept.map(([name, c]) => [label(name), known(name, c.value), unit(name), c.drift]), ["", "value", "", "drift"]));
  const works = Object.entries(r.work ?? {});
  if (works.length) {
    const [before, after] = data.run.energy;
    const rows = works.map(([name, w]) => [several.has(`work(${name})`) ? `${name} (not unique)` : name, known(`power(${name})`, r.power?.[name]), known(`work(${name})`, w)]);
    section("Ledger", table([...rows, ["change of the energy", "", knownTo(data.run.rounding, after - before)]], ["", per("power at the end", joule && "W"), per("work", joule)]));
  }
  const forces = Object.entries(r.force ?? {});
  if (forces.length) section("Forces at the end", table(forces.map(([name, f]) => [r.unique?.[name] === false ? `${name} (not unique: the least)` : name, f.map((x, i) => known(f.length > 1 ? `force(${name})[${i + 1}]` : `force(${name})`, x)?.text ?? "–").join(",  "), unit(`force(${name})`) || unit(`force(${name})[1]`)])));
  const states = Object.entries(r.state ?? {});
  section(`State at t = ${number(r.t)}${seconds}`, table(states.slice(0, 60).map(([name, x]) => [label(name), known(name, x), unit(name)])));
  const observed = Object.entries(r.observe ?? {});
  if (observed.length) section("Observed", table(observed.map(([name, x]) => [several.has(name) ? `${label(name)} (not unique)` : label(name), known(name, x), unit(name)])));
  if (r.modes?.length) {
    const rows = r.modes.slice(0, SHOWN).map((m) => [m.mode, m.time, m.visits]);
    section("Modes of the contacts", table(rows, ["", per("time", data.time), "visits"]), more(r.modes.length));
    const sum = (what, key) => Object.values(r.contacts ?? {}).reduce((all, c) => all + c[what][key], 0);
    const fed = [["by moving bodies in impacts", sum("fed", "impacts")], ["by moving bodies between them", sum("fed", "between")]];
    fed.unshift(...Object.entries(r.fed_in_impacts ?? {}).map(([name, work]) => [`by ${name} in impacts`, work]));
    const feeds = fed.filter(([, work]) => Math.abs(work) > (data.run.rounding ?? 0)).map(([by, work]) => [`fed in ${by}`, work, joule]);
    section("Energy lost by contacts", table([["to impacts", knownTo(data.run.rounding, sum("lost", "impacts")), joule], ["to friction", knownTo(data.run.rounding, sum("lost", "friction")), joule], ...feeds]));
  }
  if (r.events?.length) section("Events", eventTable(r.events, data, player, per("energy", joule)), more(r.events.length));
  if (r.jumps?.length) {
    const list = element("ul", "events");
    for (const jump of r.jumps.slice(0, 200)) {
      const button = element("button", "", `t = ${number(jump.t)}${seconds}`);
      button.addEventListener("click", () => player.seek(jump.t));
      const [speed, push] = [jump.velocity, jump.impulse].map((of) => roundingOf(Object.values(of).flat()));
      const leaps = Object.entries(jump.velocity).map(([name, v]) => `${label(name)} from ${v.map((x) => number(speed(x))).join(" to ")}`);
      const pushes = Object.entries(jump.impulse).map(([name, i]) => `impulse of ${name}: ${i.map((x) => number(push(x))).join(", ")}`);
      list.append(element("li", "", button, ` ${[...leaps, ...pushes].join("; ")}`));
    }
    section("Jumps of velocities", list);
  }
  if (data.choices.length) section("Choices", element("ul", "", ...data.choices.map((c) => element("li", "", c))));
  article.append(element("p", "made", `liaison ${data.version}, ${data.file}`));
  return article;
}
