#include "sinew/sim/cases.h"

#include <algorithm>

namespace sinew::sim {
namespace {

// The named entries of the open table: each is described with the values it has.
template <class Entry, class Describe>
void describe_named(Keys& keys, std::vector<Entry>& entries, const Describe& describe_one) {
  std::vector<std::string> present;
  for (const Entry& entry : entries) present.push_back(entry.name);
  std::vector<Entry> read;
  for (const std::string& name : keys.names(present)) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    Entry entry = found == entries.end() ? Entry{} : *found;
    entry.name = name;
    const Table table(keys, name);
    describe_one(entry);
    read.push_back(std::move(entry));
  }
  entries = std::move(read);
}

void describe_expectation(Keys& keys, Expectation& e) {
  const Count one_or_more{.one_for_all = true};
  keys.text({"of", "", "path in result or in the object of sinew run --json; empty: the result NAME"}, e.of);
  if (keys.is_given("value")) e.value = {0.0};  // one of a wrong type is not an empty one as well
  keys.numbers({"value", "", "what is known: one number, or all components"}, one_or_more, e.value);
  keys.numbers({"tolerance", "", "by which the result may differ: one for all components, or one each", not_negative},
               one_or_more, e.tolerance);
  keys.number({"relative", "1", "the same as a part of the value, on top of it", not_negative}, e.relative);
  keys.number({"at_most", "", "instead of a value: bound on the magnitude", not_negative}, e.at_most);
  const bool has_value = keys.is_given("value"), has_bound = keys.is_given("at_most");
  if (has_value == has_bound)
    keys.reject(has_bound ? "at_most" : "value",
                has_value ? "a value and at_most are both given" : "neither a value nor at_most is given",
                "write value and tolerance, or at_most");
  else if (has_value && !keys.is_given("tolerance") && !keys.is_given("relative"))
    keys.reject("value", "the value has no tolerance", "write tolerance, relative, or both");
  else if (has_value && e.value.empty())
    keys.reject("value", "the value is empty", "write a number, or an array of them");
  else if (has_value && e.tolerance.size() != 1 && e.tolerance.size() != e.value.size())
    keys.reject("tolerance", "there are not as many tolerances as values", "write one for all, or one for each");
  for (const char* name : {"tolerance", "relative"})
    if (has_bound && keys.is_given(name))
      keys.reject(name, "at_most has no tolerance", "leave it out, or write a value");
}

void describe_figure(Keys& keys, FigurePlan& f) {
  keys.text({"title", "", "what is seen; empty: the scenario's title"}, f.title);
  keys.text({"paper", "", "figure or page that it is compared with"}, f.paper);
  keys.text({"claim", "", "what that says, in words; stands beside our plot"}, f.claim);
  keys.texts({"panels", "", "signals of each panel, separated by commas; also groups and wildcards; or see boxes"},
             f.panels);
  keys.text({"x", "", "signal they are plotted over"}, f.x);
  keys.texts({"boxes", "", "instead of panels: results that are lists, separated by commas, each as a box plot"},
             f.boxes);
  if (f.panels.empty() == f.boxes.empty() && !f.boxes.empty())
    keys.reject("boxes", "panels and boxes are both given", "leave one of them out");
  if (f.panels.empty() && f.boxes.empty())
    keys.reject("panels", "the figure has no panels", "write panels = [\"signal, signal\"], or boxes");
}

}  // namespace

void describe(Keys& keys, std::vector<Case>& cases) {
  const Table table(keys, "validate", "what is known about the outcome");
  describe_named(keys, cases, [&](Case& c) {
    keys.text({"source", "", "of the numbers; empty: the scenario's source"}, c.source);
    keys.text({"case", "", "name of these numbers in a collection of reference values; validate --json prints it"},
              c.reference);
    keys.texts({"set", "", "KEY=VALUE: what is different in this case, as with --set"}, c.sets);
    {
      const Table expect(keys, "expect", "numbers that must come out");
      describe_named(keys, c.expect, [&](Expectation& e) { describe_expectation(keys, e); });
    }
    const Table figures(keys, "figure", "plots");
    describe_named(keys, c.figures, [&](FigurePlan& f) { describe_figure(keys, f); });
  });
}

}  // namespace sinew::sim
