#include "sinew/validate/recording.h"

#include <filesystem>

#include "sinew/report/report.h"

namespace sinew::validate {
namespace {

std::string made_path(const std::string& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(folder) / (name + ".h5");
  std::error_code ignored;  // whoever writes the file complains
  std::filesystem::create_directories(path.parent_path(), ignored);
  return path.string();
}

}  // namespace

Recording::Recording(const sim::Experiment& experiment, const std::string& folder, const std::string& version,
                     sim::Watcher* other)
    : file_(made_path(folder, experiment.scenario.name)),
      version_(version),
      other_(other),
      recorder_(experiment, file_, version) {}

void Recording::look(const World<double>& world) {
  recorder_.look(world);
  if (other_) other_->look(world);
}

void Recording::keep() {
  recorder_.keep();
  if (other_) other_->keep();
}

void Recording::drop() {
  recorder_.drop();
  if (other_) other_->drop();
}

void Recording::finish(const sim::RunResult& result) {
  recorder_.finish(report::to_json(result, 0.0, version_, file_));  // several runs share the clock: no time is theirs
}

}  // namespace sinew::validate
