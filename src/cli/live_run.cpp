#include "cli/live_run.h"

#include <condition_variable>
#include <mutex>

#include "cli/viewer.h"
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

}  // namespace

struct LiveRun::Own {
  Own(const sinew::io::Scenario& scenario, const sinew::io::RunHooks& hooks, const view::Address& address)
      : watch(scenario, hooks.watcher, hooks.interrupted), server(address, content_of(watch)) {}
  view::Watch watch;
  view::Server server;
};

LiveRun::LiveRun(const sinew::io::Scenario& scenario, sinew::io::RunHooks& hooks,
                 const std::optional<std::int64_t>& port)
    : own_(std::make_unique<Own>(scenario, hooks, address_of(port))) {
  hooks.watcher = &own_->watch;
}

LiveRun::~LiveRun() = default;

std::string LiveRun::url() const { return own_->server.url(); }

void LiveRun::finish(const sinew::io::RunResult& result) {
  own_->watch.finish(result);
  LastListener last;
  own_->watch.attach(last);
  last.wait();
  own_->watch.detach(last);
  own_->server.finish(patience);
}

}  // namespace cli
