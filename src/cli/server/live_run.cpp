#include "cli/server/live_run.h"

#include <condition_variable>
#include <mutex>

#include "cli/server/viewer.h"
#include "view/watch.h"

namespace cli {
namespace {

namespace view = sinew::view;

constexpr auto patience = std::chrono::seconds(1);  // with pages, once the run is over

view::Content content_of(view::Watch& watch) {
  view::Content content = viewer_content();
  content.source = &watch;
  return content;
}

// Hears when a source has told everybody all there is: the state comes after the rows.
class LastListener : public view::Listener {
 public:
  void text(const view::Text& message) override {
    if (message->find(R"("type":"state")") == std::string::npos) return;
    const std::lock_guard lock(mutex_);
    is_told_ = true;
    told_.notify_one();
  }
  void rows(const view::Rows&) override {}
  void wait() {
    std::unique_lock lock(mutex_);
    told_.wait_for(lock, patience, [&] { return is_told_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable told_;
  bool is_told_ = false;
};

class ServedRun : public LiveRun {
 public:
  ServedRun(const sinew::sim::Experiment& experiment, sinew::sim::RunHooks& hooks, const view::Address& address)
      : watch_(experiment, hooks.watcher, hooks.interrupted), server_(address, content_of(watch_)) {
    hooks.watcher = &watch_;
  }
  std::string url() const override { return server_.url(); }
  void set_note(std::function<std::string()> note) override { watch_.set_note(std::move(note)); }
  void finish(const sinew::sim::RunResult& result) override {
    watch_.finish(result);
    LastListener last;
    watch_.attach(last);
    last.wait();
    watch_.detach(last);
    server_.finish(patience);
  }

 private:
  view::Watch watch_;
  view::Server server_;
};

}  // namespace

std::unique_ptr<LiveRun> watch_run(const sinew::sim::Experiment& experiment, sinew::sim::RunHooks& hooks,
                                   const std::optional<std::int64_t>& port) {
  return std::make_unique<ServedRun>(experiment, hooks, address_of(port));
}

}  // namespace cli
