// Scenario: the text of a file with values put over it, compiled. Every change compiles it again, so that what is wrong is said at once.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/simulation.h"

namespace python {

class Scenario {
 public:
  // file: for messages, and the folder from which paths count.
  Scenario(std::string text, std::string file, std::string name, std::vector<std::string> sets);

  const std::shared_ptr<const sinew::sim::Experiment>& experiment() const { return experiment_; }
  // The same with another seed or end.
  std::shared_ptr<const sinew::sim::Experiment> experiment(std::uint64_t seed, std::optional<double> until = {}) const;
  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const std::string& file() const { return file_; }
  const std::vector<std::string>& sets() const { return sets_; }
  // With more values "KEY=VALUE" over it, of which the last counts.
  Scenario with(const std::vector<std::string>& sets) const;

 private:
  std::string text_, file_, name_;
  std::vector<std::string> sets_;
  std::shared_ptr<const sinew::sim::Experiment> experiment_;
};

}  // namespace python
