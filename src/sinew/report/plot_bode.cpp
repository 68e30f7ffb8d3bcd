#include "sinew/report/plot_bode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::report {
namespace {

constexpr int points = 400;
constexpr double least_share = 0.05;  // of its strongest frequency that an input must have to count
constexpr double still = 0.02;        // share of its largest change that an answer may still make at the end

std::complex<double> spectrum(std::span<const double> t, std::span<const double> x, double f) {
  std::complex<double> sum = 0.0;
  for (std::size_t k = 0; k + 1 < x.size(); k++)
    if (x[k + 1] != x[k]) sum += (x[k + 1] - x[k]) * std::polar(1.0, -2.0 * std::numbers::pi * f * t[k]);
  return sum;
}

double largest_change(std::span<const double> x) {
  double most = 0.0;
  for (std::size_t k = 0; k + 1 < x.size(); k++) most = std::max(most, std::abs(x[k + 1] - x[k]));
  return most;
}

std::size_t find(const Traces& traces, const std::string& name, const std::string& place) {
  const auto found = std::ranges::find(traces.names, name);
  if (found == traces.names.end())
    throw InputError(fmt::format("{}: no signal is named \"{}\": {}see sinew export {}", place, name,
                                 sim::did_you_mean(name, traces.names), place));
  return std::size_t(found - traces.names.begin());
}

}  // namespace

Response frequency_response(std::span<const double> t, std::span<const double> input, std::span<const double> output) {
  SINEW_CHECK(t.size() == input.size() && t.size() == output.size(), "frequency_response: ", t.size(), " times, ",
              input.size(), " and ", output.size(), " numbers");
  Response out;
  if (t.size() < 8) return out;
  const double least = 1.0 / (t.back() - t.front()), most = 0.25 * double(t.size() - 1) / (t.back() - t.front());
  std::vector<std::complex<double>> given;
  double strongest = 0.0;
  for (int i = 0; i < points; i++) {
    out.frequency.push_back(least * math::pow(most / least, i / double(points - 1)));
    given.push_back(spectrum(t, input, out.frequency.back()));
    strongest = std::max(strongest, std::abs(given.back()));
  }
  std::vector<double> kept;
  for (int i = 0; i < points; i++) {
    if (!(std::abs(given[std::size_t(i)]) > least_share * strongest)) continue;
    kept.push_back(out.frequency[std::size_t(i)]);
    out.transfer.push_back(spectrum(t, output, kept.back()) / given[std::size_t(i)]);
  }
  out.frequency = std::move(kept);
  if (out.transfer.empty()) return out;
  const double moved = input.back() - input.front();
  const bool has_moved = std::abs(moved) > 1e-6 * strongest;
  out.at_rest = has_moved ? std::abs((output.back() - output.front()) / moved) : std::abs(out.transfer[0]);
  return out;
}

double bandwidth_of(const Response& response) {
  for (std::size_t i = 1; i < response.transfer.size(); i++) {
    const double limit = response.at_rest / std::numbers::sqrt2;
    const double before = std::abs(response.transfer[i - 1]), now = std::abs(response.transfer[i]);
    if (now >= limit || before < limit) continue;
    const double share = math::log(before / limit) / math::log(before / now);
    return response.frequency[i - 1] * math::pow(response.frequency[i] / response.frequency[i - 1], share);
  }
  return 0.0;
}

figure::Figure plot_bode(const Traces& traces, const BodePlan& plan, const std::string& place) {
  const std::vector<std::string> names = sim::split_names(plan.signals);
  if (names.size() != 2)
    throw InputError(
        fmt::format("--bode {}: give two signals, what is asked and what answers: --bode INPUT,OUTPUT", plan.signals));
  const std::vector<double> t = traces.read(find(traces, "t", place)), x = traces.read(find(traces, names[0], place)),
                            y = traces.read(find(traces, names[1], place));
  if (t.size() < 8) throw InputError(fmt::format("{}: {} rows are too few: record more often", place, t.size()));
  if (largest_change(x) == 0.0)
    throw InputError(
        fmt::format("{}: {} does not move, so nothing can answer to it: let it jump or sweep", place, names[0]));
  const std::span<const double> end = std::span(y).last(std::max<std::size_t>(2, y.size() / 50));
  if (largest_change(end) > still * largest_change(y) && largest_change(std::span(x).last(end.size())) == 0.0)
    throw InputError(fmt::format("{}: {} still moves when the recording ends: run it longer", place, names[1]));
  const Response response = frequency_response(t, x, y);
  figure::Panel magnitude{{"frequency", "Hz", true}, {"magnitude", "dB"}, {}};
  figure::Panel phase{{"frequency", "Hz", true}, {"phase", "deg"}, {}};
  figure::Curve gain{fmt::format("{} / {}", names[1], names[0]), {}, {}}, angle = gain;
  double before = 0.0;
  for (std::size_t i = 0; i < response.frequency.size(); i++) {
    double turn = std::arg(response.transfer[i]) * (180.0 / std::numbers::pi);
    if (i > 0) turn += 360.0 * std::round((before - turn) / 360.0);
    before = turn;
    for (figure::Curve* curve : {&gain, &angle}) curve->x.push_back(math::log10(response.frequency[i]));
    gain.y.push_back(20.0 * math::log10(std::abs(response.transfer[i])));
    angle.y.push_back(turn);
  }
  magnitude.curves.push_back(std::move(gain));
  phase.curves.push_back(std::move(angle));
  const double bandwidth = bandwidth_of(response);
  std::string subtitle = plan.subtitle;
  if (bandwidth > 0.0) subtitle += fmt::format("{}-3 dB at {:.4g} Hz", subtitle.empty() ? "" : ", ", bandwidth);
  return {plan.title, subtitle, {std::move(magnitude), std::move(phase)}};
}

}  // namespace sinew::report
