#include "cli/summary.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/terminal.h"

namespace cli {
namespace {

namespace sim = sinew::sim;

// "  name      text" with the name only on the first line of a block
struct Block {
  std::string text;
  std::string_view name;
  void add(const std::string& line) {
    text += fmt::format("  {:<10}{}\n", name, line);
    name = "";
  }
};

std::string energy_block(const sim::RunResult& r) {
  Block block{"", "energy"};
  const auto term = [&](const char* name, double joules, bool always) {
    if (always || joules != 0.0) block.add(fmt::format("{:<22}{:>14.6g} J", name, joules));
  };
  term("kinetic", r.energy.kinetic, true);
  term("potential", r.energy.potential, true);
  term("elastic", r.energy.elastic, false);
  term("work of actuators", r.work.actuators, false);
  term("work from outside", r.work.external, false);
  term("taken by friction", r.work.friction, false);
  term("taken by damping", r.work.damping, false);
  term("taken by impacts", r.work.impact, false);
  term("unexplained", r.balance_error, true);
  if (r.drives.has_drives) {
    term("drives: electrical", r.drives.electrical, true);
    term("drives: mechanical", r.drives.work, true);
    term("drives: copper", r.drives.copper, false);
    term("drives: friction", r.drives.friction, false);
    term("drives: stored", r.drives.magnetic + r.drives.mechanical, false);
    term("drives: unexplained", r.drives.error, true);
  }
  const double largest = std::max({std::abs(r.energy.kinetic), std::abs(r.energy.potential), std::abs(r.energy.elastic),
                                   std::abs(r.work.actuators), std::abs(r.work.external), r.work.damping,
                                   std::abs(r.work.friction), std::abs(r.work.impact)});
  if (!r.drive_doubt.empty())
    block.add(fmt::format("the unexplained part of drives is large: try integrator.step = {:.2g}", r.step / 4));
  if (std::abs(r.balance_error) > 0.01 * largest && std::abs(r.balance_error) > 1e-9)
    block.add(fmt::format("the unexplained part is large: try integrator.step = {:.2g}", r.step / 4));
  return block.text;
}

// What a robot's journey came to, from the results that it brings; empty: it brings none.
std::string journey_block(const sim::Scenario& scenario, const sim::RunResult& r) {
  const auto number = [&](std::string_view name) {
    const auto is_meant = [&](const sim::ResultValue& v) { return v.of_robot && v.name == name; };
    const auto found = std::ranges::find_if(r.results, is_meant);
    return found == r.results.end() ? std::nan("") : found->values[0];
  };
  const double distance = number("distance");
  if (std::isnan(distance)) return "";
  Block block{"", "journey"};
  const double direction = std::atan2(number("com_dy"), number("com_dx")) * 180.0 / std::numbers::pi;
  block.add(distance > 1e-6 ? fmt::format("{:.4g} m in the direction {:.1f} deg (0: x, 90: y), centre of mass",
                                          distance, std::round(direction * 10.0) / 10.0 + 0.0)
                            : "it stays where it is");
  const double speed = number("com_speed"), heading = number("heading_deg");
  const std::string since = scenario.t_avg_start > 0.0 ? fmt::format(" from {:.4g} s on", scenario.t_avg_start) : "";
  if (!std::isnan(speed)) block.add(fmt::format("mean speed {:.4g} m/s{}", speed, since));
  if (!std::isnan(heading)) block.add(fmt::format("heading {:.4g} deg at the end", heading));
  const double work = number("work_actuators"), cost = number("cost_of_transport");
  if (work != 0.0 && std::isfinite(cost))
    block.add(fmt::format("drives spent {:.4g} J: cost of transport {:.3g}", work, cost));
  return block.text;
}

std::string result_block(const sim::RunResult& r) {
  Block block{"", "result"};
  std::size_t width = 12;
  std::size_t of_robot = 0;
  for (const auto& result : r.results) width = std::max(width, result.name.size() + 2);
  for (const auto& result : r.results) {
    of_robot += result.of_robot ? 1 : 0;
    if (result.of_robot) continue;
    std::string values;
    for (const double x : result.values) values += fmt::format("{:>14.9g}", x) + " ";
    block.add(fmt::format("{:<{}}{}{}", result.name, width, values, result.unit == "1" ? "" : result.unit));
  }
  if (of_robot > 0) block.add(fmt::format("{} numbers of the robot: see --json", of_robot));
  if (!r.at.empty()) block.add(fmt::format("state at {} times: see --json", r.at.size()));
  return block.text;
}

std::string bench_block(const sim::RunResult& r) {
  return fmt::format("  {:<10}{} results; nothing moves, no time passes\n", "bench", r.results.size());
}

std::string hash_line(const sim::RunResult& r) { return fmt::format("  {:<10}{:016x}\n", "hash", r.hash); }

std::string recording_line(const std::string& recording) {
  return recording.empty() ? "" : fmt::format("  {:<10}{}\n", "recording", recording);
}

std::string speed_text(double factor) {
  return factor >= 1.0 ? fmt::format("{:.3g} times faster than real time", factor)
                       : fmt::format("{:.3g} of real time", factor);
}

}  // namespace

std::string summary(const sim::Scenario& scenario, const sim::RunResult& r, double wall_s,
                    const std::string& recording) {
  std::string text = bold(r.scenario, STDOUT_FILENO);
  if (!scenario.title.empty()) text += "  " + scenario.title;
  text += "\n";
  if (r.is_bench) return text + bench_block(r) + result_block(r) + hash_line(r) + recording_line(recording);
  Block block{"", "time"};
  block.add(fmt::format("{:.10g} s in {} steps of {:.6g} s, method {}", r.end, r.steps, r.step, scenario.method));
  block.name = "wall";
  if (wall_s > 0.0 && r.end > 0.0) block.add(fmt::format("{:.3g} s, {}", wall_s, speed_text(r.end / wall_s)));
  if (r.has_loops) {
    block.name = "loops";
    block.add(fmt::format("largest gap {:.2g} (m or rad) before it was closed", r.solver.gap_max));
  }
  if (r.has_contacts) {
    block.name = "contact";
    block.add(fmt::format("{} point{} at the end, normal forces {:.6g} N together", r.contacts.count,
                          r.contacts.count == 1 ? "" : "s", r.contacts.normal));
    block.add(fmt::format("{:.3g} iterations a step, at most {}; worst residual {:.2g} m/s", r.solver.iterations_mean,
                          r.solver.iterations_max, r.solver.residual_max));
    if (r.penalty_parts > 1) {
      block.add(
          fmt::format("penalty forces swing too fast for the step: it is made in {} parts, each the work of a step",
                      r.penalty_parts));
      block.add("faster: contact.law = \"rigid\", or a smaller contact.k");
    }
    if (r.stiff_contacts) {
      block.add("penalty forces swing much too fast for the step: they act as at its end, and nothing bounces");
      block.add("to follow them: integrator.contact_forces = \"explicit\", or a smaller contact.k or step");
    }
  }
  text += block.text + journey_block(scenario, r) + energy_block(r) + result_block(r);
  Block remarks{"", "drives"};
  for (const std::string& line : r.drive_remarks) remarks.add(line);
  text += remarks.text;
  if (!r.remark.empty()) text += fmt::format("  {:<10}{}\n", "remark", r.remark);
  text += hash_line(r) + recording_line(recording);
  if (!recording.empty())
    text += fmt::format("  {:<10}sinew view {}\n  {:<10}sinew plot {} -o plot.svg\n", "see it", recording, "plot it",
                        recording);
  return text;
}

}  // namespace cli
