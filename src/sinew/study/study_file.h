// A study's file: its plan, its scenario and a row for each run that is done (record/table.h).
//   row, key, the keys that vary, seed, status, end, results, hash, reason
// A study in shards has a file for each, NAME.2of3.h5 beside NAME.h5, which collect() puts together.
#pragma once
#include <map>

#include "sinew/record/table.h"
#include "sinew/study/runner.h"

namespace sinew::study {

struct Shard {
  int number = 1, of = 1;
};

struct About {
  std::string kind = "sweep";  // or "optimize"
  StudyPlan plan;
  Source source;
  std::string content;     // Runner::content()
  std::uint64_t rows = 0;  // of the whole study; of an optimization: the most it may take
  Shard shard = {};
  std::string search = {};  // of an optimization: its own part of the plan, JSON
};

struct StudyFile {
  About about;
  record::Table table;
};

// The name of a shard's file; that of the study itself where there is one shard.
std::string shard_file(const std::string& file, const Shard& shard);
std::vector<std::string> shard_files(const std::string& file);  // those that are there

std::vector<record::Field> fields_of(const Runner& runner);
record::TableRow cells_of(const Row& row);
Row row_of(const record::TableRow& cells, std::size_t axes);
std::string to_json(const About& about);

// Throws FileError, record::Error.
StudyFile read_study(const std::string& file);

// About the same runs, whatever part of them is meant; of a search, whatever its budget, which only says where it ends.
bool is_same_study(const About& a, const About& b);

// A study's file is worked on by one program at a time. Throws FileError where another one does, or where none can.
class StudyLock {
 public:
  explicit StudyLock(const std::string& file);
  ~StudyLock();
  StudyLock(const StudyLock&) = delete;
  StudyLock& operator=(const StudyLock&) = delete;

 private:
  std::string name_;
  int descriptor_ = -1;
};

// The file of a study that goes on: rows that are there, and those that come. One program at a time: the second one is refused.
class Store {
 public:
  // Throws InputError if the file holds another study, FileError if it cannot be written or another program is writing it.
  Store(const std::string& file, const Runner& runner, const About& about);

  const std::map<std::string, Row>& rows() const { return rows_; }  // by key
  const Row* find(const std::string& key) const;
  void take_over(Row row);   // of another file of the same study: on disk with the next one
  void add(const Row& row);  // on disk when it returns
  void finish();             // all rows by their number

 private:
  void begin();

  StudyLock lock_;
  std::string file_, about_;
  std::vector<record::Field> fields_;
  std::map<std::string, Row> rows_;
  std::unique_ptr<record::TableWriter> writer_;
  bool sorted_ = false;
};

// The process that works on it now; 0: none.
int worker_of(const std::string& file);

}  // namespace sinew::study
