// Bundles the page: node build.mjs DIR. Packages are in DIR/node_modules;
// page.html and page.c are written there.
//
// One html file with script, style and fonts in it: it works from a file, without a network.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const dir = path.resolve(process.argv[2] ?? "build");
const modules = path.join(dir, "node_modules");
const require = createRequire(pathToFileURL(path.join(dir, "package.json")));
const esbuild = require("esbuild");

// Fonts that formulas of mechanics never use; of the others only the format every browser reads.
const unused = /KaTeX_(Fraktur|SansSerif|Script|Typewriter|Caligraphic)/;
const fonts = {
  name: "fonts",
  setup(build) {
    build.onLoad({ filter: /katex(\.min)?\.css$/ }, (args) => {
      let css = fs.readFileSync(args.path, "utf8");
      css = css.replace(/@font-face\s*\{[^}]*\}/g, (face) => {
        if (unused.test(face)) return "";
        return face.replace(/src:[^;}]*/, (src) => "src:" + (src.match(/url\([^)]*\.woff2\)\s*format\([^)]*\)/) ?? [""])[0]);
      });
      return { contents: css, loader: "css" };
    });
  },
};

const result = await esbuild.build({
  entryPoints: [path.join(here, "src/main.js")],
  bundle: true,
  minify: true,
  write: false,
  outdir: dir,
  format: "iife",
  target: ["es2020"],
  legalComments: "none",
  nodePaths: [modules],
  loader: { ".woff2": "dataurl" },
  plugins: [fonts],
  logLevel: "warning",
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;

// A script ends at its first closing tag, wherever that stands.
const script = text(".js").replace(/<\/script/gi, "<\\/script");
// What others wrote comes with the words it must come with.
const licences = ["three", "uplot", "katex"]
  .map((name) => {
    const folder = path.join(modules, name);
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const { version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}`;
  })
  .join("\n\n")
  .replace(/--/g, "- -");

const html = fs
  .readFileSync(path.join(here, "src/page.html"), "utf8")
  .replace("/*style*/", () => text(".css"))
  .replace("/*script*/", () => script)
  .replace("</html>", () => `</html>\n<!--\nThis page holds parts of:\n\n${licences}\n-->`);

const write = (name, content) => {
  fs.writeFileSync(path.join(dir, name + ".part"), content);
  fs.renameSync(path.join(dir, name + ".part"), path.join(dir, name));
};
const bytes = Buffer.from(html, "utf8");
const lines = [];
for (let i = 0; i < bytes.length; i += 32) lines.push(Array.from(bytes.subarray(i, i + 32)).join(",") + ",");
write("page.html", bytes);
write(
  "page.c",
  `// Made from web/ by web/build.mjs.
#include "cli/terminal/page.h"
const char lia_page_template[] = {
${lines.map((line) => line.replace(/\b(12[89]|1[3-9]\d|2\d\d)\b/g, (n) => String(n - 256))).join("\n")}
0};
const size_t lia_page_length = ${bytes.length};
const char lia_page_missing[] = "";
`,
);
console.log(`the page: ${(bytes.length / 1024).toFixed(0)} kB`);
