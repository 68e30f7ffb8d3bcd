// One thread does everything: it takes requests, steps, and talks to the listeners, some 60 times a second. A request is put
// into a queue and waits for nobody.
#include "view/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <set>
#include <thread>

#include "sinew/report/scene.h"
#include "sinew/sim/errors.h"
#include "view/audience.h"
#include "view/messages.h"
#include "view/readout.h"
#include "view/requests.h"

namespace sinew::view {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = Request::Kind;
using sim::Parameter;
using sim::Simulation;

constexpr double frame = 1.0 / 60.0;   // real time between messages [s]
constexpr double told_every = 0.25;    // real time between states [s]
constexpr double measured_over = 0.5;  // real time over which the speed reached is taken [s]
constexpr double patience = 0.1;       // real time behind which a simulation that is too slow does not catch up [s]
constexpr double slowest = 1e-3;       // pace that counts [1]
constexpr std::size_t most_waiting = 1000;  // requests

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// A point in real and in simulated time.
struct Mark {
  Clock::time_point wall = Clock::now();
  double t = 0.0;
};

}  // namespace

struct Session::Own {
  Own(const std::string& name, const std::vector<std::string>& sets, Load load_)
      : load(std::move(load_)), simulation(std::make_unique<Simulation>(load(name, sets))) {
    begin();
  }

  void run();  // the thread
  void begin();
  bool is_going() const { return status.running && !audience.is_empty(); }
  void go_on();  // until the next frame
  void anchor();
  void measure();
  int row_steps() const;
  void advance(int steps);
  void add_row() { readout->add(simulation->world(), simulation->seen()); }
  void tell_state();
  Text hello_text() const;
  void greet();
  void start_again();

  void serve();
  void serve(const Request& request);
  void set(std::span<const Simulation::Change> changes);
  void check(const Request& request);

  // for everybody
  Audience audience;
  std::mutex mutex;  // of what follows
  std::condition_variable wanted;
  std::vector<Request> queue;
  std::set<std::string> keys, bodies;  // that requests may name
  bool is_over = false;

  // of the thread
  Load load;
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<Readout> readout;
  std::string scene;
  std::uint32_t generation = 0;
  Status status;
  double pace = 1.0;  // simulated over real time that rows are made for
  Mark from, measured;
  Clock::time_point told = Clock::now();
  std::thread thread;
};

// A new generation: nothing that was said before counts.
void Session::Own::begin() {
  generation++;
  const World<double>& world = simulation->world();
  readout = std::make_unique<Readout>(simulation->experiment());
  scene = report::scene_json(simulation->experiment());
  anchor();
  const std::lock_guard lock(mutex);
  keys.clear();
  for (const Parameter& p : simulation->parameters()) keys.insert(p.key);
  bodies = {world.model().body_names.begin(), world.model().body_names.end()};
}

void Session::Own::run() {
  std::unique_lock lock(mutex);
  auto next = Clock::now();
  while (!is_over) {
    const auto is_wanted = [&] { return is_over || !queue.empty() || audience.has_new(); };
    if (is_going())
      wanted.wait_until(lock, next, is_wanted);
    else
      wanted.wait(lock, [&] { return is_wanted() || is_going(); });
    if (is_over) break;
    lock.unlock();
    serve();
    greet();
    if (is_going() && Clock::now() >= next) {
      next = Clock::now() + duration_of(frame);
      go_on();
    }
    audience.rows(readout->take(generation));
    lock.lock();
  }
}

Text Session::Own::hello_text() const {
  return hello_message(
      {generation, simulation->scenario().name, true, scene, readout->signals(), simulation->parameters()}, status);
}

void Session::Own::greet() {
  if (!audience.has_new()) return;
  audience.rows(readout->take(generation));
  add_row();
  const Rows present = readout->take(generation);
  status.t = simulation->world().state.t;
  const Text hello = hello_text();
  const Text state = state_message(status);
  audience.greet([&](Listener& listener) {
    listener.text(hello);
    listener.text(state);
    listener.rows(present);
  });
  anchor();  // nobody may have looked for a while
}

void Session::Own::anchor() {
  from = measured = {Clock::now(), simulation->world().state.t};
  pace = status.speed > 0.0 ? status.speed : std::max(pace, 1.0);
}

void Session::Own::measure() {
  const double passed = seconds_since(measured.wall);
  if (passed < measured_over) return;
  const double t = simulation->world().state.t;
  pace = status.real_time_factor = (t - measured.t) / passed;
  measured = {Clock::now(), t};
}

// Rows are output.every apart; closer where this would not give one a frame, farther where it would give too many.
int Session::Own::row_steps() const {
  const double now = std::max(pace, slowest), step = simulation->scenario().step;
  const double apart = std::clamp(simulation->scenario().every, now / readout->most_rows(), now * frame);
  return int(std::clamp(std::floor(apart / step + 1e-9), 1.0, 1e6));
}

void Session::Own::advance(int steps) {
  const auto failure = simulation->step(steps);
  add_row();
  if (!failure) return;
  status.running = false;
  audience.text(failed_message(text_of(*failure, simulation->scenario().name)));
  tell_state();
}

void Session::Own::go_on() {
  const auto start = Clock::now();
  const auto behind = [&] {  // [s] of simulated time
    if (status.speed == 0.0) return 1.0;
    return from.t + status.speed * seconds_since(from.wall) - simulation->world().state.t;
  };
  const int steps = row_steps();
  while (status.running && behind() > 0.0 && seconds_since(start) < frame) advance(steps);
  if (status.speed > 0.0 && behind() > patience * status.speed) from = {Clock::now(), simulation->world().state.t};
  measure();
  if (seconds_since(told) >= told_every) tell_state();
}

// A state is never ahead of the rows.
void Session::Own::tell_state() {
  told = Clock::now();
  audience.rows(readout->take(generation));
  status.t = simulation->world().state.t;
  audience.text(state_message(status));
}

// After a reset or with another scenario.
void Session::Own::start_again() {
  begin();
  status.t = 0.0;
  add_row();
  audience.text(hello_text());
}

// Sliders give many values a second: the last one of each key counts.
void Session::Own::serve() {
  std::vector<Request> requests;
  {
    const std::lock_guard lock(mutex);
    requests.swap(queue);
  }
  for (std::size_t i = 0; i < requests.size(); i++) {
    if (requests[i].kind != Kind::Set) {
      serve(requests[i]);
      continue;
    }
    const bool comes_again = std::any_of(requests.begin() + std::ptrdiff_t(i) + 1, requests.end(), [&](const auto& r) {
      return r.kind == Kind::Set && r.name == requests[i].name;
    });
    if (!comes_again) serve(requests[i]);
  }
}

void Session::Own::serve(const Request& r) {
  const std::string error = error_of([&] {
    switch (r.kind) {
      case Kind::Play:
        status.running = true;
        break;
      case Kind::Pause:
        status.running = false;
        break;
      case Kind::Step:
        status.running = false;
        advance(
            int(std::clamp(std::floor(simulation->scenario().every / simulation->scenario().step + 1e-9), 1.0, 1e6)));
        break;
      case Kind::Reset:
        simulation->reset();
        start_again();
        break;
      case Kind::Speed:
        status.speed = r.value;
        break;
      case Kind::Set:
        set(std::vector<Simulation::Change>{{r.name, r.value}});
        return;
      case Kind::Push:
        simulation->push(r.name, r.point, r.target);
        return;
      case Kind::Release:
        simulation->release();
        return;
      case Kind::Load:
        simulation = std::make_unique<Simulation>(load(r.name, {}));
        status.running = true;
        start_again();
        break;
    }
    anchor();
    tell_state();
  });
  if (!error.empty()) audience.text(error_message(error));
}

void Session::Own::set(std::span<const Simulation::Change> changes) {
  for (const std::size_t i : simulation->set(changes)) audience.text(parameter_message(simulation->parameters()[i]));
  if (!status.running) add_row();  // forces and energies are others now
}

// What can be known before the request is served.
void Session::Own::check(const Request& request) {
  if (request.kind == Kind::Set && !keys.contains(request.name))
    throw InputError(
        fmt::format("set: {} cannot be changed while it runs: sinew show marks what can as live", request.name));
  if (request.kind == Kind::Push && !bodies.contains(request.name))
    throw InputError(fmt::format("push: there is no body {}: push one of the robot's", request.name));
}

Session::Session(const std::string& name, const std::vector<std::string>& sets, Load load)
    : own_(std::make_unique<Own>(name, sets, std::move(load))) {
  own_->thread = std::thread([own = own_.get()] { own->run(); });
}

Session::~Session() {
  {
    const std::lock_guard lock(own_->mutex);
    own_->is_over = true;
  }
  own_->wanted.notify_one();
  own_->thread.join();
}

void Session::attach(Listener& listener) {
  own_->audience.attach(listener);
  const std::lock_guard lock(own_->mutex);
  own_->wanted.notify_one();
}

// Nobody is there to let go of what a page has pushed.
void Session::detach(Listener& listener) {
  own_->audience.detach(listener);
  if (!own_->audience.is_empty()) return;
  const std::lock_guard lock(own_->mutex);
  own_->queue.push_back({.kind = Kind::Release});
  own_->wanted.notify_one();
}

std::string Session::request(std::string_view json) {
  const std::string error = error_of([&] {
    Request request = parse_request(json);
    const std::lock_guard lock(own_->mutex);
    own_->check(request);
    if (own_->queue.size() >= most_waiting)
      throw InputError("request: too many are waiting for the present step to end: send fewer");
    own_->queue.push_back(std::move(request));
    own_->wanted.notify_one();
  });
  return error.empty() ? error : *error_message(error);
}

}  // namespace sinew::view
