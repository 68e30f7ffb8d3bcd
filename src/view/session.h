// Session: a scenario that runs while people look at it, in step with the clock, and that they may change and push.
#pragma once
#include "sinew/sim/simulation.h"
#include "view/source.h"

namespace sinew::view {

class Session : public Source {
 public:
  // Loads the built-in scenario that a page names, with the sets "KEY=VALUE" over it. Throws InputError.
  using Load = std::function<sim::Experiment(const std::string& name, const std::vector<std::string>& sets)>;

  // Starts its own thread. `name` and `sets` are what `load` is asked for first. Throws as load does.
  Session(const std::string& name, const std::vector<std::string>& sets, Load load);
  ~Session() override;

  void attach(Listener& listener) override;
  void detach(Listener& listener) override;
  std::string request(std::string_view json) override;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew::view
