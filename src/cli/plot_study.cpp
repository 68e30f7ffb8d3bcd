#include "cli/plot_study.h"

#include <fmt/format.h>

#include <filesystem>

#include "sinew/sim/errors.h"
#include "sinew/study/plots.h"

namespace cli {
namespace {

namespace study = sinew::study;

std::vector<std::string> columns_in(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; list != "all" && begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

sinew::figure::Figure picture_of(const study::StudyFile& file, const StudyPicture& p) {
  if (!p.heatmap.empty()) return study::plot_heatmap(file, p.heatmap[0], p.heatmap[1], p.heatmap[2]);
  if (!p.lines.empty()) return study::plot_lines(file, p.lines[0], p.lines[1]);
  if (!p.polar.empty()) return study::plot_polar(file, p.polar[0], p.polar[1], p.polar[2]);
  if (!p.parallel.empty()) return study::plot_parallel(file, columns_in(p.parallel));
  return study::plot_study(file, "");
}

}  // namespace

bool plot_if_study(const std::string& file, const StudyPicture& picture, const std::string& title,
                   const std::string& output) {
  if (!sinew::record::is_table(file)) {
    std::error_code error;
    if (picture.is_asked() && std::filesystem::exists(file, error))
      throw sinew::InputError(fmt::format(
          "{}: it is no study: --heatmap, --lines, --polar and --parallel are for files of sinew sweep", file));
    return false;
  }
  if (int(!picture.heatmap.empty()) + int(!picture.lines.empty()) + int(!picture.polar.empty()) +
          int(!picture.parallel.empty()) >
      1)
    throw sinew::InputError("--heatmap, --lines, --polar, --parallel: each is a picture: leave all but one out");
  sinew::figure::Figure figure = picture_of(study::read_study(file), picture);
  if (!title.empty()) figure.title = title;
  sinew::figure::render(figure, output);
  return true;
}

std::string picture_beside_study(const std::string& file, const StudyPicture& picture) {
  std::error_code error;
  if (std::filesystem::exists(file, error) && !sinew::record::is_table(file))
    throw sinew::InputError("command line: --output is required: see sinew plot --help");
  const char* ending = !picture.heatmap.empty()    ? ".heatmap.svg"
                       : !picture.lines.empty()    ? ".lines.svg"
                       : !picture.polar.empty()    ? ".polar.svg"
                       : !picture.parallel.empty() ? ".parallel.svg"
                                                   : ".svg";
  return std::filesystem::path(file).replace_extension(ending).string();
}

}  // namespace cli
