// Watch: a run of sim::run() that pages look at while it computes (`sinew run --live`). They can pause it, not change it.
#pragma once
#include <functional>
#include <string>

#include "sinew/sim/run.h"
#include "view/source.h"

namespace sinew::view {

class Watch : public Source, public sim::Watcher {
 public:
  // `also` sees the same moments (the recorder); may be nullptr. interrupted: as in sim::RunHooks, ends a pause.
  Watch(const sim::Experiment& experiment, sim::Watcher* also, const std::atomic<bool>* interrupted = nullptr);
  ~Watch() override;

  void attach(Listener& listener) override;
  void detach(Listener& listener) override;
  std::string request(std::string_view json) override;

  void look(const World<double>& world) override;  // waits while paused
  void keep() override;
  void drop() override;
  bool wants_to_stop() const override;

  // What people read beside the speed, asked for with each state, from another thread. Before the run begins.
  void set_note(std::function<std::string()> note);

  // The run is over: pages are shown its last row, and told why it failed if it did.
  void finish(const sim::RunResult& result);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew::view
