// Figures: panels of curves one above the other, drawn for paper and screen. Plain data; gnuplot draws it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::figure {

// y over x, point by point. Where one of them is not finite, the curve has a gap.
struct Curve {
  std::string label;
  std::vector<double> x, y;
  bool filled = false;      // its pieces are closed and filled
  std::string colour = {};  // "#0072B2"; empty: the next one of a list
  bool dotted = false;      // points that are not connected
};

struct Axis {
  std::string label, unit;    // shown as "label [unit]"; a unit of "1" is not shown
  bool is_logarithm = false;  // of x alone: numbers are decadic logarithms, ticks show what they are of
};

struct Panel {
  Axis x, y;
  std::vector<Curve> curves;
  bool equal_axes = false;                // one unit is equally long along both axes
  std::vector<std::string> x_names = {};  // instead of numbers along x: what stands at 1, 2, ...
  std::vector<std::string> y_names = {};  // the same along y, from the top to 1
};

// Panels whose x axes have the same name share one, unless axes are equal or have names.
struct Figure {
  std::string title, subtitle;
  std::vector<Panel> panels;
};

enum class Format { Svg, Png };

// By the ending of the path, .svg or .png; nothing: another ending.
std::optional<Format> format_of(std::string_view path);

// The content of the file. The same figure gives the same bytes. Throws Error.
std::string draw(const Figure& figure, Format format);

// Draws into a file, whose ending must be .svg or .png. The file appears complete or not at all. Throws Error.
void render(const Figure& figure, const std::string& path);

}  // namespace sinew::figure
