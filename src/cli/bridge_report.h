// What sinew bridge says about the exchange of images, after a run.
#pragma once
#include <string>

#include "sinew/bridge/remote.h"

namespace cli {

// run_json: the object of `sinew run --json`; gets a member "bridge".
std::string with_bridge(const std::string& run_json, const sinew::bridge::Layout& layout,
                        const sinew::bridge::Remote& remote, const sinew::bridge::Transport& transport);
std::string bridge_summary(const sinew::bridge::Remote& remote, const sinew::bridge::Transport& transport, bool timed);

}  // namespace cli
