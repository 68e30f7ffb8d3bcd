// A sweep: all rows of a plan, those that are missing in its file.
#pragma once
#include "sinew/study/study_file.h"

namespace sinew::study {

struct SweepProgress {
  std::uint64_t done = 0, total = 0, bad = 0;  // rows that are there, of this shard; of them neither done nor stopped
  std::uint64_t ran = 0;                       // now
};

struct SweepOptions {
  std::string out;        // the study; rows that other files of it have are taken over
  std::string file = {};  // instead of the shard's name beside `out`: this one alone
  Shard shard = {};
  RunnerOptions run = {};
  std::function<void(const SweepProgress&)> progress = {};
};

struct SweepOutcome {
  std::string file;  // that was written
  SweepProgress rows;
  std::string first_bad;  // "row 3 was refused: ...", of the rows that are neither done nor stopped
  bool is_complete() const { return rows.done == rows.total; }
};

// Throws InputError, FileError. An interruption leaves the file with the rows that are done.
SweepOutcome sweep(const Runner& runner, const SweepOptions& options);

// Is what stands under this name, and in shards of it, the study of the runner? Throws InputError if there is another one.
void check_same_study(const Runner& runner, const std::string& file);

// The shards of a study, and what is in its own file, in one file, sorted. Throws InputError if they are not of one study.
struct Collected {
  std::uint64_t rows = 0, total = 0;
  int files = 0;
};
Collected collect(const std::string& file);

}  // namespace sinew::study
