// Interruption: Ctrl-C while the library works without the interpreter's lock.
#pragma once
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <optional>

namespace python {

namespace py = pybind11;

// Looks ten times a second whether a signal has come, with the interpreter's lock; a run that it ends is stopped and the exception kept.
class Interruption {
 public:
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return;
    error_.emplace();
    stop_ = true;
  }
  bool has_come() const { return stop_; }
  const std::atomic<bool>* flag() const { return &stop_; }
  void raise() {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  std::atomic<bool> stop_ = false;
  std::optional<py::error_already_set> error_;
};

}  // namespace python
