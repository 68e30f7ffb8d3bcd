// Tries all combinations of one robot of the cross, from number FROM on; for scripts/cross. A line each, with tabs between:
//   number  law  method  coordinates  ground  adhesion  verdict  seconds  command  why
// The first fields are printed before the run, so that a crash shows where it happened.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/cross.h"

int main(int argc, char** argv) {
  using namespace sinew::support;
  if (argc < 2) {
    for (const CrossRobot& robot : cross_robots()) std::printf("%s\n", std::string(robot.name).c_str());
    return 0;
  }
  int robot = -1;
  for (int i = 0; i < int(cross_robots().size()); i++)
    if (cross_robots()[std::size_t(i)].name == argv[1]) robot = i;
  if (robot < 0) {
    std::fprintf(stderr, "no robot of the cross is named %s\n", argv[1]);
    return 2;
  }
  const auto all = combinations_of(robot);
  for (std::size_t n = argc > 2 ? std::size_t(std::atoi(argv[2])) : 0; n < all.size(); n++) {
    std::printf("%zu", n);
    for (int f = 0; f < factor_count; f++)
      std::printf("\t%s", std::string(levels_of(CrossFactor(f))[std::size_t(all[n].level[f])]).c_str());
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = try_out(all[n]);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (char& letter : outcome.why)
      if (letter == '\n' || letter == '\t') letter = ' ';
    static constexpr const char* verdicts[] = {"certified", "refused", "fault"};
    std::printf("\t%s\t%.3f\t%s\t%s\n", verdicts[int(outcome.verdict)], seconds, command_of(all[n]).c_str(),
                outcome.why.c_str());
    std::fflush(stdout);
  }
}
