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


def frame(page: str, height: int = 620) -> str:
    """A whole page inside of a notebook's cell."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
