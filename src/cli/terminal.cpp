#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace cli {
namespace {

bool has_colour(int file_descriptor) {
  const char* none = std::getenv("NO_COLOR");
  return is_terminal(file_descriptor) && !(none && *none);
}

std::string styled(std::string_view text, const char* code, int file_descriptor) {
  return has_colour(file_descriptor) ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string duration_text(double seconds) {
  const auto s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

void write_out(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    throw sinew::FileError(fmt::format("standard output: cannot be written: {}", std::strerror(errno ? errno : EIO)));
}

void print_error(std::string_view text) {
  std::fprintf(stderr, "%s%.*s\n", styled("error: ", "1;31", STDERR_FILENO).c_str(), int(text.size()), text.data());
}

bool is_terminal(int file_descriptor) { return isatty(file_descriptor) == 1; }
std::string bold(std::string_view text, int file_descriptor) { return styled(text, "1", file_descriptor); }
std::string dim(std::string_view text, int file_descriptor) { return styled(text, "2", file_descriptor); }
std::string green(std::string_view text, int file_descriptor) { return styled(text, "32", file_descriptor); }
std::string red(std::string_view text, int file_descriptor) { return styled(text, "1;31", file_descriptor); }

void ProgressBar::update(double t) {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double fraction = end_ > 0.0 ? std::clamp(t / end_, 0.0, 1.0) : 1.0;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left =
      fraction > 0.0 ? fmt::format(", {} left", duration_text(elapsed * (1 - fraction) / fraction)) : "";
  constexpr int width = 30;
  const int filled = int(fraction * width);
  const std::string line = fmt::format("[{:=<{}}{:<{}}] {:3.0f} %  t = {:.4g} of {:.4g} s{}", "", filled, "",
                                       width - filled, 100 * fraction, t, end_, left);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
  is_drawn_ = true;
}

void ProgressBar::clear() {
  if (!is_drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  is_drawn_ = false;
}

}  // namespace cli
