// A study behind the page of the view: its table as JSON (docs/view-protocol.md), and the run of each row.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "sinew/sim/experiment.h"
#include "sinew/study/study_file.h"

namespace cli {

// Safe from every thread.
class StudyPage {
 public:
  // The study's file, or the shards of it where it is not there itself. Throws FileError, record::Error.
  explicit StudyPage(std::string file);

  // As the files stand now: somebody may be at work on them. Throws as the constructor does.
  std::string json();

  // What the page calls "#17". Throws InputError: no such row is there, or no such run can be.
  sinew::sim::Experiment experiment(const std::string& name);

 private:
  sinew::study::StudyFile read() const;

  const std::string file_;
  std::mutex mutex_;  // of what follows, and of HDF5
  sinew::study::StudyFile study_;
  std::unique_ptr<const sinew::study::Runner> runner_;
};

// Does the page mean a row of the study by this name?
inline bool is_row_name(const std::string& name) { return name.starts_with('#'); }

// A study, or the name of one whose shards alone are there.
bool is_study(const std::string& file);

}  // namespace cli
