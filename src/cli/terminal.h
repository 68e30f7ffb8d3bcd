// Text to people: standard output that notices when it cannot be written, colours and progress only on terminals.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

namespace cli {

// Writes everything to standard output. Throws FileError when that fails, as with a full disk or a pipe
// whose reader has gone.
void write_out(std::string_view text);

// "error: " and the text, on standard error.
void print_error(std::string_view text);

bool is_terminal(int file_descriptor);
std::string bold(std::string_view text, int file_descriptor);
std::string dim(std::string_view text, int file_descriptor);
std::string green(std::string_view text, int file_descriptor);
std::string red(std::string_view text, int file_descriptor);

// A bar on standard error for runs that take longer than two seconds; nothing when that is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(double end) : end_(end), start_(Clock::now()), next_(start_ + std::chrono::seconds(2)) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double t);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  double end_;
  Clock::time_point start_, next_;
  bool is_drawn_ = false;
};

}  // namespace cli
