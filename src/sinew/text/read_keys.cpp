#include "sinew/text/read_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/sim/nearest.h"
#include "sinew/sim/renamed.h"
#include "sinew/text/document_content.h"

namespace sinew::text {

struct KeyReader::Level {
  std::string path;                // dotted name of the table; empty: the file itself
  const toml::table* table;        // nullptr: not in the file
  std::vector<std::string> known;  // keys declared so far
  bool any_name = false;           // holds named entries
  std::string shorthand;
  std::shared_ptr<toml::table> from_shorthand = nullptr;  // owns `table` of an entry written as a plain value
};

struct KeyReader::Found {
  const toml::node* node;  // nullptr: not given
  std::string name;        // as written, perhaps NAME_deg
  double factor = 1.0;     // to SI units
};

namespace {

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return fmt::format("text \"{}\"", node.as_string()->get());
    case toml::node_type::integer:
      return fmt::format("the number {}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", node.as_floating_point()->get());
    case toml::node_type::boolean:
      return node.as_boolean()->get() ? "true" : "false";
    case toml::node_type::array:
      return fmt::format("an array of {}", node.as_array()->size());
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::string with_unit(const Key& key) { return key.unit.empty() ? "" : fmt::format(" [{}]", key.unit); }

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string count_text(const Count& count) {
  std::string text = fmt::format("{} number{}", count.exactly, count.exactly == 1 ? "" : "s");
  if (count.or_exactly >= 0) text += fmt::format(" or {}", count.or_exactly);
  if (count.one_for_all && count.exactly > 1) text += ", or one for all";
  if (count.exactly < 0) return count.one_for_all ? "a number, or an array of them" : "an array of numbers";
  return text;
}

}  // namespace

KeyReader::KeyReader(const Document& document) : document_(document), old_(old_keys_in(document)) {
  levels_.push_back({"", &document.content().root, {}, false, {}});
}
KeyReader::~KeyReader() = default;

std::string KeyReader::path(std::string_view name) const {
  const std::string& table = levels_.back().path;
  return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

void KeyReader::complain(const std::string& dotted, std::string_view what, std::string_view fix) {
  const auto old = std::ranges::find(old_, dotted, &OldKey::is);
  const std::string& at = old != old_.end() && !document_.contains(dotted) ? old->was : dotted;  // where it is written
  problems_.emplace_back(document_.line(at), fmt::format("{}: {}: {}", document_.place(at), what, fix));
}

std::vector<std::string> KeyReader::problems() const {
  auto sorted = problems_;
  std::ranges::stable_sort(sorted, {}, &std::pair<unsigned, std::string>::first);
  std::vector<std::string> texts;
  for (auto& [line, text] : sorted) texts.push_back(std::move(text));
  return texts;
}

bool KeyReader::is_given(std::string_view name) const {
  return levels_.back().table && levels_.back().table->contains(name);
}

void KeyReader::reject(std::string_view name, std::string_view what, std::string_view fix) {
  levels_.back().known.emplace_back(name);  // not unknown as well
  complain(path(name), what, fix);
}

KeyReader::Found KeyReader::find(const Key& key) {
  Level& level = levels_.back();
  level.known.emplace_back(key.name);
  const std::string in_degrees = std::string(key.name) + "_deg";
  if (key.degrees) level.known.push_back(in_degrees);
  if (const Found old = find_old(key); old.node) return old;
  if (!level.table) return {nullptr, "", 1.0};
  const toml::node* plain = level.table->get(key.name);
  const toml::node* degrees = key.degrees ? level.table->get(in_degrees) : nullptr;
  if (plain && degrees)
    complain(path(in_degrees), fmt::format("{} and {} are both given", key.name, in_degrees), "keep one of them");
  if (degrees) return {degrees, in_degrees, std::numbers::pi / 180.0};
  return {plain, std::string(key.name), 1.0};
}

// A key under its old name is a problem; its value is read all the same, so that it makes no others.
KeyReader::Found KeyReader::find_old(const Key& key) {
  for (const OldKey& old : old_) {
    const bool degrees = key.degrees && old.is == path(key.name) + "_deg";
    if (!degrees && old.is != path(key.name)) continue;
    told_.push_back(old.was);
    complain(old.was, fmt::format("{} is called {} now", old.was, old.is),
             document_.contains(old.is) ? fmt::format("{} is given as well: remove {}", old.is, old.was)
                                        : fmt::format("rename it, or run sinew upgrade {}", document_.file()));
    return {document_.content().root.at_path(old.was).node(), old.is.substr(old.is.rfind('.') + 1),
            degrees ? std::numbers::pi / 180.0 : 1.0};
  }
  return {nullptr, "", 1.0};
}

void KeyReader::wrong_type(const Key& key, const Found& found, std::string_view needs, std::string_view more) {
  const bool degrees = found.factor != 1.0;
  complain(path(found.name), fmt::format("{} is {}", path(found.name), kind_of(*found.node)),
           fmt::format("it needs {}{}{}", needs, degrees ? " in degrees" : with_unit(key), more));
}

bool KeyReader::in_range(const Key& key, double given) {
  if (key.range.contains(given)) return true;
  const std::string range = key.range.text();
  complain(path(key.name), fmt::format("{} is {}{}", path(key.name), given, with_unit(key)),
           range.empty() ? "it must be a finite number" : fmt::format("it must be {}", range));
  return false;
}

void KeyReader::number(const Key& key, double& value) {
  const Found found = find(key);
  if (!found.node) return;
  std::string problem;
  const auto given = number_in(*found.node, document_.content().parameters, problem);
  if (!given)
    wrong_type(key, found, "a number", problem);
  else if (const double x = found.factor == 1.0 ? *given : *given * found.factor; in_range(key, x))
    value = x;
}

void KeyReader::integer(const Key& key, int& value) {
  const Found found = find(key);
  if (!found.node) return;
  std::string problem;
  const bool is_text = found.node->is_string();
  const auto given = is_text || found.node->is_integer()
                         ? number_in(*found.node, document_.content().parameters, problem)
                         : std::optional<double>();
  if (!given || *given != std::floor(*given))
    wrong_type(key, found, "a whole number", problem);
  else if (std::abs(*given) > 2e9)
    complain(path(key.name), fmt::format("{} is {:.0f}", path(key.name), *given), "it is too large");
  else if (in_range(key, *given))
    value = int(*given);
}

void KeyReader::flag(const Key& key, bool& value) {
  const Found found = find(key);
  if (!found.node) return;
  if (const auto given = found.node->value_exact<bool>())
    value = *given;
  else
    wrong_type(key, found, "true or false");
}

void KeyReader::text(const Key& key, std::string& value) {
  const Found found = find(key);
  if (!found.node) return;
  if (const auto given = found.node->value_exact<std::string>())
    value = *given;
  else
    wrong_type(key, found, "text in quotes");
}

void KeyReader::choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) {
  const Found found = find(key);
  if (!found.node) return;
  const auto given = found.node->value_exact<std::string>();
  const auto options = strings(allowed);
  if (!given) {
    wrong_type(key, found, "one of " + sim::join(options));
    return;
  }
  const auto match = std::ranges::find(options, *given);
  if (match != options.end())
    chosen = int(match - options.begin());
  else
    complain(path(key.name), fmt::format("{} is \"{}\"", path(key.name), *given),
             fmt::format("{}{}it must be one of {}", sim::now_called(key.name, *given),
                         sim::did_you_mean(*given, options), sim::join(options)));
}

void KeyReader::numbers(const Key& key, const Count& count, std::vector<double>& values) {
  const Found found = find(key);
  if (!found.node) return;
  std::vector<double> given;
  std::string problem;
  bool sound = true;
  const auto add = [&](const toml::node& entry, int times) {
    const auto x = number_in(entry, document_.content().parameters, problem);
    sound = sound && x;
    if (x) given.insert(given.end(), std::size_t(times), *x);
  };
  if (const toml::array* array = found.node->as_array())
    for (const toml::node& entry : *array) add(entry, 1);
  else if (count.one_for_all)
    add(*found.node, std::max(count.exactly, 1));
  else
    sound = false;
  if (!sound) {
    wrong_type(key, found, count_text(count), problem);
    return;
  }
  const int n = int(given.size());
  if (count.exactly >= 0 && n != count.exactly && n != count.or_exactly) {
    wrong_type(key, found, count_text(count));
    return;
  }
  for (double& x : given) {
    if (found.factor != 1.0) x *= found.factor;
    if (!in_range(key, x)) return;
  }
  values = std::move(given);
}

void KeyReader::texts(const Key& key, std::vector<std::string>& values) {
  const Found found = find(key);
  if (!found.node) return;
  std::vector<std::string> given;
  const toml::array* array = found.node->as_array();
  const auto is_text = [](const toml::node& n) { return n.is_string(); };
  if (const auto single = found.node->value_exact<std::string>())
    given.push_back(*single);
  else if (!array || !std::ranges::all_of(*array, is_text)) {
    wrong_type(key, found, "an array of texts in quotes");
    return;
  }
  if (array)
    for (const toml::node& entry : *array) given.push_back(entry.as_string()->get());
  values = std::move(given);
}

bool KeyReader::shorthand(const Key& key, std::span<const std::string_view>, double& value) {
  number(key, value);
  return is_given(key.name);
}

void KeyReader::open(std::string_view name, std::string_view) {
  Level next{path(name), nullptr, {}, false, {}};
  Level& level = levels_.back();
  level.known.emplace_back(name);
  const toml::node* node = level.table ? level.table->get(name) : nullptr;
  if (node && node->is_table())
    next.table = node->as_table();
  else if (node && !level.shorthand.empty()) {
    next.from_shorthand = std::make_shared<toml::table>();
    next.from_shorthand->insert(level.shorthand, *node);
    next.table = next.from_shorthand.get();
  } else if (node)
    complain(next.path, fmt::format("{} is {}", next.path, kind_of(*node)),
             fmt::format("it must be a table: write [{}] on a line and its keys below", next.path));
  levels_.push_back(std::move(next));
}

void KeyReader::close() {
  check_unknown(levels_.back());
  levels_.pop_back();
}

void KeyReader::finish() {
  while (!levels_.empty()) close();
}

std::vector<std::string> KeyReader::names(std::span<const std::string>, std::string_view shorthand) {
  Level& level = levels_.back();
  level.any_name = true;
  level.shorthand = shorthand;
  if (!level.table) return {};
  // TOML++ sorts a table's keys by name; the order in the file is the order in which they were written
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& [key, node] : *level.table) {
    const std::string name(key.str());
    if (is_name(name))
      found.emplace_back(document_.rank(path(name)), name);
    else
      reject(name, fmt::format("\"{}\" is no name", name), "names are made of letters, digits, _ and -");
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::uint64_t, std::string>::first);
  std::vector<std::string> names;
  for (auto& [rank, name] : found) names.push_back(std::move(name));
  return names;
}

void KeyReader::check_unknown(const Level& level) {
  if (!level.table || level.any_name) return;
  const std::string here = level.path.empty() ? "at the top of the file" : fmt::format("in [{}]", level.path);
  std::vector<std::string> allowed;
  for (const std::string& name : level.known)
    if (std::ranges::find(allowed, name) == allowed.end()) allowed.push_back(name);
  for (const auto& [key, node] : *level.table) {
    const std::string name(key.str());
    if (std::ranges::find(allowed, name) != allowed.end()) continue;
    const std::string dotted = level.path.empty() ? name : level.path + "." + name;
    if (std::ranges::find(told_, dotted) != told_.end()) continue;
    const std::string base = name.ends_with("_deg") ? name.substr(0, name.size() - 4) : "";
    if (std::ranges::find(allowed, base) != allowed.end())
      complain(dotted, fmt::format("{} is no angle {}", base, here), fmt::format("use {} in SI units", base));
    else
      complain(dotted, fmt::format("unknown key {} {}", name, here),
               fmt::format("{}allowed here: {}", sim::did_you_mean(name, allowed), sim::join(allowed)));
  }
}

}  // namespace sinew::text
