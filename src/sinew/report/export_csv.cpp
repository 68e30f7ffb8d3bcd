#include "sinew/report/export_csv.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::report {
namespace {

// Signals that jump from one value to the next.
bool is_stepwise(const std::string& name) { return name.ends_with(".state") || name.ends_with(".count"); }

// Names may hold commas or quotes; numbers never do.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

struct Series {
  std::vector<double> values;
  bool stepwise;

  // At the fraction x of the way from row i to the next.
  double between(std::size_t i, double x) const {
    const double a = values[i];
    if (x == 0.0 || i + 1 == values.size()) return a;
    const double b = values[i + 1];
    return stepwise || !std::isfinite(a) || !std::isfinite(b) ? a : a + x * (b - a);
  }
};

}  // namespace

void export_csv(const record::Reader& reader, std::span<const std::size_t> columns, double every,
                const std::function<void(std::string_view)>& write) {
  const std::vector<double> t = reader.read(0);
  std::vector<Series> series;
  std::string text = "t";
  for (const std::size_t c : columns) {
    const std::string& name = reader.columns()[c].name;
    series.push_back({reader.read(c), is_stepwise(name)});
    text += "," + quoted(name);
  }
  text += "\n";
  const auto add = [&](double time, std::size_t i, double x) {
    fmt::format_to(std::back_inserter(text), "{}", time);
    for (const Series& s : series) fmt::format_to(std::back_inserter(text), ",{}", s.between(i, x));
    text += "\n";
    if (text.size() < 1 << 16) return;
    write(text);
    text.clear();
  };
  if (every > 0.0 && !t.empty()) {
    const double near = 1e-9 * every;  // a row is met although its time is rounded
    std::size_t i = 0;
    for (std::int64_t k = 0;; k++) {
      const double time = t.front() + double(k) * every;
      if (!(time <= t.back() + near)) break;
      while (i + 1 < t.size() && t[i + 1] <= time + near) i++;
      const double x = i + 1 < t.size() && time > t[i] + near ? (time - t[i]) / (t[i + 1] - t[i]) : 0.0;
      add(x == 0.0 ? t[i] : time, i, x);
    }
  } else {
    for (std::size_t i = 0; i < t.size(); i++) add(t[i], i, 0.0);
  }
  write(text);
}

}  // namespace sinew::report
