// Where everything in a figure goes. All lengths in pixels from the top left corner.
#pragma once
#include <string>
#include <vector>

#include "sinew/figure/axis.h"
#include "sinew/figure/figure.h"

namespace sinew::figure {

inline constexpr double title_size = 17.0, text_size = 13.0, tick_size = 12.0;  // of fonts
inline constexpr double row_height = 19.0;                                      // of a legend
inline constexpr double sample_width = 34.0;                                    // of the line beside its entry

struct PanelLayout {
  double left = 0.0, top = 0.0, width = 0.0, height = 0.0;  // of the box inside the axes
  Extent x, y;                                              // shown
  Ticks x_ticks, y_ticks;
  std::string x_text, y_text;  // x_text empty: the panel below has the axis
};

struct Layout {
  double width = 0.0, height = 0.0;
  std::vector<std::string> title, subtitle;  // lines
  std::vector<PanelLayout> panels;
};

Layout lay_out(const Figure& figure);

}  // namespace sinew::figure
