// A checkpoint is one line "sinew checkpoint 1 CHECKSUM", then CBOR. The checksum finds damage; what is hostile is found
// because nothing is taken that does not fit the model that the scenario makes.
#include "sinew/report/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/text/document.h"
#include "sinew/text/list_keys.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"

namespace sinew::report {
namespace {

using Json = nlohmann::json;
constexpr std::string_view magic = "sinew checkpoint 1 ";

std::uint64_t checksum(std::string_view bytes) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

// Stops at the depth that no checkpoint has; a parser that recurses could be led off its stack.
class DepthGuard : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool key(std::string&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ < 8; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return ++depth_ < 8; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  int depth_ = 0;
};

std::vector<double> bounces_of(const Bounces<double>& b) {
  std::vector<double> numbers;
  for_each_bounce(b, [&](double x) { numbers.push_back(x); });
  return numbers;
}

Json to_json(const State<double>& s) {
  const Work<double>& w = s.work;
  Json j = {{"t", s.t},
            {"steps", s.steps},
            {"bounces", bounces_of(s.bounces)},
            {"dt", s.dt},
            {"solver", {s.iterations, s.residual}},
            {"work", {w.actuators, w.external, w.damping, w.friction, w.impact, w.start}}};
  for_each_list(s, [&](const char* name, const std::vector<double>& list) {
    if (&list != &s.memory) j[name] = list;  // stands by itself, block by block
  });
  return j;
}

// The blocks by their names, in order.
Json to_json(const std::vector<MemoryBlock>& blocks, const std::vector<double>& memory) {
  Json j = Json::array();
  auto next = memory.begin();
  for (const MemoryBlock& block : blocks) {
    j.push_back({block.name, std::vector<double>(next, next + block.size)});
    next += block.size;
  }
  return j;
}

void memory_from(const Json& j, std::vector<MemoryBlock>& blocks, std::vector<double>& memory) {
  for (const Json& block : j) {
    const auto values = block.at(1).get<std::vector<double>>();
    blocks.push_back({block.at(0).get<std::string>(), int(values.size())});
    memory.insert(memory.end(), values.begin(), values.end());
  }
}

Json to_json(const sim::RunTotals& t) {
  return {t.normal,   t.contacts, t.penetration, t.outside,    t.friction,  t.torque,    t.t_mark,      t.start[0],
          t.start[1], t.start[2], t.mark[0],     t.mark[1],    t.mark[2],   t.saturated, t.weight,      t.settled,
          t.deep,     t.sliding,  t.changed,     t.stick_time, t.slip_time, t.slide,     t.slide_before};
}

sim::RunTotals totals_from(const Json& j) {
  const auto n = j.get<std::array<double, 23>>();
  return {n[0],
          n[1],
          n[2],
          n[3],
          n[4],
          n[5],
          n[13],
          Vec3d(n[7], n[8], n[9]),
          Vec3d(n[10], n[11], n[12]),
          n[6],
          n[14],
          n[15],
          n[16],
          n[17],
          n[18],
          n[19],
          n[20],
          n[21],
          n[22]};
}

State<double> state_from(const Json& j) {
  State<double> s;
  j.at("t").get_to(s.t);
  j.at("steps").get_to(s.steps);
  j.at("dt").get_to(s.dt);
  for_each_list(s, [&](const char* name, std::vector<double>& list) {
    if (j.contains(name)) j.at(name).get_to(list);  // what is missing does not fit
  });
  const auto solver = j.at("solver").get<std::array<double, 2>>();
  s.iterations = solver[0];
  s.residual = solver[1];
  std::vector<double> bounces = j.at("bounces").get<std::vector<double>>();
  bounces.resize(10 + std::size_t(Bounces<double>::most), 0.0);
  auto next = bounces.begin();
  for_each_bounce(s.bounces, [&](double& x) { x = *next++; });
  const auto w = j.at("work").get<std::array<double, 6>>();
  s.work = {w[0], w[1], w[2], w[3], w[4], w[5]};
  return s;
}

Json to_json(const sim::Progress& p) {
  Json j = {{"k", p.k},
            {"state", to_json(p.state)},
            {"torque", p.torque},
            {"drive", p.drive},
            {"iterations", p.iterations},
            {"iterations_max", p.solver.iterations_max},
            {"residual_max", p.solver.residual_max},
            {"unconverged_steps", p.solver.unconverged_steps},
            {"gap_max", p.solver.gap_max},
            {"tally", to_json(p.totals)},
            {"impacts",
             {p.totals.impact_times, p.totals.impact_losses, p.totals.lost, p.totals.pushed, p.totals.impact_points}},
            {"statistics", Json::array()},
            {"next_at", p.next_at},
            {"snapshots", Json::array()},
            {"samples", p.samples},
            {"watch", {p.watch.potential_start, p.watch.scale, p.watch.floor, p.watch.taken}},
            {"top_speed", p.top_speed},
            {"through", p.totals.through}};
  if (p.unsolved) j["unsolved"] = {p.unsolved->t, p.unsolved->residual, p.unsolved->pair, p.unsolved->axis};
  for (const sim::Statistics& s : p.statistics)
    j["statistics"].push_back({s.first, s.last, s.max, s.min, s.integral, s.start});
  for (const auto& s : p.snapshots)
    j["snapshots"].push_back(s ? Json{{"t", s->t}, {"q", s->q}, {"u", s->u}, {"results", s->results}} : Json());
  return j;
}

sim::Progress progress_from(const Json& j) {
  sim::Progress p;
  p.state = state_from(j.at("state"));
  j.at("torque").get_to(p.torque);
  if (j.contains("drive")) j.at("drive").get_to(p.drive);
  j.at("k").get_to(p.k);
  j.at("iterations").get_to(p.iterations);
  j.at("iterations_max").get_to(p.solver.iterations_max);
  j.at("residual_max").get_to(p.solver.residual_max);
  j.at("unconverged_steps").get_to(p.solver.unconverged_steps);
  j.at("gap_max").get_to(p.solver.gap_max);
  j.at("next_at").get_to(p.next_at);
  j.at("samples").get_to(p.samples);
  p.totals = totals_from(j.at("tally"));
  const Json& impacts = j.at("impacts");
  impacts.at(0).get_to(p.totals.impact_times);
  impacts.at(1).get_to(p.totals.impact_losses);
  impacts.at(2).get_to(p.totals.lost);
  impacts.at(3).get_to(p.totals.pushed);
  impacts.at(4).get_to(p.totals.impact_points);
  const auto watch = j.at("watch").get<std::array<double, 4>>();
  p.watch = {watch[0], watch[1], watch[2], watch[3]};
  p.top_speed = j.value("top_speed", 0.0);  // files of earlier versions have none
  p.totals.through = j.value("through", 0.0);
  if (j.contains("unsolved")) {
    const Json& u = j["unsolved"];
    p.unsolved = sim::Unsolved{u.at(0).get<double>(), u.at(1).get<double>(), u.at(2).get<int>(), u.at(3).get<int>()};
  }
  for (const Json& s : j.at("statistics")) {
    sim::Statistics& to = p.statistics.emplace_back();
    s.at(0).get_to(to.first);
    s.at(1).get_to(to.last);
    s.at(2).get_to(to.max);
    s.at(3).get_to(to.min);
    s.at(4).get_to(to.integral);
    s.at(5).get_to(to.start);
  }
  for (const Json& s : j.at("snapshots")) {
    auto& to = p.snapshots.emplace_back();
    if (s.is_null()) continue;
    to.emplace();
    s.at("t").get_to(to->t);
    s.at("q").get_to(to->q);
    s.at("u").get_to(to->u);
    s.at("results").get_to(to->results);
  }
  return p;
}

[[noreturn]] void refuse(const std::string& file, const std::string& what, const std::string& fix) {
  throw InputError(fmt::format("{}: {}: {}", file, what, fix));
}

// Every key with its value; the duration is what may change.
std::map<std::string, std::string> values_of(sim::Scenario scenario) {
  text::make_paths_absolute(scenario);
  text::KeyLister lister;
  describe(lister, scenario);
  std::map<std::string, std::string> values;
  for (const text::KeyEntry& entry : lister.entries) values[entry.dotted()] = entry.value;
  for (const char* free : {"duration", "title", "source"}) values.erase(free);
  return values;
}

bool are_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

// All sizes are those that a run of the scenario would have.
bool fits(const sim::Progress& p, const sim::Experiment& experiment, const World<double>& world) {
  const sim::Scenario& scenario = experiment.scenario;
  const Model& model = world.model();
  const State<double>&s = p.state, &w = world.state;
  bool finite = s.dt >= 0.0;
  for_each_list(s, [&](const char*, const std::vector<double>& list) { finite = finite && are_finite(list); });
  if (!finite || list_sizes(s) != list_sizes(w)) return false;
  if (!are_finite(p.torque) || (!p.torque.empty() && p.torque.size() != world.input.torque.size())) return false;
  if (!are_finite(p.drive) || (!p.drive.empty() && p.drive.size() != world.input.drive.size())) return false;
  if (p.k < 0 || p.samples < 0 || double(p.k) * scenario.step != s.t) return false;
  const std::vector<ResultPlan>& results = experiment.results();
  if (p.statistics.size() != results.size() || p.snapshots.size() != scenario.at.size() ||
      p.next_at > scenario.at.size())
    return false;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < results.size(); i++) {
    const sim::Statistics& s = p.statistics[i];
    const std::size_t size = experiment.formulas()[i].components.size();
    const std::size_t looked = s.first.empty() ? 0 : size;  // none before the result's `from`
    for (const auto* list : {&s.first, &s.last, &s.max, &s.min, &s.integral})
      if (list->size() != looked) return false;
    const std::size_t known = results[i].known.size();
    sizes.push_back(known > 0 ? known : sim::find_run_quantity(results[i].signal) ? 1 : size);
    if (results[i].over != Over::Each) sizes.back() = std::min(sizes.back(), std::size_t(1));  // all as one
  }
  for (const auto& snapshot : p.snapshots) {
    if (!snapshot) continue;
    if (snapshot->results.size() != sizes.size()) return false;
    for (std::size_t i = 0; i < sizes.size(); i++)
      if (snapshot->results[i].size() != sizes[i]) return false;
  }
  return !p.unsolved || (p.unsolved->pair < model.pair_count() && p.unsolved->axis < int(model.axis_rows.size()));
}

}  // namespace

Checkpoint make_checkpoint(const sim::Experiment& experiment, const sim::Progress& progress,
                           const std::string& version) {
  const sim::Scenario& scenario = experiment.scenario;
  return {version, scenario.name, text::show_to_store(scenario), scenario.seed, experiment.model().memory, progress};
}

void write_checkpoint(const std::string& file, const Checkpoint& c) {
  const Json json = {{"version", c.version},
                     {"name", c.name},
                     {"scenario", c.scenario},
                     {"seed", c.seed},
                     {"memory", to_json(c.memory, c.progress.state.memory)},
                     {"progress", to_json(c.progress)}};
  std::string bytes;
  Json::to_cbor(json, bytes);
  write_file(file, checkpoint_file, fmt::format("{}{:016x}\n", magic, checksum(bytes)) + bytes);
}

Checkpoint read_checkpoint(const std::string& file, const std::string& version) {
  const std::string text = text::read_text(file);
  const std::string again = "write a new one with sinew run SCENARIO --checkpoint FILE --every SECONDS";
  const std::size_t head = magic.size() + 17;
  if (!text.starts_with(magic) || text.size() < head) refuse(file, "this is no checkpoint of sinew", again);
  const std::string_view bytes = std::string_view(text).substr(head);
  if (text.substr(magic.size(), 17) != fmt::format("{:016x}\n", checksum(bytes)))
    refuse(file, "the checkpoint is damaged", again);
  DepthGuard guard;
  Checkpoint c;
  try {
    if (!Json::sax_parse(bytes, &guard, Json::input_format_t::cbor)) refuse(file, "the checkpoint is damaged", again);
    const Json json = Json::from_cbor(bytes);
    json.at("version").get_to(c.version);
    if (c.version != version)
      refuse(file, fmt::format("the checkpoint is of sinew {}, this is sinew {}", c.version, version),
             "go on with the version that wrote it, or run again from the start");
    json.at("name").get_to(c.name);
    json.at("scenario").get_to(c.scenario);
    json.at("seed").get_to(c.seed);
    c.progress = progress_from(json.at("progress"));
    if (json.contains("memory")) memory_from(json["memory"], c.memory, c.progress.state.memory);
  } catch (const nlohmann::detail::exception&) {
    refuse(file, "the checkpoint is damaged", again);
  }
  return c;
}

sim::Experiment experiment_of(const Checkpoint& checkpoint, const std::string& file,
                              std::span<const std::string> sets) {
  sim::Experiment experiment = text::parse_experiment(checkpoint.scenario, file + " (scenario)", sets);
  experiment.scenario.name = checkpoint.name;
  experiment.scenario.seed = checkpoint.seed;
  return experiment;
}

void check_resume(const Checkpoint& checkpoint, const std::string& file, const sim::Experiment& experiment) {
  const sim::Scenario& scenario = experiment.scenario;
  const auto before = values_of(text::parse_header(checkpoint.scenario, file + " (scenario)")),
             now = values_of(scenario);
  std::vector<std::string> problems;
  const auto compare = [&](const std::string& key, const std::string& was, const std::string& is) {
    if (was != is)
      problems.push_back(
          fmt::format("{}: another model: {} was {} when it was written and is {} now: only the duration "
                      "may change",
                      file, key, was, is));
  };
  const auto value_or_none = [](const auto& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::string("not there") : found->second;
  };
  for (const auto& [key, value] : before) compare(key, value, value_or_none(now, key));
  for (const auto& [key, value] : now)
    if (!before.contains(key)) compare(key, "not there", value);
  if (checkpoint.seed != scenario.seed) compare("seed", std::to_string(checkpoint.seed), std::to_string(scenario.seed));
  if (problems.size() > 5) {
    problems[5] = fmt::format("{}: and {} keys more: see sinew show", file, problems.size() - 5);
    problems.resize(6);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  const sim::Progress& p = checkpoint.progress;
  const World<double> world = experiment.world();
  if (checkpoint.memory.empty() && !world.model().memory.empty())
    refuse(file, "it is of a sinew that did not store what controllers remember", "run again from the start");
  if (checkpoint.memory != world.model().memory || !fits(p, experiment, world))
    refuse(file, "what is stored does not fit its own model", "run again from the start");
  if (p.state.t > scenario.duration)
    refuse(file,
           fmt::format("it is of t = {:.6g} s, after the end of the run at {:.6g} s", p.state.t, scenario.duration),
           "ask for a later end with --until");
}

}  // namespace sinew::report
