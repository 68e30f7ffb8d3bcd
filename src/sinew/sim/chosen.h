// Chosen: a robot or a gait of a catalogue with its parameters, as a value: a copy has parameters of its own.
#pragma once
#include <concepts>
#include <memory>
#include <string>
#include <string_view>

#include "gaits/catalog.h"
#include "robots/catalog.h"
#include "sinew/sim/copy_keys.h"

namespace sinew::sim {

// T: robots::Robot or gaits::Gait
template <class T>
class Chosen {
 public:
  Chosen() = default;
  explicit Chosen(std::string_view name) : name_(name), own_(make(name)) {}  // nothing, if there is none of this name
  Chosen(const Chosen& other) : Chosen(other.own_ ? std::string_view(other.name_) : std::string_view()) {
    if (own_) copy_keys([&](Keys& keys) { declare(*other.own_, keys); }, [&](Keys& keys) { declare(*own_, keys); });
  }
  Chosen(Chosen&&) noexcept = default;
  Chosen& operator=(Chosen other) noexcept {
    name_.swap(other.name_);
    own_.swap(other.own_);
    return *this;
  }

  explicit operator bool() const { return own_ != nullptr; }
  T& operator*() { return *own_; }
  const T& operator*() const { return *own_; }
  T* operator->() { return own_.get(); }
  const T* operator->() const { return own_.get(); }

 private:
  static void declare(T& chosen, Keys& keys) {
    chosen.describe(keys);
    if constexpr (std::same_as<T, robots::Robot>)
      if (chosen.takes_commands()) chosen.describe_commands(keys);
  }
  static std::unique_ptr<T> make(std::string_view name) {
    if constexpr (std::same_as<T, robots::Robot>)
      return robots::catalog().make(name);
    else
      return gaits::catalog().make(name);
  }

  std::string name_;
  std::unique_ptr<T> own_;
};

}  // namespace sinew::sim
