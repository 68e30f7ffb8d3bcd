// The three standard streams of the child are files in memory: neither side ever waits for the other, and nothing is
// left behind.
#include "sinew/figure/gnuplot.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sinew/files/errors.h"

extern char** environ;

namespace sinew::figure {
namespace {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("sinew-gnuplot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw FileError(fmt::format("gnuplot: no memory for its streams: {}", std::strerror(errno)));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void fill(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = write(descriptor_, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR)
        throw FileError(fmt::format("gnuplot: no memory for its script: {}", std::strerror(errno)));
      if (n > 0) done += std::size_t(n);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::string content() const {
    std::string text(std::size_t(lseek(descriptor_, 0, SEEK_END)), '\0');
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = pread(descriptor_, text.data() + done, text.size() - done, off_t(done));
      if (n <= 0 && errno != EINTR) break;
      if (n > 0) done += std::size_t(n);
    }
    return text;
  }

 private:
  int descriptor_;
};

// First line of gnuplot's complaint that says what it is about.
std::string reason(const std::string& errors) {
  for (std::size_t at = 0; at < errors.size();) {
    const std::size_t end = std::min(errors.find('\n', at), errors.size());
    const std::string line = errors.substr(at, end - at);
    if (const auto word = line.find("line "); word != std::string::npos) return line.substr(word);
    at = end + 1;
  }
  return errors.empty() ? "it says nothing" : errors.substr(0, errors.find('\n'));
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
  MemoryFile in, out, errors;
  in.fill(script);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int streams[] = {in.descriptor(), out.descriptor(), errors.descriptor()};
  for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, streams[i], i);
  std::string name = "gnuplot", defaults = "-d";  // -d: the user's own settings must not change our figures
  char* arguments[] = {name.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int problem = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == ENOENT)
    throw FileError("gnuplot: it draws the figures but is not installed: as root run apt-get install gnuplot-nox");
  if (problem) throw FileError(fmt::format("gnuplot: cannot be started: {}", std::strerror(problem)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw FileError(fmt::format("gnuplot: lost: {}", std::strerror(errno)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw FileError(fmt::format("gnuplot: it failed: {}", reason(errors.content())));
  return out.content();
}

}  // namespace sinew::figure
