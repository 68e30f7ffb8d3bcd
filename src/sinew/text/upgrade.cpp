#include "sinew/text/upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sinew/sim/errors.h"
#include "sinew/sim/renamed.h"
#include "sinew/sim/scenario_version.h"
#include "sinew/text/document_content.h"
#include "sinew/text/renamed_keys.h"

namespace sinew::text {
namespace {

struct Edit {
  std::size_t begin, length;
  std::string by;
  unsigned line;
  std::string what;
};

// Byte offsets of TOML++'s lines and columns, which count from 1 and characters instead of bytes.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text) {
    lines_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);  // the mark of UTF-8 is no column
    for (std::size_t i = 0; i < text.size(); i++)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }
  std::size_t of(const toml::source_position& at) const {
    std::size_t i = lines_.at(at.line - 1);
    for (unsigned column = 1; column < at.column && i < text_.size(); column++) {
      i++;
      while (i < text_.size() && (static_cast<unsigned char>(text_[i]) & 0xC0) == 0x80) i++;
    }
    return i;
  }
  std::size_t of_line(unsigned line) const { return lines_.at(line - 1); }

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;
};

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; }

struct Upgrader {
  std::string_view text;
  const Document& document;
  const toml::table& root = document.content().root;
  Offsets offsets{text};
  std::vector<Edit> edits = {};
  std::vector<std::string> problems = {};

  void replace(const toml::source_region& region, std::string by, std::string what) {
    const std::size_t begin = offsets.of(region.begin);
    edits.push_back({begin, offsets.of(region.end) - begin, std::move(by), region.begin.line, std::move(what)});
  }

  // The last part of a dotted key where it stands.
  void rename_key(const OldKey& old) {
    const auto dot = old.was.rfind('.');
    const std::string holder = old.was.substr(0, dot), last = old.was.substr(dot + 1);
    if (document.contains(old.is)) {
      problems.push_back(fmt::format("{}: {} is called {} now, which is given as well: remove one of them",
                                     document.place(old.was), old.was, old.is));
      return;
    }
    const auto entry = root.at_path(holder).as_table()->find(last);
    replace(entry->first.source(), old.is.substr(holder.size() + 1), fmt::format("{} -> {}", old.was, old.is));
  }

  // A text in quotes: what stands between them is changed only where it stands as it reads.
  void replace_in_text(const toml::node& node, std::string_view was, std::string_view is, std::string_view what) {
    const std::size_t begin = offsets.of(node.source().begin), end = offsets.of(node.source().end);
    const std::size_t found = text.substr(begin, end - begin).find(was);
    if (found == std::string_view::npos)
      problems.push_back(fmt::format("{}:{}: {} is called {} now: rename it by hand: it is written with escapes",
                                     document.file(), node.source().begin.line, was, is));
    else
      edits.push_back({begin + found, was.size(), std::string(is), node.source().begin.line,
                       fmt::format("{}{} -> {}", what, was, is)});
  }

  void rename_values(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (node.is_table()) rename_values(*node.as_table());
      const auto given = node.value<std::string>();
      for (const sim::RenamedText& r : sim::renamed_texts)
        if (given && r.key == key.str() && *given == r.was)
          replace_in_text(node, r.was, r.is, fmt::format("{} = ", r.key));
    }
  }

  // Quantities in the formula of a result.
  void rename_quantities(const toml::node& node) {
    const auto given = node.value<std::string>();
    if (!given) return;
    for (const sim::RenamedText& r : sim::renamed_texts) {
      if (!r.key.empty()) continue;
      const auto at = given->find(r.was), after = at + r.was.size();
      if (at == std::string::npos || (at > 0 && is_part_of_name((*given)[at - 1])) ||
          (after < given->size() && is_part_of_name((*given)[after])))
        continue;
      replace_in_text(node, r.was, r.is, "");
    }
  }

  void rename_results() {
    const toml::table* results = root["output"]["result"].as_table();
    if (!results) return;
    for (const auto& [name, node] : *results) {
      rename_quantities(node);
      if (const toml::node* signal = node.is_table() ? node.as_table()->get("signal") : nullptr)
        rename_quantities(*signal);
    }
  }

  // KEY=VALUE of [validate.NAME] set.
  void rename_set(const toml::node& node) {
    const std::string given = node.value_or(std::string());
    const auto equal = given.find('=');
    if (equal == std::string::npos) return;
    const std::string key = given.substr(0, equal), is = new_key(document, key);
    // the last part of a key is enough where it is still the last part of the new one
    if (!is.empty() && !is.ends_with("." + key)) replace_in_text(node, key, is, "set ");
    for (const sim::RenamedText& r : sim::renamed_texts)
      if (!r.key.empty() && (key == r.key || key.ends_with(fmt::format(".{}", r.key))) &&
          given.substr(equal + 1).find(r.was) != std::string::npos)
        replace_in_text(node, fmt::format("={}", r.was), fmt::format("={}", r.is), "set ");
  }

  void rename_sets() {
    const toml::table* cases = root["validate"].as_table();
    if (!cases) return;
    for (const auto& [name, node] : *cases) {
      const toml::node* sets = node.is_table() ? node.as_table()->get("set") : nullptr;
      if (!sets) continue;
      rename_set(*sets);
      if (const toml::array* list = sets->as_array())
        for (const toml::node& set : *list) rename_set(set);
    }
  }

  // Above the first key or table, below the comments before it.
  void write_version() {
    const std::string line = fmt::format("sinew = \"{}\"", sim::scenario_version);
    if (const toml::node* given = root.get("sinew")) {
      if (given->value_or(std::string()) != sim::scenario_version)
        replace(given->source(), fmt::format("\"{}\"", sim::scenario_version), line);
      return;
    }
    unsigned first = ~0u;
    bool is_table = false;
    for (const auto& [key, node] : root) {
      if (key.source().begin.line > first) continue;
      first = key.source().begin.line;
      const std::size_t start = text.find_first_not_of(" \t", offsets.of_line(first));
      is_table = start != std::string_view::npos && text[start] == '[';
    }
    const std::string end = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
    if (first == ~0u) {  // comments alone
      const std::string before = text.empty() || text.ends_with("\n") ? "" : end;
      edits.push_back({text.size(), 0, before + line + end, 1, line});
    } else {
      edits.push_back({offsets.of_line(first), 0, line + end + (is_table ? end : ""), first, line});
    }
  }

  std::string rewritten() {
    std::ranges::stable_sort(edits, {}, &Edit::begin);
    std::string out;
    std::size_t from = 0;
    for (const Edit& e : edits) {
      out += text.substr(from, e.begin - from);
      out += e.by;
      from = e.begin + e.length;
    }
    return out += text.substr(from);
  }
};

void check_version(const Document& document) {
  const toml::node* given = document.content().root.get("sinew");
  if (!given) return;
  const std::string problem =
      given->is_string() ? sim::problem_of_version(given->as_string()->get()) : "it is no version in quotes";
  if (!problem.empty())
    throw InputError(fmt::format("{}: {}: use \"{}\" or an older one, or a newer sinew", document.place("sinew"),
                                 problem, sim::scenario_version));
}

}  // namespace

Upgraded upgrade_scenario(std::string_view text, const std::string& file) {
  const Document document(text, file);
  check_version(document);
  Upgrader upgrader{text, document};
  for (const OldKey& old : old_keys_in(document)) upgrader.rename_key(old);
  upgrader.rename_values(upgrader.root);
  upgrader.rename_results();
  upgrader.rename_sets();
  upgrader.write_version();
  if (!upgrader.problems.empty()) throw InputError(std::move(upgrader.problems));
  Upgraded out{upgrader.rewritten(), {}};
  for (const Edit& e : upgrader.edits) out.changes.push_back(fmt::format("{}:{}: {}", file, e.line, e.what));
  try {
    const Document again(out.text, file);
    if (old_keys_in(again).empty()) return out;
  } catch (const InputError&) {  // such as [robot.wave] beside keys that belong there now
  }
  std::vector<std::string> by_hand;
  for (const OldKey& old : old_keys_in(document))
    by_hand.push_back(fmt::format("{}: {} is called {} now, but renaming it here would be no TOML: move it by hand",
                                  document.place(old.was), old.was, old.is));
  throw InputError(std::move(by_hand));
}

}  // namespace sinew::text
