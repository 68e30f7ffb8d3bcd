// What the ring calls taken is on disk here.
#include "sinew/report/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <thread>

#include "sinew/files/errors.h"
#include "sinew/record/writer.h"
#include "sinew/report/scene.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/sample_ring.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/signals.h"
#include "sinew/text/show.h"

namespace sinew::report {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double block = 0.1;                              // simulated time between writes [s]
constexpr double lag = 0.2;                                // the run waits when the disk is that far behind [s]
constexpr auto patience = std::chrono::milliseconds(100);  // between writes of a slow run, for those who watch it

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

struct Recorder::Own {
  Own(const sim::Experiment& experiment, const std::string& file, const std::string& version);

  void write_all();   // the thread
  void write_rows();  // all that is kept
  void wake(Clock::time_point now);
  bool is_too_far(std::uint64_t on_disk, double t) const;  // the run must wait for the disk

  std::string file;
  double every;
  int chunk_rows;
  World<double> world;  // the writer's own, for read-outs
  Observer<double> observer;
  std::vector<sim::Signal> signals;
  std::vector<double> row;
  std::vector<record::Attribute> attributes;

  sim::SampleRing ring;
  std::uint64_t told = 0;  // kept when the writer was last woken
  Clock::time_point last_wake = Clock::now();
  std::atomic<double> durable_t{0.0};
  std::atomic<std::uint32_t> calls{0};  // the writer sleeps on this
  std::atomic<bool> is_made{false}, is_over{false}, has_failed{false};
  std::unique_ptr<record::Writer> writer;
  std::exception_ptr failure;
  std::thread thread;
};

Recorder::Own::Own(const sim::Experiment& experiment, const std::string& file_, const std::string& version)
    : file(file_),
      every(experiment.scenario.every),
      chunk_rows(std::clamp(int(std::floor(block / std::max(every, experiment.scenario.step) + 1e-9)), 1, 4096)),
      world(experiment.world()),
      observer(world.model()),
      signals(experiment.recorded()),
      row(signals.size()),
      ring(world) {
  const sim::Scenario& scenario = experiment.scenario;
  attributes = {{"format", "sinew recording 1"},
                {"name", scenario.name},
                {"title", scenario.title},
                {"source", scenario.source},
                {"scenario", text::show_to_store(scenario)},
                {"scene", scene_json(experiment)},
                {"seed", scenario.seed},
                {"version", version},
                {"compiler", compiler_name()}};
}

void Recorder::Own::write_rows() {
  const std::uint64_t end = ring.kept();
  std::uint64_t i = ring.taken.load(std::memory_order_relaxed);
  if (i == end) return;
  for (; i < end; i++) {
    world.state = ring[i].state;
    world.input = ring[i].input;
    evaluate(signals, world, observer.observe(world), row);
    writer->append(row);
  }
  writer->flush();
  durable_t.store(world.state.t, std::memory_order_relaxed);
  ring.taken.store(end, std::memory_order_release);
  ring.taken.notify_one();
}

void Recorder::Own::write_all() {
  try {
    std::vector<record::Column> columns;
    for (const sim::Signal& s : signals) columns.push_back({s.name, s.unit, s.description});
    writer = std::make_unique<record::Writer>(file, columns, attributes, chunk_rows);
    is_made = true;  // from here on the run waits; the first flush, with what has come together, shows the file
    for (std::uint32_t seen = 0; !is_over; seen = calls.load()) {
      write_rows();
      calls.wait(seen);
    }
    write_rows();
  } catch (...) {
    failure = std::current_exception();
    has_failed = true;
    ring.taken.store(~std::uint64_t(0), std::memory_order_release);  // nobody waits for the disk any more
    ring.taken.notify_one();
  }
}

void Recorder::Own::wake(Clock::time_point now) {
  told = ring.kept();
  last_wake = now;
  calls++;
  calls.notify_one();
}

bool Recorder::Own::is_too_far(std::uint64_t on_disk, double t) const {
  if (on_disk >= ring.kept()) return false;
  return ring.written() - on_disk >= ring.capacity() ||
         (is_made && t - durable_t.load(std::memory_order_relaxed) > std::max(lag - every, 0.0));
}

Recorder::Recorder(const sim::Experiment& experiment, const std::string& file, const std::string& version)
    : own_(std::make_unique<Own>(experiment, file, version)) {
  own_->thread = std::thread([own = own_.get()] { own->write_all(); });
}

Recorder::~Recorder() {
  own_->is_over = true;
  own_->wake(Clock::now());
  if (own_->thread.joinable()) own_->thread.join();
}

void Recorder::look(const World<double>& world) {
  Own& o = *own_;
  for (std::uint64_t on_disk = o.ring.taken; o.is_too_far(on_disk, world.state.t); on_disk = o.ring.taken) {
    o.wake(Clock::now());
    o.ring.taken.wait(on_disk);
  }
  if (!o.has_failed) o.ring.put(world);
}

void Recorder::keep() {
  Own& o = *own_;
  if (!o.ring.keep()) return;
  const auto now = Clock::now();
  if (o.ring.written() - o.told >= std::uint64_t(o.chunk_rows) || now - o.last_wake > patience) o.wake(now);
}

void Recorder::drop() { own_->ring.drop(); }

bool Recorder::wants_to_stop() const { return own_->has_failed; }

void Recorder::finish(const std::string& json) {
  Own& o = *own_;
  o.is_over = true;
  o.wake(Clock::now());
  o.thread.join();
  if (o.failure) std::rethrow_exception(o.failure);
  o.writer->finish(std::vector<record::Attribute>{{"run", json}});
}

std::string new_recording_path(const std::string& scenario_name) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  const std::string base = fmt::format("runs/{}-{:%Y%m%d-%H%M%S}", fs::path(scenario_name).stem().string(), local);
  std::error_code error;
  fs::create_directories("runs", error);
  for (int n = 1; !error && n < 1000; n++) {
    const std::string folder = n == 1 ? base : fmt::format("{}-{}", base, n);
    if (fs::create_directory(folder, error)) return folder + "/recording.h5";
  }
  throw FileError(
      fmt::format("runs: no folder for the recording: {}: go where you may write, or use --out FILE.h5 or "
                  "--no-record",
                  error ? error.message() : "there are too many"));
}

}  // namespace sinew::report
