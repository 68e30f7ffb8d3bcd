#include "sinew/validate/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "sinew/figure/figure.h"
#include "sinew/files/file_writer.h"
#include "sinew/validate/style.h"

namespace sinew::validate {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A picture inside the page: without the header of a file, and with names of its own for the shapes it refers to.
std::string inline_svg(std::string svg, int number) {
  svg.erase(0, std::min(svg.find("<svg"), svg.size()));
  for (const char* name : {"xmlns=", "xmlns:xlink="}) {
    const auto at = svg.find(name);
    if (at != svg.npos) svg.erase(at, svg.find('"', svg.find('"', at) + 1) + 1 - at);
  }
  for (const char* name : {"gp", "gnuplot_", "textbox", "greybox"}) {
    for (const char* quote : {"'", "\""}) {
      replace_all(svg, fmt::format("id={}{}", quote, name), fmt::format("id={}p{}-{}", quote, number, name));
      replace_all(svg, fmt::format("href={}#{}", quote, name), fmt::format("href={}#p{}-{}", quote, number, name));
    }
  }
  return svg;
}

std::string number_text(double x) { return std::isfinite(x) ? fmt::format("{:.9g}", x) : "none"; }

std::string mark(bool pass) {
  return pass ? "<span class=\"pass\">✓ pass</span>" : "<span class=\"fail\">✗ FAIL</span>";
}

std::string badge(const Count& n) {
  return fmt::format("<span class=\"badge {}\">{} of {} pass</span>", n.pass == n.all ? "good" : "bad", n.pass, n.all);
}

std::string table_of(const Outcome& outcome) {
  if (outcome.entries.empty()) return "";
  std::string text =
      "<div class=\"scroll\"><table>\n<thead><tr><th>number</th><th>expected</th><th>measured</th><th>off by</th>"
      "<th>tolerance</th><th></th></tr></thead>\n<tbody>\n";
  for (const Entry& e : outcome.entries)
    text += fmt::format(
        "<tr class=\"{}\"><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{:.3g}</td><td>{}</td></tr>\n",
        e.pass ? "ok" : "off", escaped(e.id), number_text(e.expected), number_text(e.measured),
        std::isfinite(e.measured) ? fmt::format("{:.2g}", std::abs(e.measured - e.expected)) : "–", e.tolerance,
        mark(e.pass));
  return text + "</tbody>\n</table></div>\n";
}

std::string figure_of(const Picture& picture, int number) {
  const sim::FigurePlan& plan = picture.plan;
  std::string side;
  if (!plan.claim.empty()) side += fmt::format("<p class=\"claim\">{}</p>\n", escaped(plan.claim));
  if (!plan.paper.empty()) side += fmt::format("<p class=\"paper\">{}</p>\n", escaped(plan.paper));
  return fmt::format(
      "<figure>\n<div class=\"plot\">{}</div>\n<figcaption>\n<h5>What the source "
      "says</h5>\n{}</figcaption>\n</figure>\n",
      inline_svg(picture.svg, number), side.empty() ? "<p class=\"claim\">Nothing to compare with.</p>\n" : side);
}

std::string group_of(const std::string& scenario) {
  const auto slash = scenario.find('/');
  return slash == scenario.npos ? "other" : scenario.substr(0, slash);
}

// Outcomes of one scenario follow each other.
using Part = std::span<const Outcome>;

std::vector<Part> by_scenario(const std::vector<Outcome>& outcomes) {
  std::vector<Part> parts;
  for (std::size_t i = 0, end; i < outcomes.size(); i = end) {
    for (end = i + 1; end < outcomes.size() && outcomes[end].scenario == outcomes[i].scenario;) end++;
    parts.emplace_back(outcomes.data() + i, end - i);
  }
  return parts;
}

Count count_of(Part part) { return count({part.begin(), part.end()}); }

std::string contents_of(const std::vector<Part>& parts) {
  std::string text = "<nav>\n<h2>Contents</h2>\n", group;
  for (const Part& part : parts) {
    const Outcome& first = part.front();
    if (group != group_of(first.scenario)) {
      if (!group.empty()) text += "</ul>\n";
      group = group_of(first.scenario);
      text += fmt::format("<h3>{}</h3>\n<ul>\n", escaped(group));
    }
    text += fmt::format("<li><a href=\"#{}\">{}</a> {}</li>\n", escaped(first.scenario), escaped(first.title),
                        badge(count_of(part)));
  }
  return text + "</ul>\n</nav>\n";
}

// What a person types to see the same run.
std::string command_of(const Outcome& outcome) {
  std::string text = "sinew run " + outcome.scenario;
  for (const std::string& set : outcome.plan.sets) {
    std::string quoted = set;
    replace_all(quoted, "'", "'\\''");
    const bool plain = set.find_first_of(" []{}()*?'\"$&;|<>`\\#!~") == set.npos;
    text += plain ? " --set " + set : fmt::format(" --set '{}'", quoted);
  }
  return text;
}

std::string section_of(Part part, int& pictures) {
  const Outcome& first = part.front();
  std::string text = fmt::format("<section id=\"{}\">\n<h3>{} {}</h3>\n", escaped(first.scenario), escaped(first.title),
                                 badge(count_of(part)));
  for (const Outcome& outcome : part) {
    text += fmt::format("<article>\n<h4>{}</h4>\n", escaped(outcome.plan.name));
    text += fmt::format("<p class=\"soft\"><code>{}</code></p>\n", escaped(command_of(outcome)));
    if (!outcome.plan.source.empty())
      text += fmt::format("<p class=\"soft\">Numbers: {}</p>\n", escaped(outcome.plan.source));
    if (!outcome.failure.empty()) text += fmt::format("<p class=\"failure\">{}</p>\n", escaped(outcome.failure));
    for (const Picture& picture : outcome.pictures) text += figure_of(picture, ++pictures);
    text += table_of(outcome) + "</article>\n";
  }
  return text + "</section>\n";
}

}  // namespace

std::string page_of(const std::vector<Outcome>& outcomes, const std::string& version) {
  const auto parts = by_scenario(outcomes);
  const Count all = count(outcomes);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>sinew {0}: validation</title>\n<style>\n{1}</style>\n</head>\n<body>\n<header>\n"
      "<h1>sinew: published results against ours</h1>\n<p>Version {0}. {2} scenarios, {3} cases. {4}</p>\n"
      "<p>Each number was computed by a run of the scenario named beside it and compared with what its source says; "
      "<code>sinew validate</code> makes this page.</p>\n</header>\n",
      escaped(version), page_style, parts.size(), outcomes.size(), badge(all));
  text += contents_of(parts) + "<main>\n";
  std::string group;
  int pictures = 0;
  for (const Part& part : parts) {
    if (group != group_of(part.front().scenario)) {
      group = group_of(part.front().scenario);
      text += fmt::format("<h2>{}</h2>\n", escaped(group));
    }
    text += section_of(part, pictures);
  }
  return text + "</main>\n</body>\n</html>\n";
}

void write_report(const std::vector<Outcome>& outcomes, const std::string& version, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(fmt::format("{}: this folder cannot be made: {}", folder, error.message()));
  write_file((std::filesystem::path(folder) / "index.html").string(), html_file, page_of(outcomes, version));
}

}  // namespace sinew::validate
