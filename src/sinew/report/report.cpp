#include "sinew/report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sinew::report {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keeps the order of insertion; writes NaN and infinity as null

OrderedJson number_or_vector(const std::vector<double>& values, bool is_vector) {
  return is_vector ? OrderedJson(values) : OrderedJson(values.at(0));
}

// One array per quantity, an entry per time asked for; null where the run ended before.
OrderedJson snapshots(const sim::RunResult& r) {
  OrderedJson at = {{"t", r.at}, {"q", OrderedJson::array()}, {"u", OrderedJson::array()}};
  for (const auto& s : r.snapshots) {
    at["q"].push_back(s ? OrderedJson(s->q) : OrderedJson());
    at["u"].push_back(s ? OrderedJson(s->u) : OrderedJson());
  }
  for (std::size_t i = 0; i < r.results.size(); i++) {
    if (r.results[i].is_measured) continue;
    OrderedJson values = OrderedJson::array();
    for (const auto& s : r.snapshots)
      values.push_back(s ? number_or_vector(s->results[i], r.results[i].is_vector) : OrderedJson());
    at[r.results[i].name] = std::move(values);
  }
  return at;
}

}  // namespace

std::string to_json(const sim::RunResult& r, double wall_s, const std::string& version, const std::string& recording) {
  OrderedJson result = OrderedJson::object();
  for (const sim::ResultValue& value : r.results)
    result[value.name] = value.is_wall_time ? OrderedJson(wall_s) : number_or_vector(value.values, value.is_vector);
  if (!r.at.empty()) result["at"] = snapshots(r);
  OrderedJson json = {{"sinew", version},
                      {"scenario", r.scenario},
                      {"seed", r.seed},
                      {"time", {{"end", r.end}, {"step", r.step}, {"steps", r.steps}}},
                      {"wall_s", wall_s},
                      {"real_time_factor", wall_s > 0.0 ? r.end / wall_s : 0.0},
                      {"solver",
                       {{"iterations_mean", r.solver.iterations_mean},
                        {"iterations_max", r.solver.iterations_max},
                        {"residual_max", r.solver.residual_max},
                        {"unconverged_steps", r.solver.unconverged_steps}}},
                      {"energy",
                       {{"kinetic", r.energy.kinetic},
                        {"potential", r.energy.potential},
                        {"elastic", r.energy.elastic},
                        {"work_actuators", r.work.actuators},
                        {"work_external", r.work.external},
                        {"dissipated_friction", r.work.friction},
                        {"dissipated_damping", r.work.damping},
                        {"dissipated_impact", r.work.impact},
                        {"balance_error", r.balance_error}}},
                      {"result", result},
                      {"hash", fmt::format("{:016x}", r.hash)},
                      {"recording", recording.empty() ? OrderedJson() : OrderedJson(recording)}};
  if (r.drives.has_drives) {
    OrderedJson& energy = json["energy"];
    energy["work_electrical"] = r.drives.electrical;
    energy["work_drives"] = r.drives.work;
    energy["dissipated_copper"] = r.drives.copper;
    energy["dissipated_drives"] = r.drives.friction;
    energy["stored_electrical"] = r.drives.magnetic;
    energy["stored_drives"] = r.drives.mechanical;
    energy["drives_error"] = r.drives.error;
  }
  if (!r.drive_remarks.empty()) json["drives"] = r.drive_remarks;
  if (!r.drive_doubt.empty()) json["drives_doubt"] = r.drive_doubt;
  if (!r.remark.empty()) json["remark"] = r.remark;  // only where there is one
  if (const auto& d = r.diagnosis)
    json["failure"] = {
        {"time", d->t}, {"what", d->what}, {"place", d->place}, {"cause", d->cause}, {"advice", d->advice}};
  // text that is not UTF-8, such as an odd file name, must not stop the report
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace sinew::report
