// Batch: rows of all robots as arrays over the memory of the batch, which never moves; whoever holds one holds the batch.
#include "sinew/batch.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/bind.h"
#include "python/interruption.h"
#include "python/scenario.h"

namespace python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Marks = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;

class Robots {
 public:
  Robots(const Scenario& scenario, int n, int threads, std::uint64_t seed, bool controller)
      : batch_(scenario.experiment(seed), n, {threads, controller}) {}

  // For all that may not be touched while another thread steps.
  sinew::Batch& free() {
    if (!unlocked_) return batch_;
    throw sinew::InputError("batch: another thread is stepping it: wait until that has returned");
  }
  sinew::Batch& shown() { return batch_; }

  void step(std::int64_t n) {
    sinew::Batch& batch = free();
    if (n < 0) throw sinew::InputError(fmt::format("step({}): no number of steps: give 0 or more", n));
    Interruption interruption;
    Unlocked unlocked(unlocked_);
    for (std::int64_t left = n; left > 0 && !interruption.has_come();) {
      const int part = int(std::min<std::int64_t>(left, 64));  // then it looks whether it is to end
      batch.step(part);
      left -= part;
      interruption.look();
    }
    unlocked.lock();
    interruption.raise();
  }

  // Seconds of the clock for n calls of step(part) in C++, for bench/python.py.
  double time_loop(int n, int part) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) free().step(part);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  py::array_t<double> signal(const std::string& name) {
    sinew::Batch& batch = free();
    const auto signals = batch.find_signals(name);
    py::array_t<double> out({py::ssize_t(batch.size()), py::ssize_t(signals.size())});
    const std::span<double> numbers(out.mutable_data(), std::size_t(out.size()));
    Unlocked unlocked(unlocked_);
    batch.evaluate(signals, numbers);
    return out;
  }

  void set(const std::string& key, const Numbers& values, const Marks& marked) {
    sinew::Batch& batch = free();
    const std::span<const double> numbers(values.data(), std::size_t(values.size()));
    const std::span<const std::uint8_t> marks(marked.data(), std::size_t(marked.size()));
    Unlocked unlocked(unlocked_);
    batch.set(key, numbers, marks);
  }

 private:
  // Without the interpreter's lock, and marked as such.
  class Unlocked {
   public:
    explicit Unlocked(bool& flag) : flag_(flag) {
      flag_ = true;
      release_.emplace();
    }
    ~Unlocked() { lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    void lock() {
      release_.reset();
      flag_ = false;
    }

   private:
    bool& flag_;
    std::optional<py::gil_scoped_release> release_;
  };

  sinew::Batch batch_;
  bool unlocked_ = false;
};

template <class T>
py::array rows(const py::object& self, std::span<T> numbers, bool writable) {
  const py::ssize_t n = self.cast<Robots&>().shown().size(), k = py::ssize_t(numbers.size()) / n;
  py::array out(py::dtype::of<std::remove_const_t<T>>(), {n, k}, numbers.data(), self);
  if (!writable) out.attr("setflags")(py::arg("write") = false);
  return out;
}

template <class T>
py::array column(const py::object& self, std::span<T> numbers) {
  py::array out(py::dtype::of<std::remove_const_t<T>>(), {py::ssize_t(numbers.size())}, numbers.data(), self);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

int checked(Robots& robots, int i) {
  if (i >= 0 && i < robots.shown().size()) return i;
  throw py::index_error(fmt::format("robot {} of {}", i, robots.shown().size()));
}

}  // namespace

void add_batch(py::module_& module) {
  py::class_<Robots>(module, "Batch")
      .def(py::init<const Scenario&, int, int, std::uint64_t, bool>())
      .def("__len__", [](Robots& r) { return r.shown().size(); })
      .def_property_readonly(
          "threads", [](Robots& r) { return r.shown().threads(); }, "How many threads step it.")
      .def_property_readonly(
          "in_lanes", [](Robots& r) { return r.free().in_lanes(); },
          "How many robots share registers now; the others run one by one, with the same bits.")
      .def_property_readonly(
          "dt", [](Robots& r) { return r.shown().experiment().scenario.step; }, "Length of a step [s].")
      .def_property_readonly(
          "q", [](const py::object& self) { return rows(self, self.cast<Robots&>().shown().q(), false); },
          "Coordinates (n, k) [rad or m], read-only, as they are now.")
      .def_property_readonly(
          "u", [](const py::object& self) { return rows(self, self.cast<Robots&>().shown().u(), false); },
          "Velocities (n, k) [rad/s or m/s], read-only, as they are now.")
      .def_property_readonly(
          "command", [](const py::object& self) { return rows(self, self.cast<Robots&>().shown().command(), true); },
          "What the robots are told (n, c): write into it; held until it is written over. command_names has the "
          "columns.")
      .def_property_readonly(
          "command_names", [](Robots& r) { return r.shown().command_names(); }, "Names of the columns of command.")
      .def_property_readonly(
          "uncertified",
          [](const py::object& self) { return column(self, self.cast<Robots&>().shown().uncertified()); },
          "Steps of each robot that were not solved to contact.tolerance.")
      .def("failed_bytes", [](const py::object& self) { return column(self, self.cast<Robots&>().shown().failed()); })
      .def("time_of", [](Robots& r, int i) { return r.free().time(checked(r, i)); })
      .def("failure_of", [](Robots& r, int i) { return r.free().failure(checked(r, i)); })
      .def(
          "hash", [](Robots& r, int i) { return fmt::format("{:016x}", r.free().hash(checked(r, i))); },
          "Of the state of robot i: that of a World(scenario, seed, robot=i) with the same numbers.", py::arg("i"))
      .def("step_all", &Robots::step)
      .def("time_loop", &Robots::time_loop)
      .def("signal", &Robots::signal,
           "A signal, or all signals NAME.*, of all robots as they are now: a new array (n, k).", py::arg("name"))
      .def("set_numbers", &Robots::set)
      .def("reset_marked", [](Robots& r, const Marks& marked) {
        r.free().reset({marked.data(), std::size_t(marked.size())});
      });
}

}  // namespace python
