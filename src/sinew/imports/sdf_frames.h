// Frames of SDF. Links, joints, frames and models in models have names in the scope of their model and poses that are seen from one
// another, X_MF = X_MR X_RF with R named by relative_to. A pose is what the file says; where it leads is found here.
#pragma once
#include <pugixml.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/imports/xml.h"
#include "sinew/math/spatial.h"

namespace sinew::imports {

struct SdfFrame {
  Posed X = Posed::identity();  // as seen from `from`
  std::string from = {};        // empty: the model's own axes
  std::string attached = {};    // of a frame, and a joint, whose child it is: what carries it
  int link = -1;                // of a link: its number
  int scope = -1;               // of a model: its scope
  std::string placement = {};   // of a model: which of its frames X is about; empty: its own axes
};

struct SdfScope {  // a model, or the world
  std::string name = {};
  int parent = -1;
  std::string canonical = {};  // the link that the model's own axes hang on; empty: the first
  std::map<std::string, SdfFrame> frames = {};
  int first_link = -1;
};

inline constexpr int sdf_world = -1, sdf_nothing = -2;

struct SdfFrames {
  std::vector<SdfScope> scopes = {};

  // In the axes of the scope; none: there is no such frame, or they lead in a circle.
  std::optional<Posed> pose(int scope, const std::string& name, int depth = 0) const;
  std::optional<Posed> scope_in_world(int scope) const;
  // The link that carries a frame; sdf_world or sdf_nothing.
  int link(int scope, const std::string& name, int depth = 0) const;
};

// <pose> of an element, with what it is seen from.
Posed read_sdf_pose(XmlFile& xml, pugi::xml_node of, std::string& from);

// Text of a child as numbers; what is none is a problem of the file.
double sdf_number(XmlFile& xml, pugi::xml_node of, const char* name, double fallback);
Vec3d sdf_vector(XmlFile& xml, pugi::xml_node of, const char* name, const Vec3d& fallback);
bool sdf_flag(XmlFile& xml, pugi::xml_node of, const char* name, bool fallback);
std::string trimmed_sdf(const std::string& text);
std::string sdf_text(XmlFile& xml, pugi::xml_node of, const char* name);

}  // namespace sinew::imports
