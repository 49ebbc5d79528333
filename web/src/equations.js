// What `explain --latex` says, set as a page: sections, lists, tables, and formulas by KaTeX.
import katex from "katex";

// Formulas of the line: long ones break at their signs.
function formula(source) {
  const span = document.createElement("span");
  const display = /^\s*\\displaystyle\s*/;
  try {
    katex.render(source.replace(display, "\\displaystyle "), span, { throwOnError: false, strict: false, output: "htmlAndMathml" });
  } catch {
    span.textContent = source;
  }
  span.className = "formula";
  return span;
}

const plain = (text) =>
  text
    .replace(/\\textbackslash\{\}/g, "\\")
    .replace(/\\([~^])\{\}/g, "$1")
    .replace(/\\([&%$#_{}])/g, "$1")
    .replace(/---/g, "—")
    .replace(/--/g, "–")
    .replace(/\s+/g, " ");

// Where the bracket that opens before `at` closes; those with a backslash do not count.
function closing(text, at) {
  for (let depth = 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) break;
  }
  return at;
}

const styles = { "\\textbf{": "strong", "\\texttt{": "code" };

// Text with $formulas$, \textbf{..}, \texttt{..} and \\ into `into`.
function words(text, into) {
  let at = 0;
  const flush = (end) => {
    if (end > at) into.append(plain(text.slice(at, end)));
  };
  while (at < text.length) {
    const next = text.slice(at).search(/(?<!\\)\$|\\text(?:bf|tt)\{|\\\\(?:\n|$)|\\\\/);
    if (next < 0) {
      flush(text.length);
      break;
    }
    flush(at + next);
    at += next;
    if (text[at] === "$") {
      const end = text.slice(at + 1).search(/(?<!\\)\$/);
      const stop = end < 0 ? text.length : at + 1 + end;
      into.append(formula(text.slice(at + 1, stop)));
      at = stop + 1;
    } else if (styles[text.slice(at, at + 8)]) {
      const end = closing(text, at + 8);
      into.append(words(text.slice(at + 8, end), document.createElement(styles[text.slice(at, at + 8)])));
      at = end + 1;
    } else {
      into.append(document.createElement("br"));
      at += 2;
      while (text[at] === "\n") at++;
    }
  }
  return into;
}

const make = (tag, text) => words(text.trim(), document.createElement(tag));

function list(body) {
  const ul = document.createElement("ul");
  for (const item of body.split(/\\item\s/).slice(1)) ul.append(make("li", item));
  return ul;
}

function table(body) {
  const element = document.createElement("table");
  for (const line of body.replace(/\\hline/g, "").split(/\\\\\n?/)) {
    if (!line.trim()) continue;
    const row = element.insertRow();
    for (const cell of line.split(/(?<!\\)&/)) words(cell.trim(), row.insertCell());
  }
  return element;
}

export function equations(latex, file, count) {
  const article = document.createElement("article");
  article.className = "equations";
  if (!latex) {
    const command = document.createElement("code");
    command.textContent = `liaison explain ${file} --latex > ${file.replace(/\.lia$/, "")}.tex`;
    const words = document.createElement("p");
    words.append(`The equations of ${count} coordinates are no reading matter: they are left out here. To have them all the same, `, command);
    article.append(words);
    return article;
  }
  let text = latex.slice(latex.indexOf("\\begin{document}") + 16, latex.indexOf("\\end{document}"));
  text = text.replace(/\\raggedright|\\medskip|\{\\small|\\section\*\{[^\n]*\}\n/g, "").replace(/\\end\{tabular\}\}/g, "\\end{tabular}");
  const block = /\\subsection\*\{(.*)\}\n|\\begin\{(itemize|tabular)\}(?:\{[^\n]*\})?\n([\s\S]*?)\\end\{\2\}/g;
  let at = 0;
  let section = article;
  const paragraphs = (part) => {
    for (const paragraph of part.split(/\n\s*\n/)) if (paragraph.trim()) section.append(make("p", paragraph));
  };
  for (const match of text.matchAll(block)) {
    paragraphs(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1] !== undefined) {
      section = document.createElement("section");
      section.append(make("h2", match[1]));
      article.append(section);
    } else {
      section.append(match[2] === "itemize" ? list(match[3]) : table(match[3]));
    }
  }
  paragraphs(text.slice(at));
  return article;
}

// A name of the model as mathematics, for labels outside of formulas: theta1' is θ₁′.
const greek = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", iota: "ι", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", upsilon: "υ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω" };
const small = "₀₁₂₃₄₅₆₇₈₉";
export function label(name) {
  return name
    .replace(/\p{L}+/gu, (word) => greek[word] ?? word)
    .replace(/(\p{L})(\d+)(?![\d.])/gu, (_, letter, digits) => letter + [...digits].map((d) => small[d]).join(""))
    .replace(/'/g, "′");
}

// A unit as it is set in print: kg·m²/s².
export const unitLabel = (unit) => unit.replace(/\*/g, "·").replace(/\^(-?\d+)/g, (_, power) => [...power].map((d) => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[d])).join(""));
