// `sinew run --live`; see WebView::watch.
#pragma once
#include "cli/web_view.h"

namespace cli {

std::unique_ptr<LiveRun> watch_run(const sinew::sim::Experiment& experiment, sinew::sim::RunHooks& hooks,
                                   const std::optional<std::int64_t>& port);

}  // namespace cli
