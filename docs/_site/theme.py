"""Makes Debian's furo (2022.12.07) work from a folder of files, without a web server.

As packaged, its style sheet imports another one from the root of a web server and has lost the rules that follow the
reader's choice of dark colours; its script imports a module, which browsers refuse in plain scripts. Each of the three is
mended where it is found, so a later furo is left alone.
"""

import re
from pathlib import Path

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")  # Debian: furo depends on it


def mend_style(static):
    sheet = static / "styles/furo.css"
    text = sheet.read_text()
    wanted = "@import url(/javascript/normalize.css/normalize.css);"
    if wanted in text:
        text = text.replace(wanted, "@import url(normalize.css);")
        (static / "styles/normalize.css").write_bytes(NORMALIZE.read_bytes())
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', text)
    if dark and "prefers-color-scheme" not in text:
        text += f'\n@media (prefers-color-scheme: dark) {{\n  body:not([data-theme="light"]) {dark.group(1)}\n}}\n'
    sheet.write_text(text)


def mend_script(static):
    script, module = static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    wanted = 'import Gumshoe from "./gumshoe-patched.js";\n'
    if wanted in script.read_text():
        script.write_text(module.read_text() + script.read_text().replace(wanted, ""))
        module.unlink()


def mend(app, error):
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    mend_style(static)
    mend_script(static)


def setup(app):
    app.connect("build-finished", mend)
