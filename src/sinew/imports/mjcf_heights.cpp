// <hfield> of MJCF: elevations between 0 and 1 over |x| <= size_1, |y| <= size_2, times size_3. A file of values is scaled so that the
// least is 0 and the largest 1; elevations in the file itself go from the largest y down, and without any of both the field is level.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/imports/mjcf_parts.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct HeightReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;

  bool read_file(xml_node node, const std::string& written, HeightValues& out) {
    const FoundFile found = find_model_file(doc.folders, written, doc.compiler.meshdir);
    if (found.path.empty()) {
      xml.warn(node,
               fmt::format("height field {}: {}", written,
                           found.outside ? "it is outside of the model's folders and is not read" : "no such file"));
      return false;
    }
    try {
      out = read_heights(found.path);
    } catch (const InputError& e) {
      xml.fail(node, fmt::format("height field {}", e.problems.front()));
      return false;
    }
    return true;
  }

  bool read_values(xml_node node, HeightValues& out) {
    const double rows = xml.number(node, "nrow", 0.0), columns = xml.number(node, "ncol", 0.0);
    if (!(rows >= 2.0) || !(columns >= 2.0) || rows * columns > double(max_height_points)) {
      xml.fail(node, "<hfield> needs a file, or nrow and ncol from 2 on, for a million points at most");
      return false;
    }
    out.rows = int(rows);
    out.columns = int(columns);
    const std::size_t width = std::size_t(out.columns), all = std::size_t(out.rows) * width;
    const std::vector<double> written = xml.numbers(node, "elevation");
    if (!written.empty() && written.size() != all) {
      xml.fail(node,
               fmt::format("elevation of <hfield> has {} numbers: give nrow times ncol, {}", written.size(), all));
      return false;
    }
    out.z.assign(all, 0.0);
    for (std::size_t i = 0; i < written.size(); i++)
      out.z[(std::size_t(out.rows) - 1 - i / width) * width + i % width] = written[i];
    return true;
  }

  void read(xml_node node) {
    doc.accept(node);
    const std::string written = xml.text(node, "file");
    const std::vector<double> size = xml.numbers(node, "size");
    if (size.size() != 4 || *std::ranges::min_element(size) <= 0.0)
      return xml.fail(node, "size of <hfield>: give four numbers > 0");
    MjcfField field{.heights = {}, .radius_x = size[0], .radius_y = size[1]};
    if (!(written.empty() ? read_values(node, field.heights) : read_file(node, written, field.heights))) return;
    scale_to_one(field.heights);
    for (double& z : field.heights.z) z *= size[2];
    m.fields[xml.text(node, "name", std::filesystem::path(written).stem().string())] = std::move(field);
  }
};

}  // namespace

void read_mjcf_heights(MjcfRobot& m) {
  for (const xml_node asset : m.document.sections("asset"))
    for (const xml_node node : m.document.xml.children(asset, "hfield")) HeightReader{m}.read(node);
}

}  // namespace sinew::imports
