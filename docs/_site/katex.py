"""Formulas become HTML and MathML when the site is built, by KaTeX in the small interpreter duk.

Pages then need no script to show them, and a wrong formula is a warning with its place. Debian: libjs-katex, duktape.
"""

import json
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

KATEX = Path("/usr/share/javascript/katex")
RENDER = """
if (!Array.prototype.fill)  // duk lacks this one function, which KaTeX needs for matrices
  Array.prototype.fill = function (x) { for (var i = 0; i < this.length; i++) this[i] = x; return this; };
formulas.forEach(function (f) {
  try {
    print(JSON.stringify({html: katex.renderToString(f[0], {displayMode: f[1], strict: 'error'})}));
  } catch (e) {
    print(JSON.stringify({error: e.message}));
  }
});
"""

logger = logging.getLogger(__name__)


def formulas(env):
    """(text, is it displayed) of all formulas, each with a place where it stands."""
    found = {}
    for page in sorted(env.found_docs):
        for node in env.get_doctree(page).findall(lambda n: isinstance(n, (nodes.math, nodes.math_block))):
            found.setdefault((node.astext(), isinstance(node, nodes.math_block)), node)
    return found


def render_all(app, env):
    if app.builder.format != "html":
        return
    found = formulas(env)
    script = Path(app.doctreedir) / "formulas.js"
    script.write_text(f"var formulas = {json.dumps(list(found))};\n{RENDER}")
    done = subprocess.run(["duk", str(KATEX / "katex.js"), str(script)], capture_output=True, text=True, check=True)
    app.formulas = {}
    for (key, node), line in zip(found.items(), done.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        if "error" in answer:
            logger.warning("formula: %s", answer["error"], location=node)
        app.formulas[key] = answer.get("html", "")


def put_inline(translator, node):
    translator.body.append(translator.builder.app.formulas[node.astext(), False])
    raise nodes.SkipNode


def put_block(translator, node):
    translator.body.append(f'<div class="math-block">{translator.builder.app.formulas[node.astext(), True]}</div>\n')
    raise nodes.SkipNode


def copy_style(app, error):
    """The style sheet, and the fonts in the one format that all present browsers read."""
    if error or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static/katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    (target / "katex.min.css").write_bytes((KATEX / "katex.min.css").read_bytes())
    for font in (KATEX / "fonts").glob("*.woff2"):
        (target / "fonts" / font.name).write_bytes(font.read_bytes())


def setup(app):
    app.add_html_math_renderer("katex", inline_renderers=(put_inline, None), block_renderers=(put_block, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("env-updated", render_all)
    app.connect("build-finished", copy_style)
