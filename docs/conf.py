# Sphinx settings of the documentation site. scripts/build_docs calls Sphinx; nothing is fetched from a network.
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_site"))

project = "sinew"
author = "the sinew authors"
copyright = author
# CMakeLists.txt is the one place that knows the version.
release = re.search(r"project\(sinew VERSION ([\d.]+)", (HERE.parent / "CMakeLists.txt").read_text()).group(1)
version = release

extensions = ["myst_parser", "katex", "theme"]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
root_doc = "index"
exclude_patterns = ["_*"]
highlight_language = "none"

html_theme = "furo"
html_title = f"sinew {release}"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["sinew.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_math_renderer = "katex"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e69", "color-brand-content": "#0b6e69"},
    "dark_css_variables": {"color-brand-primary": "#4fc3b8", "color-brand-content": "#4fc3b8"},
}

man_pages = [("cli", "sinew", "simulate robots that slither, crawl, walk and cling", author, 1)]
