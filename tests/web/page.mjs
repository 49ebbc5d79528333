// The page of some models in a browser: node page.mjs DIR, DIR has the packages.
// What is read from the scene and from plots is compared with the CSV of the same run.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { LIAISON, SOURCE_DIR, SCRATCH, BROWSER_PATH } = process.env;
const require = createRequire(pathToFileURL(path.join(path.resolve(process.argv[2]), "package.json")));
const { chromium } = require("playwright-core");

let passed = 0;
let failed = 0;
function check(good, words) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED ${words}`);
  }
}

function page(model) {
  const name = path.basename(model, ".lia");
  const [html, csv] = [path.join(SCRATCH, `${name}.html`), path.join(SCRATCH, `${name}.csv`)];
  execFileSync(LIAISON, ["run", model, "--quiet", "-o", html]);
  execFileSync(LIAISON, ["run", model, "--quiet", "-o", csv]);
  const [head, ...rows] = fs.readFileSync(csv, "utf8").trim().split("\n");
  const names = head.split(",");
  const table = rows.map((row) => row.split(",").map(Number));
  const column = (wanted) => table.map((row) => row[names.indexOf(wanted)]);
  return { name, html, rows: table.length, t: column("t"), column };
}

// Where something of the scene must be by the CSV at a row, whatever the model draws there.
const examples = [
  { model: "examples/skater/skater.lia", tabs: true, places: [["skater", (c, i) => [c("x")[i], c("y")[i], 0]]] },
  { model: "examples/turntable/turntable.lia", places: [["sphere", (c, i) => [c("x")[i], c("y")[i], 0.1]]], turns: [["sphere", ["g.x", "g.y", "g.z", "g.w"]]] },
  { model: "examples/cylinder/cylinder.lia", places: [["sphere", (c, i) => [0.4 * Math.cos(c("theta")[i]), 0.4 * Math.sin(c("theta")[i]), c("z")[i]]]] },
  { model: "examples/chain/chain.lia", places: [["joint", (c, i) => [Math.sin(c("q[1]")[i]), -Math.cos(c("q[1]")[i]), 0]]] },
  { model: "examples/edge/edge.lia", places: [["skater", (c, i) => [c("x")[i], c("y")[i], 0]]] },
  { model: "tests/web/models/drawn.lia", events: 2, places: [["sphere", (c, i) => [c("x")[i], c("y")[i], 0.5]], ["cylinder", (c, i) => [1, c("s")[i], 0]]] },
];

const browser = await chromium.launch({
  executablePath: BROWSER_PATH,
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

async function open(run, options = {}, query = "") {
  const context = await browser.newContext({ viewport: { width: 900, height: 400 }, offline: true, ...options });
  const tab = await context.newPage();
  tab.said = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && tab.said.push(message.text()));
  tab.on("pageerror", (error) => tab.said.push(error.message));
  tab.on("request", (request) => /^https?:/.test(request.url()) && tab.said.push(`asks the network for ${request.url()}`));
  await tab.goto(`${pathToFileURL(run.html)}${query}`);
  await tab.waitForFunction(() => window.liaison?.spent.frames > 1, null, { timeout: 60000 });
  // the software renderer of a test machine has its own complaints
  tab.quiet = () => tab.said.filter((words) => !/GPU stall|software|swiftshader|WebGL-0x/i.test(words));
  tab.done = () => context.close();
  return tab;
}

const near = (a, b, scale) => a.every((x, k) => Math.abs(x - b[k]) <= 1e-6 * Math.max(1, scale ?? 1));

async function seek(tab, t) {
  await tab.evaluate((when) => { liaison.player.play(false); liaison.player.seek(when); }, t);
}
const positions = (tab) => tab.evaluate(() => liaison.scene.positions());

for (const example of examples) {
  const run = page(path.join(SOURCE_DIR, example.model));
  const tab = await open(run);
  const say = (words) => `${run.name}: ${words}`;

  // it plays, and the scene changes with it
  check(await tab.evaluate(() => liaison.player.playing), say("plays when it is opened"));
  const before = [await tab.evaluate(() => liaison.player.s), JSON.stringify(await positions(tab))];
  const goes = await tab.waitForFunction((s) => liaison.player.s !== s, before[0], { timeout: 20000 }).then(() => true, () => false);
  check(goes, say("time goes on"));
  const changes = await tab.waitForFunction((was) => JSON.stringify(liaison.scene.positions()) !== was, before[1], { timeout: 20000 }).then(() => true, () => false);
  check(changes, say("the scene changes"));
  await tab.keyboard.press("Space");
  check(!(await tab.evaluate(() => liaison.player.playing)), say("space stops it"));

  // the scene is where the CSV says, at samples spread over the run
  for (const i of [0, 1, Math.floor(run.rows / 3), Math.floor((2 * run.rows) / 3), run.rows - 1]) {
    await seek(tab, run.t[i]);
    const items = await positions(tab);
    for (const [kind, place] of example.places) {
      const wanted = place(run.column, i);
      const found = items.some((item) => item.position && near(item.position, wanted, Math.hypot(...wanted)));
      check(found, say(`the ${kind} at row ${i} is not at ${wanted}`));
    }
    for (const [kind, names] of example.turns ?? []) {
      const q = items.find((item) => item.kind === kind).quaternion;
      const wanted = names.map((name) => run.column(name)[i]);
      const along = q.reduce((sum, x, k) => sum + x * wanted[k], 0);
      check(Math.abs(Math.abs(along) - 1) < 1e-6, say(`${kind} is turned as the CSV says at row ${i}`));
    }
  }

  // plots: curves with the numbers of the CSV, zoom by dragging,
  // back by a double click, a click goes there
  const numbers = await tab.evaluate(() => ({ name: liaison.data.columns[1].name, x: Array.from(liaison.data.column(1)) }));
  const wanted = run.column(numbers.name);
  const size = Math.max(...wanted.map(Math.abs));
  check(near(numbers.x, wanted, size), say(`the column ${numbers.name} is that of the CSV`));
  const over = await tab.evaluateHandle(() => {
    const card = [...document.querySelectorAll(".plot")].find((c) => c.spec && !c.spec.x);
    card.scrollIntoView({ block: "center" });
    return card;
  });
  await tab.waitForFunction((card) => card.plot, over);
  const scale = () => over.evaluate((card) => [card.plot.scales.x.min, card.plot.scales.x.max]);
  const whole = await scale();
  const box = await (await over.evaluateHandle((card) => card.plot.over)).asElement().boundingBox();
  await tab.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await tab.mouse.down();
  await tab.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await tab.mouse.up();
  const zoomed = await scale();
  check(zoomed[0] > whole[0] && zoomed[1] < whole[1], say("dragging zooms a plot"));
  await tab.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  const back = await scale();
  check(back[0] === whole[0] && back[1] === whole[1], say("a double click shows the whole again"));
  await tab.mouse.click(box.x + box.width / 2, box.y + box.height / 3);
  const clicked = await tab.evaluate(() => liaison.player.t);
  check(Math.abs(clicked - (whole[0] + whole[1]) / 2) < 0.02 * (whole[1] - whole[0]), say("a click goes to its time"));

  if (example.events) {
    const marks = await tab.locator("#marks button").count();
    check(marks === example.events, say(`${marks} events are marked`));
    check((await tab.title()).startsWith("Shapes <b>&amp;</b> </script>"), say("a title is text"));
  }
  if (example.tabs) {
    for (const [name, selector] of [["Equations", ".equations .katex"], ["Model", ".code .keyword"], ["Result", ".summary .numbers"], ["Plots", ".uplot"]]) {
      await tab.getByRole("tab", { name }).click();
      check((await tab.locator(selector).count()) > 2, say(`${name} are there`));
    }
    check((await tab.locator(".katex-error").count()) === 0, say("every formula is set"));
    // keys
    await tab.locator("#title").click();
    await seek(tab, run.t[0]);
    await tab.keyboard.press("ArrowRight");
    check((await tab.evaluate(() => liaison.player.s)) > 0, say("an arrow steps"));
    const speed = await tab.evaluate(() => liaison.player.speed);
    await tab.keyboard.press("+");
    check((await tab.evaluate(() => liaison.player.speed)) > speed, say("plus is faster"));
    await tab.keyboard.press("End");
    check((await tab.evaluate(() => liaison.player.t)) === run.t[run.rows - 1], say("End is the end"));
    // arrows: what they are, off and on, longer
    const legend = await tab.locator("#legend").innerText();
    check(/constraint: blade/.test(legend) && /couple of an operator: twist/.test(legend), say(`the legend says ${legend}`));
    await seek(tab, run.t[Math.floor(run.rows / 3)]);
    const shown = async () => (await positions(tab)).filter((item) => ["force", "couple"].includes(item.kind) && item.visible).length;
    check((await shown()) === 2, say("a force and a couple are seen"));
    await tab.keyboard.press("f");
    check((await shown()) === 0, say("f hides them"));
    await tab.keyboard.press("f");
    await tab.keyboard.press("]");
    check((await tab.evaluate(() => liaison.scene.longer)) > 1, say("] makes arrows longer"));
    // colours, and a camera that follows
    const theme = await tab.evaluate(() => liaison.theme.name);
    await tab.keyboard.press("d");
    check((await tab.evaluate(() => liaison.theme.name)) !== theme, say("d changes the colours"));
    await tab.keyboard.press("c");
    const target = await tab.evaluate(() => liaison.scene.controls.target.toArray());
    const seen = (await positions(tab)).filter((item) => item.position);
    check(seen.some((item) => near(item.position, target)), say("the camera follows"));
  }
  check(tab.quiet().length === 0, say(`nothing is said in the console: ${tab.quiet().join("; ")}`));
  await tab.done();
}

// plots: one unit a panel, what is rounding in words, smooth lines;
// one scroll bar, and dark where the page is
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/units.lia"));
  const tab = await open(run, { viewport: { width: 1100, height: 640 }, colorScheme: "dark" }, "?still");
  const cards = await tab.evaluate(() => [...document.querySelectorAll(".plot")].filter((c) => c.spec).map((c) => c.spec.curves.map((k) => `${k.unit ?? k.sort ?? ""}`)));
  check(cards.length > 4 && cards.every((units) => new Set(units).size === 1), `units: a panel mixes ${JSON.stringify(cards)}`);
  const words = await tab.evaluate(() => [...document.querySelectorAll(".words")].map((e) => e.textContent).join("; "));
  check(/0 but for rounding: .*y/.test(words) && /L.z/.test(words) && !/small/.test(words), `units: rounding is said: ${words}`);
  check((await tab.locator("#clock").innerText()).endsWith(" s"), "units: the clock has seconds");
  const axes = await tab.evaluate(() => { const card = [...document.querySelectorAll(".plot")].find((c) => c.plot && !c.spec.x); return card.plot.axes.map((a) => (typeof a.label === "function" ? a.label() : a.label)); });
  check(axes[0] === "t in s" && axes[1].startsWith("in "), `units: the axes say ${axes}`);
  check(await tab.evaluate(() => [...document.querySelectorAll(".plot")].filter((c) => c.plot?.series).every((c) => c.plot.series.every((s) => !s.pxAlign))), "units: lines are not rounded to pixels");
  for (const name of ["Plots", "Equations", "Model", "Result"]) {
    await tab.getByRole("tab", { name }).click();
    const bars = await tab.evaluate(() => [...document.querySelectorAll("*")].filter((e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight && e.clientHeight > 0).map((e) => e.id || e.className || e.tagName));
    const whole = await tab.evaluate(() => document.documentElement.scrollHeight > innerHeight);
    check(bars.length + (whole ? 1 : 0) <= 1, `units: ${name} has the scroll bars ${bars} ${whole ? "and that of the page" : ""}`);
  }
  check((await tab.locator(".summary").innerText()).includes("work in J"), "units: the ledger is in J");
  const scheme = () => tab.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  check((await scheme()) === "dark", "units: bars are dark in the dark");
  await tab.evaluate(() => liaison.theme.set("light"));
  check((await scheme()) === "light", "units: and light in the light");
  await tab.done();
}

// what is rounding and has no like is 0: in plots, as an arrow, and in the result
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/noise.lia"));
  const z = run.column("z").map(Math.abs);
  const most = Math.max(...z);
  check(most > 0 && most < 1e-14, `noise: z is up to ${most}`);
  const tab = await open(run, {}, "?still");
  const plots = await tab.evaluate(() => [...document.querySelectorAll("section")].find((s) => /Plots of the model/.test(s.innerText)).querySelectorAll(".plot").length);
  const curves = await tab.evaluate(() => [...document.querySelectorAll(".plot")].filter((c) => c.spec).slice(0, 3).map((c) => c.spec.curves.flatMap((k) => Array.from(k.values()))));
  check(plots === 3 && curves.every((y) => y.every((v) => v === 0)), "noise: its plots are 0");
  const words = await tab.evaluate(() => [...document.querySelectorAll(".words")].map((e) => e.textContent).join("; "));
  check(/0 but for rounding: z\b/.test(words) && !/sat.position.y/.test(words), `noise: rounding is said: ${words}`);
  const seen = await tab.evaluate(() => { const s = liaison.scene; let shown = 0; for (let k = 0; k < liaison.data.rows; k += 50) { s.update(k); shown += s.items.filter((i) => i.kind === "force" && i.object.visible).length; } return { shown, legend: document.getElementById("legend").innerText, scale: document.getElementById("arrows").innerText }; });
  check(seen.shown === 0 && seen.legend === "" && seen.scale === "", `noise: its spring has no arrow: ${JSON.stringify(seen)}`);
  await tab.getByRole("tab", { name: "Result" }).click();
  const rows = await tab.locator(".summary tr").allInnerTexts();
  check(rows.some((r) => /^z\s+0\s+m$/.test(r)), `noise: z is 0 in the result: ${rows.filter((r) => /^z/.test(r))}`);
  check(tab.quiet().length === 0, `noise: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

// labels of plots are not cut off, whatever the names, the numbers and the width of the page
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/names.lia"));
  for (const width of [360, 1000]) {
    const tab = await open(run, { viewport: { width, height: 700 } }, "?still");
    const cards = await tab.locator(".plot").all();
    for (const card of cards) await card.scrollIntoViewIfNeeded();
    const cut = await tab.evaluate(() => {
      const found = [];
      for (const { plot } of [...document.querySelectorAll(".plot")].filter((c) => c.plot?.axes)) {
        const ratio = devicePixelRatio || 1;
        const box = { left: plot.bbox.left / ratio, top: plot.bbox.top / ratio, width: plot.bbox.width / ratio, height: plot.bbox.height / ratio };
        plot.ctx.save();
        const wide = (text, axis) => { plot.ctx.font = typeof axis.font === "string" ? axis.font : "12px system-ui, sans-serif"; return plot.ctx.measureText(text).width; };
        const words = (axis) => (typeof axis.label === "function" ? axis.label(plot) : axis.label) ?? "";
        const [x, y] = plot.axes;
        const middle = [box.left + box.width / 2, box.top + box.height / 2];
        plot.ctx.font = "12px system-ui, sans-serif";
        const half = [wide(words(x), x) / 2, wide(words(y), y) / 2];
        if (middle[0] - half[0] < 0 || middle[0] + half[0] > plot.width) found.push(words(x));
        if (middle[1] - half[1] < 0 || middle[1] + half[1] > plot.height) found.push(words(y));
        const right = box.left + box.width;
        for (const v of x._values ?? []) if (v && right + wide(v, x) / 2 > plot.width) found.push(v);
        for (const v of y._values ?? []) if (v && wide(v, y) + 10 > box.left - (words(y) ? 20 : 0)) found.push(v);
        plot.ctx.restore();
      }
      return { found, count: document.querySelectorAll(".plot canvas").length };
    });
    check(cut.count > 4 && cut.found.length === 0, `names, ${width} wide: ${cut.count} plots, cut off: ${cut.found.join("; ")}`);
    const page_width = await tab.evaluate(() => document.documentElement.scrollWidth);
    check(page_width <= width, `names: the page is ${page_width} wide on ${width}`);
    await tab.done();
  }
}

// a model that draws nothing and has an angle that moves nothing one sees: a dial beside the scene
{
  const run = page(path.join(SOURCE_DIR, "tests/output/guesses/satellite.lia"));
  const tab = await open(run, {}, "?still");
  const hands = () => tab.evaluate(() => [...document.querySelectorAll(".instruments line")].map((e) => e.getAttribute("x2")).join());
  await seek(tab, run.t[0]);
  const before = await hands();
  await seek(tab, run.t[Math.floor(run.rows / 3)]);
  check((await tab.locator(".instruments figure.driven").count()) === 3 && (await hands()) !== before, "satellite: three dials go along");
  check(tab.quiet().length === 0, `satellite: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

// contacts: a flash and an arrow where and when one strikes, a point while it is closed,
// the bar of its modes, its events
{
  const run = page(path.join(SOURCE_DIR, "examples/bounce/bounce.lia"));
  const tab = await open(run, {}, "?still");
  const events = await tab.evaluate(() => liaison.data.result.events.map((e) => ({ t: e.t, kind: e.kind, impulse: e.impulse })));
  const flashing = () => tab.evaluate(() => liaison.scene.flashing());
  const first = events.find((e) => e.kind === "impact");
  const span = await tab.evaluate(() => liaison.scene.span);
  await seek(tab, first.t - 1e-6);
  check((await flashing()).length === 0, "bounce: nothing flashes before the impact");
  await seek(tab, first.t);
  const seen = await flashing();
  check(seen.length === 1 && seen[0].ring && near(seen[0].at, [0, 0, 0]), `bounce: it flashes where the ball strikes: ${JSON.stringify(seen)}`);
  const [x, y, z, w] = seen[0].arrow.turn;
  // the arrow is z, turned
  const along = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  const size = Math.hypot(...first.impulse);
  check(Math.abs(along[2] - first.impulse[0] / size) < 1e-6 && near(seen[0].arrow.at, [0, 0, 0]), `bounce: the impulse has its direction: ${along}`);
  await seek(tab, first.t + 0.5 * span);
  check((await flashing()).length === 1, "bounce: the arrow stays for a moment");
  await seek(tab, Math.max(...events.map((e) => e.t)) + 1.01 * span);
  check((await flashing()).length === 0, "bounce: then it is over");
  for (const [t, closed] of [[0.2, false], [first.t + 0.1, false], [3, true], [5, true]]) {
    await seek(tab, t);
    const items = (await positions(tab)).filter((i) => ["contact", "force"].includes(i.kind));
    check(items.length === 2 && items.every((i) => i.visible === closed), `bounce: at t = ${t} the contact ${closed ? "is" : "is not"} seen`);
  }
  const courses = await tab.evaluate(() => liaison.contacts.list.map((c) => liaison.contacts.spans(c)));
  check(courses.length === 1 && courses.every((spans) => Math.abs(spans.reduce((sum, s) => sum + s.to - s.from, 0) - 5) < 1e-12), "bounce: the intervals of the bar are the run");
  check((await tab.locator(".course path.sticks").getAttribute("d")).startsWith("M485.4"), "bounce: the bar shows when it sticks");
  check((await tab.locator(".modes").innerText()).replace(/\s+/g, " ") === "open sticks", "bounce: the bar says what its colours mean");
  check(/impulse [1-9]/.test(await tab.locator("#arrows").innerText()), "bounce: the scale of impulses is said");
  await tab.getByRole("tab", { name: "Result" }).click();
  const rows = await tab.locator("table.events tbody tr").allInnerTexts();
  const head = await tab.locator("table.events thead").innerText();
  check(rows.length === events.length && /time\s+kind\s+name\s+impulse\s+energy/.test(head), `bounce: ${rows.length} events, ${head}`);
  check(/0\.4283529.*impact\s+floor\s+7\.143642, 0\.142857.*-/s.test(rows[0].replace(/\t/g, " ")), `bounce: an event is said: ${rows[0]}`);
  check(/Energy lost by contacts/.test(await tab.locator(".summary").innerText()), "bounce: what was lost is said");
  check(tab.quiet().length === 0, `bounce: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

// a cylinder without ends is as long as what is seen
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/pipe.lia"));
  const tab = await open(run, {}, "?still");
  check((await tab.locator(".no-scene").count()) === 0, "pipe: there is a scene");
  const [pipe, extent] = await tab.evaluate(() => [liaison.scene.positions().find((i) => i.kind === "cylinder"), liaison.scene.extent]);
  check(near(pipe?.scale ?? [], [0.5, 0.5, Math.max(1, extent)]) && pipe?.scale.length === 3, `pipe: it is drawn with ${pipe?.scale}, extent ${extent}`);
  await tab.done();
}

// one that is fixed is drawn as far as the motion goes along it
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/gutter.lia"));
  const tab = await open(run, {}, "?still");
  const far = Math.max(...run.column("ball.position.x"));
  const pipe = await tab.evaluate(() => liaison.scene.positions().find((i) => i.kind === "cylinder"));
  check(far > 8.9 && pipe?.scale[2] / 2 >= far, `gutter: it is drawn with ${pipe?.scale}, the ball goes to ${far}`);
  await tab.done();
}

// what is rounding among its like is 0 beside a plot
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/rest.lia"));
  const tab = await open(run, {}, "?still");
  const row = run.column("z").findLastIndex((z) => z !== 0);
  check(Math.abs(run.column("z")[row]) < 1e-15, `rest: z is ${run.column("z")[row]} at the end`);
  await seek(tab, run.t[row]);
  const words = await tab.locator(".plot").first().innerText();
  check(/z\s*0 m/.test(words), `rest: beside the plot stands ${words}`);
  await tab.done();
}

// field pictures: each is painted, and its mark goes along with the time
for (const [name, count] of [["skater", 1], ["cat", 1], ["discs", 1], ["snakeboard", 2]]) {
  const run = page(path.join(SOURCE_DIR, `examples/${name}/${name}.lia`));
  const tab = await open(run, {}, "?still");
  const cards = await tab.locator("section.field .plot").all();
  check(cards.length === count, `${name}: ${cards.length} field pictures`);
  for (const card of cards) {
    await card.scrollIntoViewIfNeeded();
    const drawn = await card.locator("canvas").waitFor({ timeout: 20000 }).then(() => true, () => false);
    check(drawn, `${name}: a field picture is drawn`);
    const dot = () => card.locator(".dot").evaluate((e) => e.style.transform);
    await seek(tab, run.t[0]);
    const before = await dot();
    await seek(tab, run.t[Math.floor(run.rows / 4)]);
    check((await dot()) !== before, `${name}: the mark of a field picture moves`);
    const colors = await card.locator("canvas").evaluate((c) => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size);
    check(colors > 20, `${name}: ${colors} colours in a field picture`);
  }
  check(tab.quiet().length === 0, `${name}: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

// scenes that nobody drew: arrows are there, through what is before them,
// not longer than the picture, with their scale
for (const file of fs.readdirSync(path.join(SOURCE_DIR, "tests/output/scenes")).filter((f) => f.endsWith(".lia"))) {
  const run = page(path.join(SOURCE_DIR, "tests/output/scenes", file));
  const tab = await open(run, {}, "?still");
  const say = (words) => `${run.name}: ${words}`;
  const seen = await tab.evaluate(() => {
    const { scene, data } = liaison;
    const arrows = scene.items.filter((i) => ["force", "couple"].includes(i.kind));
    const through = (object) => {
      let found = false;
      object.traverse((o) => (found ||= o.material?.depthTest === false));
      return found;
    };
    let shown = 0;
    let longest = 0;
    let lost = false;
    for (let k = 0; k <= 40; k++) {
      scene.update(Math.floor((k * (data.rows - 1)) / 40));
      for (const { kind, object } of arrows) {
        shown += object.visible;
        lost ||= object.visible && !object.position.toArray().every(Number.isFinite);
        if (kind === "force" && object.visible) longest = Math.max(longest, object.userData.length / scene.size);
      }
    }
    const ways = scene.lines.every((l) => l.through.material.depthTest === false);
    const contacts = scene.items.filter((i) => i.kind === "contact").every((i) => through(i.object));
    return { shown, longest, lost, ways, contacts, through: arrows.every((i) => through(i.object)), scale: document.getElementById("arrows").innerText, legend: document.getElementById("legend").innerText };
  });
  check(seen.shown > 10 && !seen.lost, say(`arrows are seen ${seen.shown} times`));
  check(seen.through && seen.ways && seen.contacts, say("arrows, ways and contacts are seen through what is before them"));
  check(seen.longest < 0.6, say(`the longest arrow is ${seen.longest} of the picture`));
  check(/[1-9]/.test(seen.scale), say(`the scale of arrows is said: ${seen.scale}`));
  check(!/no arrow|part that can/.test(seen.legend), say(`all that acts has its arrow: ${seen.legend}`));
  check(tab.quiet().length === 0, say(`nothing is said in the console: ${tab.quiet().join("; ")}`));
  await tab.done();
}

// a machine that something leaves: it is looked at, in proportion to it,
// and more while the stone is on its way
{
  const run = page(path.join(SOURCE_DIR, "examples/trebuchet/trebuchet.lia"));
  const tab = await open(run, {}, "?still");
  const seen = await tab.evaluate((flying) => {
    const { scene, data } = liaison;
    const stone = scene.items.find((i) => i.kind === "sphere");
    const held = (row) => {
      scene.update(row);
      const at = stone.place(row, stone.object.position.clone()).sub(scene.controls.target);
      return { view: scene.view, inside: Math.abs(at.z) < scene.view && Math.abs(at.x) < scene.view * scene.aspect };
    };
    let longest = 0;
    for (let row = 0; row < data.rows; row += 5) {
      scene.update(row);
      for (const { object } of scene.items.filter((i) => i.kind === "force" && i.object.visible)) longest = Math.max(longest, object.userData.length);
    }
    return { extent: scene.extent, first: held(0), later: held(flying), again: held(0), longest };
  }, run.t.findIndex((t) => t > 4));
  check(seen.extent > 200 && seen.first.view < 10 && seen.first.inside, `trebuchet: the machine is looked at: ${JSON.stringify(seen.first)}`);
  check(seen.later.view > 40 && seen.later.inside, `trebuchet: the stone stays in the picture: ${JSON.stringify(seen.later)}`);
  check(Math.abs(seen.again.view - seen.first.view) < 1e-9, "trebuchet: and back");
  check(seen.longest > 0.5 && seen.longest < 8, `trebuchet: arrows are as large as the machine: ${seen.longest}`);
  await tab.done();
}

// couples at one place go round outside of each other, no larger than one alone
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/couples.lia"));
  const tab = await open(run, {}, "?still");
  const seen = await tab.evaluate(() => {
    const { scene, data } = liaison;
    scene.update(Math.floor(data.rows / 2));
    const radii = scene.items.filter((i) => i.kind === "couple" && i.object.visible).map((i) => i.object.scale.x);
    return { radii, size: scene.size };
  });
  check(seen.radii.length >= 4 && new Set(seen.radii).size === seen.radii.length, `couples: each is seen: ${seen.radii}`);
  check(Math.max(...seen.radii) < 0.08 * seen.size, `couples: the largest is ${Math.max(...seen.radii) / seen.size} of the picture`);
  await tab.done();
}

// instruments alone are the scene, and arrows are at them
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/instruments.lia"));
  const tab = await open(run, {}, "?still");
  await seek(tab, run.t[Math.floor(run.rows / 2)]);
  const items = await positions(tab);
  const at = (kind, name) => items.find((item) => item.kind === kind && item.name === name)?.position;
  const bead = await tab.evaluate(() => {
    const { object } = liaison.scene.items.find((i) => i.kind === "slider");
    return [object.position.x + object.userData.bead.position.x, object.position.y];
  });
  check(near(at("dial", "b").slice(0, 2), at("couple", "turn").slice(0, 2)), "instruments: the couple is at the dial");
  check(near(bead, at("force", "push").slice(0, 2)), "instruments: the force is at the bead of the slider");
  await tab.done();
}

// a phone: nothing is wider than the screen, and the buttons can be reached
{
  const run = { html: path.join(SCRATCH, "skater.html") };
  const tab = await open(run, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: "dark" }, "?still");
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 390, `phone: the page is ${wide} wide`);
  check((await tab.evaluate(() => liaison.theme.name)) === "dark", "phone: dark where the device is");
  await tab.locator("#play").tap();
  check(await tab.evaluate(() => liaison.player.playing), "phone: a tap plays");
  check(tab.quiet().length === 0, `phone: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

// ten thousand samples of twenty bodies: less than 5 MB, less than 10 ms of script a frame
{
  const run = page(path.join(SOURCE_DIR, "tests/web/models/many.lia"));
  const size = fs.statSync(run.html).size;
  check(size < 5e6, `many: the page has ${size} bytes`);
  const tab = await open(run);
  await tab.evaluate(() => { Object.assign(liaison.spent, { frames: 0, times: [] }); });
  await tab.waitForFunction(() => liaison.spent.frames >= 8, null, { timeout: 60000 });
  const times = (await tab.evaluate(() => liaison.spent.times)).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];  // others may use the machine too
  check(median < 10, `many: ${median.toFixed(2)} ms of script a frame`);
  console.log(`many: ${(size / 1e6).toFixed(2)} MB, ${median.toFixed(2)} ms of script a frame`);
  const i = 7777;
  await seek(tab, run.t[i]);
  const found = (await positions(tab)).find((item) => item.name === "b[13]");
  const wanted = ["x", "y", "z"].map((k) => run.column(`b[13].position.${k}`)[i]);
  check(near(found.position, wanted), `many: b[13] is at ${found.position}, not ${wanted}`);
  check(tab.quiet().length === 0, `many: nothing is said in the console: ${tab.quiet().join("; ")}`);
  await tab.done();
}

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
