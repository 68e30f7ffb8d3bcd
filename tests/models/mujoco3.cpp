#include "tests/models/mujoco3.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace sinew::models {

struct Mujoco3::Process {
  FILE *to = nullptr, *from = nullptr;
  pid_t pid = -1;

  explicit Process(const std::string& folder) {
    const std::string servant = folder + "/mujoco.mjs";  // beside the package that it imports
    std::filesystem::copy_file(SINEW_SOURCE_DIR "/tests/models/mujoco.mjs", servant,
                               std::filesystem::copy_options::overwrite_existing);
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for MuJoCo 3");
    pid = fork();
    if (pid == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
      execlp("node", "node", servant.c_str(), static_cast<char*>(nullptr));
      _exit(1);
    }
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
    if (hear() != "ready") throw std::runtime_error("MuJoCo 3 does not start");
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  ~Process() {
    std::fclose(to);  // what it waits for ends
    std::fclose(from);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  void say(const std::string& line) const {
    std::fputs((line + "\n").c_str(), to);
    std::fflush(to);
  }

  std::string hear() const {
    std::string line;
    for (int c = std::fgetc(from); c != '\n'; c = std::fgetc(from)) {
      if (c == EOF) throw std::runtime_error("MuJoCo 3 has ended: is @mujoco/mujoco installed in the folder?");
      line += char(c);
    }
    return line;
  }

  std::vector<double> hear_numbers() const {
    const std::string line = hear();
    std::vector<double> numbers;
    const char* at = line.c_str();
    for (char* end = nullptr; *at != '\0'; at = end) {
      numbers.push_back(std::strtod(at, &end));
      if (end == at) throw std::runtime_error("MuJoCo 3 answers \"" + line.substr(0, 80) + "\"");
      while (*end == ' ') end++;
    }
    return numbers;
  }
};

namespace {

// Names as scenarios have them (imports/prepare.cpp).
std::string clean(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  return name;
}

struct Model3 : support::MujocoModel {
  std::shared_ptr<Mujoco3::Process> process;
  std::vector<double> mass = {};

  explicit Model3(std::shared_ptr<Mujoco3::Process> of) : process(std::move(of)) {
    std::istringstream joint_line(process->hear()), body_line(process->hear());
    for (Joint j; joint_line >> j.q >> j.u >> j.body >> j.name; joints.push_back(j)) j.name = clean(j.name);
    std::string name;
    for (int b = 0; body_line >> name; b++) bodies[clean(name)] = b;
    qpos = process->hear_numbers();
    mass = process->hear_numbers();
  }

  Answer forward(const std::vector<double>& at, const std::vector<double>& qvel) override {
    std::string request = "forward";
    for (const auto* part : {&at, &qvel})
      for (const double x : *part) request += fmt::format(" {}", x);
    process->say(request);
    Answer answer;
    answer.xpos = process->hear_numbers();
    answer.M = process->hear_numbers();
    answer.bias = process->hear_numbers();
    answer.mass = mass;
    return answer;
  }
};

}  // namespace

Mujoco3::Mujoco3(const std::string& folder) : process_(std::make_shared<Process>(folder)) {}

std::unique_ptr<support::MujocoModel> Mujoco3::read(const std::string& file, std::string& error) {
  process_->say("load " + file);
  const std::string answer = process_->hear();
  if (answer.substr(0, 6) == "error ") {
    error = answer.substr(6);
    return nullptr;
  }
  auto model = std::make_unique<Model3>(process_);
  model->nv = std::atoi(answer.substr(6).c_str());
  return model;
}

}  // namespace sinew::models
