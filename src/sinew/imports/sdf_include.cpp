// Models that SDF includes: <uri>model://NAME</uri> is the folder NAME with its model.config, which names the file by version; another
// uri is a file, or such a folder, beside the file that includes it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/imports/sdf_parts.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

constexpr int most_sdf_includes = 200;

double version_of(xml_node root) { return root.attribute("version").as_double(1.6); }

struct SdfIncluder {
  SdfRobot& r;
  XmlFile& xml = r.xml;
  int count = 0;
  std::uintmax_t bytes = 0;
  std::set<const void*> done = {};

  // The file of the highest version that a model.config names.
  FoundFile named_by(const std::string& config) {
    XmlFile file(config);
    std::string best;
    double highest = -1.0;
    for (const xml_node sdf : file.root().children("sdf"))
      if (const double version = version_of(sdf); version > highest) {
        highest = version;
        best = trimmed_sdf(sdf.text().get());
      }
    if (best.empty()) return {};
    const std::string folder = std::filesystem::path(config).parent_path().string();
    return find_model_file({folder, folder, {}}, best);
  }

  FoundFile find(xml_node node, const std::string& uri) {
    const bool is_file = uri.ends_with(".sdf") || uri.ends_with(".world");
    if (is_file) return r.find(node, uri);
    const FoundFile config = r.find(node, uri + "/model.config");
    if (!config.path.empty()) return named_by(config.path);
    return r.find(node, uri + "/model.sdf");
  }

  // Worlds name these two as a matter of course.
  bool is_known(xml_node node, const std::string& uri) {
    if (uri == "model://sun") {
      r.accepted.insert("model://sun");
      return true;
    }
    if (uri != "model://ground_plane") return false;
    r.robot.has_ground = true;
    r.ground.mu_long = r.ground.mu_trans = 100.0;  // as Gazebo's has it
    xml.warn(node, "model://ground_plane is not there: the level ground z = 0 takes its place", NoteKind::Decision);
    return true;
  }

  // What was put in, which may include others; none: nothing.
  xml_node put_in(xml_node node) {
    const std::string uri = sdf_text(xml, node, "uri");
    const FoundFile found = uri.empty() ? FoundFile{} : find(node, uri);
    if (found.path.empty()) {
      xml.use_all(node);
      if (is_known(node, uri)) return {};
      const bool is_far = uri.starts_with("http://") || uri.starts_with("https://");
      const char* why = is_far          ? "nothing is fetched from the network"
                        : found.outside ? "it is outside of the model's folders, or robot.packages"
                                        : "no such model in folders above the file, or in robot.packages";
      xml.warn(node, fmt::format("included {}: {}: it is left out", uri, why));
      return {};
    }
    std::error_code error;
    bytes += std::filesystem::file_size(found.path, error);
    if (++count > most_sdf_includes || bytes > max_xml_bytes) {
      xml.fail(node, fmt::format("included {}: {} files and {} MB at most are put together: does it include itself?",
                                 uri, most_sdf_includes, max_xml_bytes >> 20));
      return {};
    }
    const XmlFile other(found.path);
    if (std::string_view(other.root().name()) != "sdf") {
      xml.fail(node, fmt::format("included {}: <{}> is no SDF", uri, other.root().name()));
      return {};
    }
    const xml_node first = xml.insert_before(node, other);
    for (xml_node model = first; model && model != node; model = model.next_sibling())
      r.included[model.internal_object()] = {node, version_of(other.root())};
    return first;
  }

  void expand(xml_node node) {
    for (xml_node child = node.first_child(); child && xml.problems.empty();) {
      const xml_node next = child.next_sibling();
      if (std::string_view(child.name()) == "include" && !done.contains(child.internal_object())) {
        xml.use(child);
        done.insert(child.internal_object());
        const xml_node first = put_in(child);
        child = first ? first : next;
        continue;
      }
      if (std::string_view(child.name()) == "model") expand(child);
      child = next;
    }
  }
};

}  // namespace

void put_in_sdf_includes(SdfRobot& r, xml_node root) { SdfIncluder{r}.expand(root); }

}  // namespace sinew::imports
