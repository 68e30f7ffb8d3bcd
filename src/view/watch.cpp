// The stepping thread only copies the state into a ring, and waits for nobody unless it is paused; when the ring is full, a
// row is left out. Another thread works out the signals and talks to the listeners.
#include "view/watch.h"

#include <chrono>
#include <condition_variable>
#include <thread>

#include "sinew/report/scene.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/sample_ring.h"
#include "view/audience.h"
#include "view/messages.h"
#include "view/readout.h"
#include "view/requests.h"

namespace sinew::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double frames = 60.0;  // messages a second
constexpr auto frame_time = std::chrono::microseconds(16667);
constexpr auto state_time = std::chrono::milliseconds(250);
constexpr auto interrupt_seen = std::chrono::milliseconds(50);  // after so long while it is paused

}  // namespace

struct Watch::Own {
  Own(const sim::Experiment& experiment, sim::Watcher* also_, const std::atomic<bool>* interrupted_)
      : name(experiment.scenario.name),
        also(also_),
        interrupted(interrupted_),
        world(experiment.world()),
        observer(world.model()),
        readout(experiment),
        scene(report::scene_json(experiment)),
        ring(world) {
    status.speed = 0.0;
  }

  void run();  // the thread
  void greet();
  void show_rows();
  void show(std::uint64_t i);
  void tell_state();
  void wait_while_paused();

  // for everybody
  std::string name;
  sim::Watcher* also;
  const std::atomic<bool>* interrupted;
  Audience audience;
  std::mutex mutex;  // of what follows
  std::condition_variable wanted, goes_on;
  bool is_paused = false, is_over = false, is_finished = false;
  std::string failure;
  std::function<std::string()> note;

  // of the thread
  World<double> world;  // its own, for read-outs
  Observer<double> observer;
  Readout readout;
  std::string scene;
  Status status;
  Clock::time_point told = Clock::now();
  double told_t = 0.0;
  bool has_changed = false;  // there is something to tell

  sim::SampleRing ring;
  std::atomic<std::uint64_t> lost = 0;  // there was no room for them
  std::thread thread;
};

void Watch::Own::run() {
  for (bool is_last = false, is_told = false; !is_last;) {
    std::string why;
    {
      std::unique_lock lock(mutex);
      wanted.wait_for(lock, frame_time, [&] { return is_over || audience.has_new() || (is_finished && !is_told); });
      is_last = is_over;
      const bool running = !is_paused && !is_finished;
      has_changed |= running != status.running;
      status.running = running;
      if (is_finished && !is_told) {
        why = failure;
        is_told = true;
      }
    }
    greet();
    show_rows();
    if (!why.empty()) audience.text(failed_message(why));
    if (has_changed || is_last || (status.running && Clock::now() - told >= state_time)) tell_state();
  }
}

void Watch::Own::greet() {
  if (!audience.has_new()) return;
  const Text hello = hello_message({1, name, false, scene, readout.signals(), {}}, status);
  readout.add(world, observer.observe(world));
  const Rows present = readout.take(1);
  audience.greet([&](Listener& listener) {
    listener.text(hello);
    listener.rows(present);
  });
  has_changed = true;
}

void Watch::Own::show(std::uint64_t i) {
  world.state = ring[i].state;
  world.input = ring[i].input;
  if (!audience.is_empty()) readout.add(world, observer.observe(world));
}

// All rows that there are room for in a frame, evenly spaced and always the last.
void Watch::Own::show_rows() {
  const std::uint64_t begin = ring.taken, end = ring.kept(), n = end - begin;
  if (n == 0) return;
  const auto most = std::uint64_t(readout.most_rows() / frames);
  const std::uint64_t stride = (n + most - 1) / most;
  std::uint64_t shown = 0;
  for (std::uint64_t i = begin + (n - 1) % stride; i < end; i += stride, shown++) show(i);
  status.dropped += n - shown + lost.exchange(0);
  ring.taken.store(end, std::memory_order_release);
  audience.rows(readout.take(1));
}

void Watch::Own::tell_state() {
  const auto now = Clock::now();
  const double passed = std::chrono::duration<double>(now - told).count();
  status.t = world.state.t;
  if (status.t > told_t && passed > 0.0) status.real_time_factor = (status.t - told_t) / passed;
  told = now;
  told_t = status.t;
  has_changed = false;
  {
    const std::lock_guard lock(mutex);
    if (note) status.note = note();
  }
  audience.text(state_message(status));
}

void Watch::Own::wait_while_paused() {
  std::unique_lock lock(mutex);
  while (is_paused && !(interrupted && interrupted->load(std::memory_order_relaxed)))
    goes_on.wait_for(lock, interrupt_seen);
}

Watch::Watch(const sim::Experiment& experiment, sim::Watcher* also, const std::atomic<bool>* interrupted)
    : own_(std::make_unique<Own>(experiment, also, interrupted)) {
  own_->thread = std::thread([own = own_.get()] { own->run(); });
}

Watch::~Watch() {
  {
    const std::lock_guard lock(own_->mutex);
    own_->is_over = true;
  }
  own_->wanted.notify_one();
  own_->thread.join();
}

void Watch::set_note(std::function<std::string()> note) {
  const std::lock_guard lock(own_->mutex);
  own_->note = std::move(note);
}

void Watch::attach(Listener& listener) {
  own_->audience.attach(listener);
  const std::lock_guard lock(own_->mutex);
  own_->wanted.notify_one();
}

// A run that nobody could make go on again goes on.
void Watch::detach(Listener& listener) {
  own_->audience.detach(listener);
  if (!own_->audience.is_empty()) return;
  const std::lock_guard lock(own_->mutex);
  own_->is_paused = false;
  own_->goes_on.notify_one();
}

std::string Watch::request(std::string_view json) {
  const std::string error = error_of([&] {
    const Request request = parse_request(json);
    if (request.kind != Request::Kind::Play && request.kind != Request::Kind::Pause)
      throw InputError("request: this run can only be watched and paused: use sinew view to change it");
    const std::lock_guard lock(own_->mutex);
    own_->is_paused = request.kind == Request::Kind::Pause;
    own_->goes_on.notify_one();
  });
  return error.empty() ? error : *error_message(error);
}

void Watch::look(const World<double>& world) {
  Own& o = *own_;
  if (o.also) o.also->look(world);
  if (o.ring.written() - o.ring.taken.load(std::memory_order_acquire) < o.ring.capacity())
    o.ring.put(world);
  else
    o.lost++;
  o.wait_while_paused();
}

void Watch::keep() {
  if (own_->also) own_->also->keep();
  own_->ring.keep();
}

void Watch::drop() {
  if (own_->also) own_->also->drop();
  own_->ring.drop();
}

bool Watch::wants_to_stop() const { return own_->also && own_->also->wants_to_stop(); }

void Watch::finish(const sim::RunResult& result) {
  const std::lock_guard lock(own_->mutex);
  own_->is_finished = true;
  if (result.diagnosis) own_->failure = text_of(*result.diagnosis, result.scenario);
  own_->wanted.notify_one();
}

}  // namespace sinew::view
