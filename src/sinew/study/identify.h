// Identification: keys of a scenario from measured signals.
//   r = (y_sim(t_i - delay; p) - y_i) / sigma            a residual for each number of the data
// Deviations sigma of the signals are given, or found: first each signal counts by how much it varies, then by what the first fit leaves of it.
#pragma once
#include "sinew/study/fit.h"
#include "sinew/study/runner.h"

namespace sinew::study {

// Signals over time; a number that is missing is NaN.
struct Measured {
  std::string file;
  std::vector<double> t;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  // of each name
};

struct MeasuredOptions {
  std::string time = "t";  // name of the column of times
  double rate = 0.0;       // rows a second, of a table without times; 0: it has them
};

// By the name of the file: a recording of sinew or arrays of others (.h5, .hdf5), messages (.mcap), a log (.json), a tensor of PyTorch (.pt), or a
// table, comma-separated. Columns of a tensor and of a table without a line of names are called 1, 2, ... Throws InputError, FileError,
// record::Error.
Measured read_measured(const std::string& file, const MeasuredOptions& options);

// Of a column.
bool has_numbers(const std::vector<double>& column);
bool never_changes(const std::vector<double>& column);
double deviation_of(const std::vector<double>& column);
// A signal of what a simulation keeps for itself: energies, its solver.
bool is_own_account(const std::string& signal);

struct IdentifyPlan {
  std::vector<std::string> sets;
  std::vector<std::string> fit;     // KEY or KEY=LEAST:MOST; `delay`: by how much the data is late [s]
  std::vector<std::string> priors;  // KEY=MEAN:DEVIATION
  std::vector<std::string> sigmas;  // SIGNAL=DEVIATION of its noise
  std::vector<std::string> maps;    // SIGNAL=COLUMN*FACTOR of the data; none: columns that are called like signals
  int threads = 0;
};

struct FittedSignal {
  std::string name, unit;
  double rms = 0.0;  // of what the fit leaves
  int count = 0;
  std::vector<double> t, measured, fitted;
};

struct Identified {
  std::vector<Unknown> unknowns;
  std::vector<std::string> units;
  Fit fit;
  std::vector<FittedSignal> signals;
  std::vector<std::string> left_out;  // columns called like signals that are not compared unless --map names them
  bool is_certified = true;           // the run with the values found; if it is not, a doubt says why
  std::string scenario;               // with the values found, complete, as a file to run
};

// Throws InputError with every problem found.
Identified identify(const IdentifyPlan& plan, const Source& source, const Measured& data);

// All of it as one page that needs nothing else. picture: SVG, or a word why there is none.
std::string report_page(const Identified& found, const Source& source, const Measured& data,
                        const std::string& picture);

}  // namespace sinew::study
