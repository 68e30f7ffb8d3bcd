// An MJCF file with what it includes: default classes resolved, angles in radians, orientations as matrices, and what of it is
// understood. Rules: MuJoCo's XML reference; a class of an element replaces the childclass of the bodies above, and defaults of a class
// are those of its parent with its own over them.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sinew/imports/model_files.h"
#include "sinew/imports/xml.h"
#include "sinew/math/spatial.h"

namespace sinew::imports {

struct MjcfCompiler {
  bool degrees = true, autolimits = true, balance_inertia = false;
  std::string eulerseq = "xyz", meshdir = {}, inertia_from_geom = "auto";
  double group_low = 0, group_high = 5;  // of geoms that count for inertia
  double bound_mass = 0, bound_inertia = 0, total_mass = -1;
  bool exact_meshes = false, strip_path = false;
};

class MjcfDocument {
 public:
  MjcfDocument(XmlFile& xml, const ModelFolders& folders);

  XmlFile& xml;
  const ModelFolders& folders;
  MjcfCompiler compiler;

  // The text of an attribute of an element of this kind: its own, else that of its class, else of the class of the bodies above.
  std::optional<std::string> text(pugi::xml_node node, const std::string& name, const std::string& childclass);
  std::string text(pugi::xml_node node, const std::string& name, const std::string& childclass,
                   const std::string& fallback);
  std::vector<double> numbers(pugi::xml_node node, const std::string& name, const std::string& childclass);
  double number(pugi::xml_node node, const std::string& name, const std::string& childclass, double fallback);
  Vec3d vector(pugi::xml_node node, const std::string& name, const std::string& childclass, const Vec3d& fallback);
  bool flag(pugi::xml_node node, const std::string& name, const std::string& childclass, bool fallback);

  // pos with quat, axisangle, xyaxes, zaxis or euler.
  Posed pose(pugi::xml_node node, const std::string& childclass);
  double angle(double x) const;  // as the file writes it -> rad

  // Marks what is understood in an element, and remembers what is accepted without effect.
  // kind: of elements whose name means another thing elsewhere.
  void accept(pugi::xml_node node, const std::string& kind = {});
  void accept_all(pugi::xml_node node, const std::string& why);  // with all in it, as accepted without effect
  void report_accepted();

  std::vector<pugi::xml_node> sections(const char* name);  // of the root, all of this name

 private:
  void include(pugi::xml_node node);
  void read_compiler(pugi::xml_node node);
  void read_defaults(pugi::xml_node node, const std::string& parent, bool top);
  Mat3d orientation(pugi::xml_node node, const std::string& childclass);
  Mat3d euler(const std::vector<double>& e) const;

  struct Class {
    std::string parent;
    std::map<std::string, std::map<std::string, std::string>> elements;
  };
  std::map<std::string, Class> classes_;
  std::map<std::string, std::string> aliases_;
  std::set<std::string> included_, unknown_;
  std::map<std::string, int> accepted_;
};

}  // namespace sinew::imports
