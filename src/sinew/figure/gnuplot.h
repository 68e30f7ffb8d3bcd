// Runs gnuplot as a child process, without a shell.
#pragma once
#include <string>

namespace sinew::figure {

// What gnuplot writes to standard output for this script. Throws Error: it is missing, or it failed.
std::string run_gnuplot(const std::string& script);

}  // namespace sinew::figure
