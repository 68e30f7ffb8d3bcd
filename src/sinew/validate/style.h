// How the page of a validation looks: on light and dark screens, and on paper.
#pragma once
#include <string_view>

namespace sinew::validate {

inline constexpr std::string_view page_style = R"(:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1c2024; --soft: #5b646e; --line: #d9dee3; --card: #f6f8fa;
  --good: #0a6b3d; --good-ground: #dff3e7; --bad: #a4161a; --bad-ground: #fde4e3; --link: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --text: #e4e7ea; --soft: #9aa4ae; --line: #30363c; --card: #1c2024;
    --good: #7ddba6; --good-ground: #12372a; --bad: #ff9a94; --bad-ground: #471a1b; --link: #7db8f5;
  }
  .plot svg { filter: invert(0.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 84rem;
  background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.15rem; margin: 2rem 0 0.25rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 0.25rem; font-family: ui-monospace, monospace; }
h5 { font-size: 0.75rem; margin: 0 0 0.4rem; letter-spacing: 0.05em; text-transform: uppercase; color: var(--soft); }
p { margin: 0.25rem 0 0.5rem; max-width: 48rem; }
a { color: var(--link); }
code { font: 0.9em ui-monospace, monospace; }
header p, .soft, .paper { color: var(--soft); }
nav { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.25rem 1.25rem 1rem; }
nav h2 { border: 0; margin: 0.75rem 0 0; font-size: 1.1rem; }
nav h3 { margin: 0.75rem 0 0.25rem; font-size: 1rem; }
nav ul { margin: 0; padding: 0; list-style: none; columns: 26rem; column-gap: 2.5rem; }
nav li { padding: 0.15rem 0; break-inside: avoid; }
.badge { display: inline-block; padding: 0 0.55em; border-radius: 1em; font-size: 0.8rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); background: var(--good-ground); }
.bad, .failure { color: var(--bad); background: var(--bad-ground); }
.failure { padding: 0.5rem 0.75rem; border-radius: 6px; }
.pass { color: var(--good); white-space: nowrap; }
.fail { color: var(--bad); font-weight: 700; white-space: nowrap; }
section { scroll-margin-top: 1rem; }
figure {
  display: grid; grid-template-columns: minmax(0, 3fr) minmax(13rem, 1fr); gap: 1.25rem; align-items: start;
  margin: 0.75rem 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; break-inside: avoid;
}
.plot svg { display: block; max-width: 100%; height: auto; }
figcaption p { margin: 0 0 0.6rem; }
.paper { font-size: 0.9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tr.off td { background: var(--bad-ground); }
@media screen and (max-width: 56rem) { figure { grid-template-columns: 1fr; } }
@media print {
  :root { color-scheme: light; --ground: #fff; --text: #000; --soft: #444; --line: #bbb; --card: #fff;
    --good: #064; --good-ground: #fff; --bad: #900; --bad-ground: #fff; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .plot svg { filter: none; }
  nav { break-after: page; }
  h2, h3, h4, article > p { break-after: avoid; }
  tr { break-inside: avoid; }
  figure { grid-template-columns: minmax(0, 3fr) minmax(8rem, 1fr); padding: 0.5rem; }
  table { font-size: 7.5pt; }
  th, td { padding: 0.1rem 0.4rem; }
}
)";

}  // namespace sinew::validate
