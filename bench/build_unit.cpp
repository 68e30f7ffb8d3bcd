// What scripts/measure_build compiles to have a unit of processor time that is the same for every commit. It takes standard
// headers, templates and loops as the rest of the repository does, but includes nothing of it, and nothing runs it. Never change
// it: all quotients that were written down would lose their meaning.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace unit {

template <int Rows, int Columns>
struct Matrix {
  std::array<double, std::size_t(Rows) * Columns> values{};
  double& operator()(int row, int column) { return values[std::size_t(row * Columns + column)]; }
  double operator()(int row, int column) const { return values[std::size_t(row * Columns + column)]; }
};

template <int Rows, int Inner, int Columns>
Matrix<Rows, Columns> operator*(const Matrix<Rows, Inner>& a, const Matrix<Inner, Columns>& b) {
  Matrix<Rows, Columns> product;
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      for (int k = 0; k < Inner; k++) product(i, j) += a(i, k) * b(k, j);
  return product;
}

template <int Size>
std::optional<Matrix<Size, 1>> solve(Matrix<Size, Size> a, Matrix<Size, 1> b) {
  for (int k = 0; k < Size; k++) {
    int pivot = k;
    for (int i = k + 1; i < Size; i++)
      if (a(i, k) * a(i, k) > a(pivot, k) * a(pivot, k)) pivot = i;
    if (a(pivot, k) == 0.0) return std::nullopt;
    for (int j = 0; j < Size; j++) std::swap(a(k, j), a(pivot, j));
    std::swap(b(k, 0), b(pivot, 0));
    for (int i = k + 1; i < Size; i++) {
      const double factor = a(i, k) / a(k, k);
      for (int j = k; j < Size; j++) a(i, j) -= factor * a(k, j);
      b(i, 0) -= factor * b(k, 0);
    }
  }
  for (int k = Size - 1; k >= 0; k--) {
    for (int j = k + 1; j < Size; j++) b(k, 0) -= a(k, j) * b(j, 0);
    b(k, 0) /= a(k, k);
  }
  return b;
}

template <int... Sizes>
double solve_all(double seed, std::integer_sequence<int, Sizes...>) {
  const auto one = [&]<int Size>() {
    Matrix<Size, Size> a;
    Matrix<Size, 1> b;
    for (int i = 0; i < Size; i++) {
      b(i, 0) = seed + i;
      for (int j = 0; j < Size; j++) a(i, j) = i == j ? seed + Size : 1.0 / (1 + i + j);
    }
    const auto x = solve(a * a, a * b);
    return x ? std::accumulate(x->values.begin(), x->values.end(), 0.0) : 0.0;
  };
  return (one.template operator()<Sizes + 1>() + ... + 0.0);
}

double numbers(double seed) { return solve_all(seed, std::make_integer_sequence<int, 12>()); }

using Value = std::variant<double, bool, std::string, std::vector<double>>;

std::map<std::string, Value> read(const std::string& text) {
  static const std::regex line(R"(^\s*([A-Za-z_][\w.]*)\s*=\s*(.*?)\s*(#.*)?$)");
  std::map<std::string, Value> values;
  std::istringstream stream(text);
  for (std::string row; std::getline(stream, row);) {
    std::smatch match;
    if (!std::regex_match(row, match, line)) continue;
    const std::string word = match[2];
    if (word == "true" || word == "false")
      values[match[1]] = word == "true";
    else if (word.starts_with("["))
      values[match[1]] = std::vector<double>{std::stod(word.substr(1))};
    else if (word.starts_with("\""))
      values[match[1]] = word.substr(1);
    else
      values[match[1]] = std::stod(word);
  }
  return values;
}

std::string write(const std::map<std::string, Value>& values) {
  std::ostringstream stream;
  for (const auto& [name, value] : values) {
    stream << name << " = ";
    std::visit(
        [&](const auto& v) {
          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<double>>)
            for (const double x : v) stream << x << ' ';
          else
            stream << v;
        },
        value);
    stream << '\n';
  }
  return stream.str();
}

std::vector<std::string> most_frequent(const std::vector<std::string>& words, std::size_t count) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const std::string& word : words) counts[word]++;
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& entry) { return entry.second; });
  sorted.resize(std::min(count, sorted.size()));
  std::vector<std::string> names;
  std::ranges::transform(sorted, std::back_inserter(names), [](const auto& entry) { return entry.first; });
  return names;
}

}  // namespace unit
