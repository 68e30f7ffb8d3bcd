#include "sinew/imports/mesh_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

// What a child says first; then the problem, or vertices and triangles as they are in memory.
struct Head {
  std::uint64_t problem = 0, vertices = 0, triangles = 0;  // characters, numbers of them
};

void put(int pipe, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = write(pipe, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    at += n;
    size -= std::size_t(n);
  }
}

[[noreturn]] void be_the_child(const std::string& file, MeshReader reader, int seconds, int pipe) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0}, time{rlim_t(seconds), rlim_t(seconds) + 1};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
#ifndef SINEW_SANITIZED  // its shadow of the memory would not fit
  const rlimit memory{rlim_t(mesh_bytes), rlim_t(mesh_bytes)};
  setrlimit(RLIMIT_AS, &memory);
#endif
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  MeshData mesh;
  std::string problem;
  try {
    problem = reader(file, mesh);
  } catch (...) {
    problem = "cannot be read: it needs too much memory, or is damaged";
  }
  Head head{problem.size(), mesh.vertices.size(), mesh.triangles.size()};
  if (!problem.empty()) head.vertices = head.triangles = 0;
  put(pipe, &head, sizeof head);
  put(pipe, problem.data(), problem.size());
  put(pipe, mesh.vertices.data(), head.vertices * sizeof(Vec3d));
  put(pipe, mesh.triangles.data(), head.triangles * sizeof(mesh.triangles[0]));
  _exit(0);
}

using Clock = std::chrono::steady_clock;

// false: the pipe ended before, or time is over
bool take(int pipe, void* data, std::size_t size, Clock::time_point until) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd wait{pipe, POLLIN, 0};
    const int ready = left > 0 ? poll(&wait, 1, int(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t n = read(pipe, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= std::size_t(n);
  }
  return true;
}

bool take_mesh(int pipe, Clock::time_point until, std::string& problem, MeshData& mesh) {
  constexpr std::uint64_t most = 1u << 27;
  Head head;
  if (!take(pipe, &head, sizeof head, until)) return false;
  if (head.problem > most || head.vertices > most || head.triangles > most) return false;
  problem.resize(head.problem);
  mesh.vertices.resize(head.vertices);
  mesh.triangles.resize(head.triangles);
  return take(pipe, problem.data(), problem.size(), until) &&
         take(pipe, mesh.vertices.data(), head.vertices * sizeof(Vec3d), until) &&
         take(pipe, mesh.triangles.data(), head.triangles * sizeof(mesh.triangles[0]), until);
}

}  // namespace

MeshData read_in_child(const std::string& file, MeshReader reader, int seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw FileError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_the_child(file, reader, seconds, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw FileError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  }
  const auto until = Clock::now() + std::chrono::seconds(seconds);
  std::string problem;
  MeshData mesh;
  const bool complete = take_mesh(ends[0], until, problem, mesh);
  const bool late = !complete && Clock::now() >= until;
  close(ends[0]);
  if (!complete) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (late)
    throw InputError(
        fmt::format("{}: it takes longer than {} s to read: it is damaged, or simplify it", file, seconds));
  if (!complete) throw InputError(fmt::format("{}: it is damaged so that it cannot be read: write it again", file));
  if (!problem.empty()) throw InputError(fmt::format("{}: {}", file, problem));
  return mesh;
}

}  // namespace sinew::imports
