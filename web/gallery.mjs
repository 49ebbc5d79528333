// The site of all examples and of the documentation: node gallery.mjs MODULES OUT [NAME...]
//
// MODULES is the folder with node_modules and page.html, OUT the site.
// Every example is run and gets its page; its README and the pages of docs/ are rendered;
// a picture of each motion is taken in a headless browser where there is one,
// else its plot stands for it. Every link is followed at the end,
// and one that leads nowhere is an error.
// NAME: these examples only. LIAISON is the program, build/liaison unless it says otherwise.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [modules, out, ...only] = process.argv.slice(2);
const require = createRequire(pathToFileURL(path.join(path.resolve(modules), "package.json")));
const { Marked } = require("marked");
const program = path.resolve(process.env.LIAISON ?? path.join(root, "build/liaison"));
const site = path.resolve(out);
fs.rmSync(site, { recursive: true, force: true });
fs.mkdirSync(site, { recursive: true });

const read = (file) => fs.readFileSync(path.join(root, file), "utf8");
const exists = (file) => fs.existsSync(path.join(root, file));
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const write = (file, text) => {
  const full = path.join(site, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
};

// --- examples: one for each model, in the order of examples/README.md

const index = read("examples/README.md");
const named = [...index.matchAll(/\]\(([a-z0-9_]+)\/?\)/g)].map((m) => m[1]);
const folders = fs.readdirSync(path.join(root, "examples"), { withFileTypes: true }).filter((e) => e.isDirectory()).map((e) => e.name);
const place = (name) => (named.includes(name) ? named.indexOf(name) : named.length);
const examples = folders
  .filter((name) => !only.length || only.includes(name))
  .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
  .map((name) => {
    const models = fs.readdirSync(path.join(root, "examples", name)).filter((f) => f.endsWith(".lia"));
    models.sort((a, b) => (a === `${name}.lia` ? -1 : b === `${name}.lia` ? 1 : a.localeCompare(b)));
    return { name, models: models.map((f) => f.slice(0, -4)) };
  });

function title(folder, model) {
  const text = read(`examples/${folder}/${model}.lia`);
  return text.match(/^model\s+\S+\s+"([^"]*)"/m)?.[1] ?? text.match(/^#\s*(?:\S+\.lia:\s*)?(.*?)\.?\s*$/m)?.[1] ?? model;
}

for (const { name, models } of examples) {
  for (const model of models) {
    const folder = path.join(site, "examples", name);
    fs.mkdirSync(folder, { recursive: true });
    const source = path.join(root, "examples", name, `${model}.lia`);
    const ran = spawnSync(program, ["run", source, "--quiet", "-o", path.join(folder, `${model}.html`)], { encoding: "utf8" });
    if (ran.status !== 0 && ran.status !== 2) throw new Error(`${name}/${model}: ${ran.stderr}`);
    // the plot as a picture, for where there is no browser
    execFileSync(program, ["run", source, "--quiet", "-o", path.join(folder, "plot.csv")], { stdio: "ignore" });
    fs.rmSync(path.join(folder, "plot.csv"));
    if (fs.existsSync(path.join(folder, "plot.svg"))) fs.renameSync(path.join(folder, "plot.svg"), path.join(folder, `${model}.svg`));
    for (const file of fs.readdirSync(folder)) if (/^plot-/.test(file)) fs.rmSync(path.join(folder, file));
  }
}

// --- pictures

const browserPath = ["chromium", "chromium-browser", "google-chrome"].map((c) => spawnSync("sh", ["-c", `command -v ${c}`], { encoding: "utf8" }).stdout.trim()).find(Boolean);
async function pictures() {
  if (!browserPath || process.env.LIAISON_PICTURES === "no") return;
  const { chromium } = require("playwright-core");
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
  const tab = await browser.newPage({ viewport: { width: 1180, height: 460 } });
  // a machine may be busy, and space is drawn without a graphics card
  tab.setDefaultTimeout(180000);
  tab.setDefaultNavigationTimeout(180000);
  for (const { name, models } of examples) {
    for (const model of models) {
      const file = path.join(site, "examples", name, `${model}.html`);
      await tab.goto(`${pathToFileURL(file)}?still&theme=light`);
      await tab.waitForFunction(() => window.liaison?.spent.frames > 1);
      await tab.addStyleTag({ content: "#tools, #clock, #legend, #scale { display: none !important }" });
      await tab.evaluate(() => { liaison.player.seek(liaison.data.first + 0.62 * (liaison.data.last - liaison.data.first)); });
      for (const theme of ["light", "dark"]) {
        await tab.evaluate((wanted) => { liaison.theme.set(wanted); }, theme);
        await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await tab.locator("#stage").screenshot({ path: path.join(site, "examples", name, `${model}${theme === "dark" ? "-dark" : ""}.png`) });
      }
    }
  }
  await browser.close();
}
await pictures();
const picture = (name, model) => ["png", "svg"].map((e) => `examples/${name}/${model}.${e}`).find((f) => fs.existsSync(path.join(site, f)));

// --- pages

const style = `
:root { --paper: #f6f5f1; --panel: #fff; --ink: #23262d; --soft: #5c626d; --line: #e3e0d8; --accent: #2f66d0; --code: #f3f1ea; }
@media (prefers-color-scheme: dark) { :root { --paper: #101318; --panel: #171b21; --ink: #e4e7ec; --soft: #aab1bc; --line: #29303a; --accent: #6ea0ff; --code: #1c2129; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 4px 22px; align-items: baseline; padding: 12px 26px; background: var(--panel); border-bottom: 1px solid var(--line); }
header strong { font-size: 17px; } header a { color: var(--soft); } header strong a { color: var(--ink); }
main { max-width: 1180px; margin: 0 auto; padding: 22px 26px 80px; } main.text { max-width: 860px; }
main.example { max-width: 1280px; } main.example > :not(iframe) { max-width: 860px; margin-left: auto; margin-right: auto; } main.example > h1 { max-width: none; }
h1 { font-size: 28px; letter-spacing: -0.02em; line-height: 1.2; } h2 { margin-top: 40px; font-size: 20px; } h3 { margin-top: 30px; font-size: 16.5px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 20px; }
.card { display: block; background: var(--panel); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; color: inherit; box-shadow: 0 1px 2px #0000000a; transition: transform .12s, box-shadow .12s; }
.card:hover { transform: translateY(-2px); box-shadow: 0 8px 24px #00000018; text-decoration: none; }
.card img { display: block; width: 100%; aspect-ratio: 3/2; object-fit: cover; background: #f6f5f1; border-bottom: 1px solid var(--line); }
.card img[src$=".svg"] { object-fit: contain; background: #fff; }
.card div { padding: 10px 14px 14px; } .card b { font-weight: 620; } .card p { margin: 2px 0 0; color: var(--soft); font-size: 14px; line-height: 1.45; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; overflow-x: auto; font: 13.5px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { font: 0.9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--code); padding: 1px 4px; border-radius: 4px; } pre code { background: none; padding: 0; font: inherit; }
table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; } th:empty { display: none; }
main img { max-width: 100%; } .motion { display: block; border: 1px solid var(--line); border-radius: 14px; overflow: hidden; margin: 18px 0; } .motion img { display: block; width: 100%; }
iframe { width: 100%; height: min(78vh, 720px); border: 1px solid var(--line); border-radius: 14px; background: var(--panel); }
blockquote { border-left: 3px solid var(--line); margin: 0; padding-left: 16px; color: var(--soft); }`;

function page(file, heading, body, kind = "text") {
  const up = path.relative(path.dirname(file), ".") || ".";
  write(file, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escape(heading)} – liaison</title><link rel="stylesheet" href="${up}/style.css"></head><body>
<header><strong><a href="${up}/index.html">liaison</a></strong><a href="${up}/index.html">gallery</a><a href="${up}/docs/start.html">five minutes</a><a href="${up}/docs/language.html">language</a><a href="${up}/docs/README.html">documentation</a></header>
<main class="${kind}">
${body}
</main></body></html>
`);
}
write("style.css", style.trim() + "\n");

// Headings are called as on the usual forges: lower case, without signs, blanks as dashes.
function slugger() {
  const used = new Map();
  return (text) => {
    const base = text.replace(/<[^>]*>/g, "").replace(/&[a-z]+;|&#\d+;/g, "").toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
    const n = used.get(base) ?? 0;
    used.set(base, n + 1);
    return n ? `${base}-${n}` : base;
  };
}

// Where a link of a file leads in the site. Sources that are pointed at come along, as text.
const copied = new Set();
const wanted = [];
function target(from, href) {
  if (/^[a-z]+:/i.test(href)) return href;
  const [link, anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (!link) return href;
  let file = path.normalize(path.join(path.dirname(from), link)).replace(/\/$/, "");
  if (!exists(file)) return null;
  if (fs.statSync(path.join(root, file)).isDirectory()) {
    const example = file.match(/^examples\/([^/]+)$/)?.[1];
    if (file === "examples") file = "index.html";
    else if (example) file = examples.some((e) => e.name === example) ? `examples/${example}/index.html` : only.length ? "index.html" : null;
    else if (exists(path.join(file, "README.md"))) file = path.join(file, "README.md");
    else return null;
    if (!file) return null;
  }
  if (file === "README.md" || file === "examples/README.md") file = "index.html";
  else if (/^examples\/[^/]+\/README\.md$/.test(file)) file = file.replace("README.md", "index.html");
  else if (file.endsWith(".md")) {
    wanted.push(file);
    file = file.replace(/\.md$/, ".html");
  } else if (file !== "index.html" && !/^examples\/.*\.html$/.test(file)) {
    copied.add(file);
    if (!/\.(svg|png|csv|json)$/.test(file)) file += ".txt";
  }
  return (path.relative(path.dirname(from), file) || path.basename(file)) + hash;
}

function render(from, text) {
  const slug = slugger();
  const renderer = {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(inner)}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const to = target(from, href);
      return to === null ? inner : `<a href="${escape(to)}">${inner}</a>`;
    },
    image({ href, text: alt }) {
      return `<img src="${escape(target(from, href) ?? href)}" alt="${escape(alt)}">`;
    },
  };
  return new Marked({ renderer }).parse(text);
}

const headingOf = (text, otherwise) => text.match(/^# (.*)$/m)?.[1] ?? otherwise;
const done = new Set();
function document(file) {
  if (done.has(file)) return;
  done.add(file);
  const text = read(file);
  page(file.replace(/\.md$/, ".html"), headingOf(text, file), render(file, text));
}

// A picture of the motion, in the colours of the page.
function thumbnail(name, model) {
  const light = picture(name, model) ?? "none.svg";
  const dark = `examples/${name}/${model}-dark.png`;
  const source = fs.existsSync(path.join(site, dark)) ? `<source srcset="${dark}" media="(prefers-color-scheme: dark)">` : "";
  return `<picture>${source}<img src="${light}" alt="" loading="lazy"></picture>`;
}
const card = (name, model, words) => `<a class="card" href="examples/${name}/${model ? `${model}.html` : "index.html"}">${thumbnail(name, model ?? name)}<div><b>${escape(words.title)}</b><p>${words.about}</p></div></a>`;
write("none.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M15 32 30 12l15 20" fill="none" stroke="#b9b6ab" stroke-width="2"/><circle cx="30" cy="12" r="4" fill="#e8730c"/></svg>\n`);

// The first page: the list of examples/README.md, with pictures. Its tables become cards.
{
  const abouts = new Map([...index.matchAll(/\|\s*\[[^\]]*\]\(([a-z0-9_]+)\/?\)\s*\|\s*(.*?)\s*\|/g)].map((m) => [m[1], m[2]]));
  const inline = (text) => render("examples/README.md", text ?? "").replace(/^<p>|<\/p>\s*$/g, "").replace(/<a [^>]*>|<\/a>/g, "");
  const shown = new Set();
  const parts = [];
  let cards = [];
  const flush = () => {
    if (cards.length) parts.push(`<div class="cards">${cards.join("\n")}</div>`);
    cards = [];
  };
  const tell = (name) => {
    const example = examples.find((e) => e.name === name);
    if (!example || shown.has(name)) return;
    shown.add(name);
    cards.push(card(name, null, { title: title(name, example.models[0]), about: inline(abouts.get(name)) }));
  };
  for (const line of index.split("\n")) {
    const row = line.match(/^\|\s*\[[^\]]*\]\(([a-z0-9_]+)\/?\)/)?.[1];
    const head = line.match(/^(?:## (.*)|\*\*(.*)\*\*)$/);
    if (row) tell(row);
    else if (head) {
      flush();
      parts.push(head[1] ? `<h2>${escape(head[1])}</h2>` : `<h3>${escape(head[2])}</h3>`);
    }
  }
  flush();
  const rest = examples.filter((e) => !shown.has(e.name));
  if (rest.length) parts.push("<h2>More</h2>");
  for (const { name } of rest) tell(name);
  flush();
  const body = parts.filter((part, i) => !(part.startsWith("<h") && (i + 1 === parts.length || (part.startsWith("<h3") && parts[i + 1].startsWith("<h")) || (part.startsWith("<h2") && parts[i + 1].startsWith("<h2")))));
  page("index.html", "Gallery", `<h1>Mechanics with constraints on which somebody acts</h1>\n<p>Every picture is a motion that the tests run: its page moves, and has the plots, the forces and the equations.</p>\n${body.join("\n")}`, "wide");
}

// A page for each example: its README, and the motion itself.
for (const { name, models } of examples) {
  const file = `examples/${name}/README.md`;
  const text = exists(file) ? read(file) : `# ${name}\n`;
  const motions = models.map((model, i) => (i === 0 ? `<iframe src="${model}.html?still" title="${escape(title(name, model))}" loading="lazy"></iframe><p><a href="${model}.html">the motion on a page of its own</a>` : ` · <a href="${model}.html">${escape(title(name, model))}</a>`)).join("") + "</p>";
  const body = render(file, text);
  const split = body.indexOf("</h1>") + 5;
  page(`examples/${name}/index.html`, headingOf(text, name), `${body.slice(0, split)}\n${motions}\n${body.slice(split)}`, "example");
}

for (const file of fs.readdirSync(path.join(root, "docs"))) if (file.endsWith(".md")) document(`docs/${file}`);
while (wanted.length) document(wanted.pop());
for (const file of copied) {
  const text = /\.(svg|png|csv|json)$/.test(file) ? file : `${file}.txt`;
  fs.mkdirSync(path.dirname(path.join(site, text)), { recursive: true });
  fs.copyFileSync(path.join(root, file), path.join(site, text));
}

// --- links

const pages = [];
(function walk(folder) {
  for (const entry of fs.readdirSync(path.join(site, folder), { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(file);
    else if (file.endsWith(".html")) pages.push(file);
  }
})("");
const motionPages = new Set(examples.flatMap(({ name, models }) => models.map((model) => `examples/${name}/${model}.html`)));
const ids = new Map();
const idsOf = (file) => {
  if (!ids.has(file)) ids.set(file, new Set([...fs.readFileSync(path.join(site, file), "utf8").matchAll(/ id="([^"]*)"/g)].map((m) => m[1])));
  return ids.get(file);
};
let broken = 0;
for (const file of pages.filter((p) => !motionPages.has(p))) {
  const text = fs.readFileSync(path.join(site, file), "utf8");
  for (const [, href] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
    if (/^[a-z]+:/i.test(href)) continue;
    const [link, anchor] = href.replace(/&amp;/g, "&").split("#");
    const to = link ? path.normalize(path.join(path.dirname(file), link.split("?")[0])) : file;
    const there = fs.existsSync(path.join(site, to));
    if (!there || (anchor && to.endsWith(".html") && !idsOf(to).has(decodeURIComponent(anchor)))) {
      console.log(`${file}: ${href} leads nowhere`);
      broken++;
    }
  }
}
console.log(`${examples.length} examples, ${pages.length} pages in ${path.relative(process.cwd(), site) || site}${broken ? `, ${broken} broken links` : ""}`);
process.exit(broken ? 1 : 0);
