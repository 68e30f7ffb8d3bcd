// Records the run of a case, beside whoever else watches it.
#pragma once
#include <string>

#include "sinew/io/recorder.h"

namespace sinew::validate {

class Recording : public io::Watcher {
 public:
  // To folder/NAME.h5, with the folders in between. `other` may be nullptr.
  Recording(const io::Scenario& scenario, const std::string& folder, const std::string& version, io::Watcher* other);

  void look(const World<double>& world) override;
  void keep() override;
  void drop() override;
  bool wants_to_stop() const override { return recorder_.wants_to_stop(); }

  // Throws FileError.
  void finish(const io::RunResult& result);

 private:
  std::string file_, version_;
  io::Watcher* other_;
  io::Recorder recorder_;
};

}  // namespace sinew::validate
