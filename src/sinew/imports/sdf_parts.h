// What the files that read SDF share: links and joints as the file has them, before they become a tree.
#pragma once
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sinew/imports/model_files.h"
#include "sinew/imports/robot.h"
#include "sinew/imports/sdf_frames.h"

namespace sinew::imports {

struct SdfLink {
  RobotBody body;
  std::string name;          // in its scope
  int scope = 0, model = 0;  // its model, and the outermost model that holds it
  Posed X_M = Posed::identity(), X_W = Posed::identity();
  bool is_static = false, self_collide = false;

  bool is_no_body() const { return is_static && body.shapes.empty(); }  // but ground, or looks
};

struct SdfJoint {
  std::string name = {}, type = {}, parent = {}, child = {}, frame = {};  // frame: its name among those of its scope
  int scope = 0;
  double version = 1.6;
  Posed X_M = Posed::identity();
  pugi::xml_node node;
};

// What stands in an <include>, for the model that was put in its place.
struct SdfInclude {
  pugi::xml_node node;
  double version = 1.6;  // of the file that was put in
};

struct SdfRobot {
  XmlFile& xml;
  const ModelFolders& folders;
  ImportedRobot robot = {};
  SdfFrames frames = {};
  std::vector<SdfLink> links = {};
  std::vector<SdfJoint> joints = {};
  std::map<const void*, SdfInclude> included = {};  // by the element of the model
  std::set<std::string> accepted = {};              // elements without effect here
  Surface ground = {};
  bool is_world = false;

  // A file that a node names, seen from the file in which the node stands.
  FoundFile find(pugi::xml_node node, const std::string& uri) const;
  void accept(pugi::xml_node of, std::initializer_list<const char*> names);
};

// sdf_include.cpp: every <include> below a node is followed by the models of its file.
void put_in_sdf_includes(SdfRobot& r, pugi::xml_node root);

// sdf_shapes.cpp
void read_sdf_inertial(SdfRobot& r, pugi::xml_node link, RobotBody& body);
void read_sdf_collision(SdfRobot& r, pugi::xml_node collision, SdfLink& link, const Posed& X_BS);
void rub_sdf_ground(SdfRobot& r);  // friction and bounce of each shape with the ground

// sdf_joints.cpp
void read_sdf_joint(SdfRobot& r, pugi::xml_node node, int scope, double version);
void build_sdf_tree(SdfRobot& r);

}  // namespace sinew::imports
