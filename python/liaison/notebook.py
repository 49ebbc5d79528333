"""What a notebook shows: equations of a model, a page of a result."""
from __future__ import annotations

import html
import re


def markdown_of_latex(text: str) -> str:
    """The document of `explain --latex` as Markdown with formulas."""
    begin = text.find(r"\begin{document}")
    body = text[begin + len(r"\begin{document}") : text.find(r"\end{document}")]
    body = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", body, flags=re.S)
    body = re.sub(r"\\(raggedright|medskip|sloppy|noindent)\b *", "", body)
    body = body.replace(r"\allowbreak{}", "").replace(r"\allowbreak", "")
    body = re.sub(r"\\section\*\{(.*?)\}\n", r"### \1\n\n", body)
    body = re.sub(r"\\subsection\*\{(.*?)\}\n", r"\n#### \1\n\n", body)
    body = re.sub(r"\\begin\{(itemize|enumerate)\}|\\end\{(itemize|enumerate)\}", "\n", body)
    body = re.sub(r"\\item(\[.*?\])? *", "- ", body)
    body = re.sub(r"\\textbf\{(.*?)\}", r"**\1**", body)
    body = re.sub(r"\\(emph|textit)\{(.*?)\}", r"*\2*", body)
    body = re.sub(r"\\texttt\{(.*?)\}", r"`\1`", body)
    body = re.sub(r"(?<!\\)\\\\\n(?![^\n]*&)", "  \n", body)
    return re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"


def _inline(text: str) -> str:
    """One line of that Markdown as HTML; formulas stay as they are, for the notebook to set."""
    parts = re.split(r"(\$\$.*?\$\$|\$.*?\$|\\\[.*?\\\]|\\\(.*?\\\))", text)
    for k in range(0, len(parts), 2):
        plain = html.escape(parts[k], quote=False)
        plain = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
        plain = re.sub(r"\*(.+?)\*", r"<i>\1</i>", plain)
        parts[k] = re.sub(r"`(.+?)`", r"<code>\1</code>", plain)
    for k in range(1, len(parts), 2):  # a "<" would begin a tag
        parts[k] = html.escape(parts[k], quote=False)
    return "".join(parts)


def html_of_latex(text: str) -> str:
    """The same document as HTML: headings, lists and paragraphs, with formulas between dollars."""
    out: list[str] = []
    for block in re.split(r"\n{2,}|\n(?=#+ )", markdown_of_latex(text)):
        lines = block.strip("\n").split("\n")
        heading = re.match(r"(#+) (.*)", lines[0])
        if heading:
            level = len(heading.group(1))
            out.append(f"<h{level}>{_inline(heading.group(2))}</h{level}>")
            lines = lines[1:]
        items = "\n".join(lines).split("\n- ")
        if items[0].startswith("- "):
            items[0] = items[0][2:]
            rows = ("<br>".join(_inline(line.strip()) for line in i.split("\n")) for i in items)
            out.append("<ul>" + "".join(f"<li>{row}</li>" for row in rows) + "</ul>")
        elif any(lines):
            out.append("<p>" + "<br>".join(_inline(line.strip()) for line in lines) + "</p>")
    return "\n".join(out)


def frame(page: str, height: int = 620) -> str:
    """A whole page inside of a notebook's cell."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
