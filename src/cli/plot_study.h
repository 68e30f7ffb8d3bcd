// Pictures of studies for `sinew plot`.
#pragma once
#include <string>
#include <vector>

namespace cli {

struct StudyPicture {
  std::vector<std::string> heatmap, lines, polar;  // X Y RESULT; X RESULT; ANGLE RADIUS CONDITION
  std::string parallel;                            // columns, or "all"
  bool is_asked() const { return !heatmap.empty() || !lines.empty() || !polar.empty() || !parallel.empty(); }
};

// Is it a study's file? Then it is drawn. Throws InputError: it is none, and a picture of one is asked for.
bool plot_if_study(const std::string& file, const StudyPicture& picture, const std::string& title,
                   const std::string& output);

// Where a picture of a study goes that nobody has named a place for: STUDY.heatmap.svg. Throws InputError if it is none.
std::string picture_beside_study(const std::string& file, const StudyPicture& picture);

}  // namespace cli
