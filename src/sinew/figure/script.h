// A figure as commands for gnuplot, complete with its data.
#pragma once
#include <string>

#include "sinew/figure/figure.h"

namespace sinew::figure {

struct Script {
  std::string text;   // writes the picture to standard output
  int width, height;  // of the picture [px]
};

Script script_of(const Figure& figure, Format format);

}  // namespace sinew::figure
