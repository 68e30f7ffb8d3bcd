// What the files that read MJCF share: the robot as far as it is read, and geoms with all that decides what they touch.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/imports/height_map.h"
#include "sinew/imports/mesh_file.h"
#include "sinew/imports/mjcf_document.h"
#include "sinew/imports/robot.h"
#include "sinew/parts/shape/solid.h"

namespace sinew::imports {

enum class MeshInertia { Legacy, Convex, Exact, Shell };

struct MjcfMesh {
  std::string file, written;
  Vec3d scale = Vec3d(1, 1, 1);
  std::vector<Vec3d> points = {};                  // given in the file itself
  std::vector<std::array<int, 3>> triangles = {};  // the same; none: those of the hull
  MeshInertia inertia = MeshInertia::Legacy;
  Posed X = Posed::identity();  // refpos and refquat: taken off the vertices
};

struct MjcfField {  // of heights
  HeightValues heights;
  double radius_x = 0, radius_y = 0;
};

struct MjcfGeom {
  RobotShape shape;
  int body = -1;  // -1: the world
  bool plane = false, missing = false;
  std::string field = {};  // of heights, instead of a shape
  int contype = 1, conaffinity = 1, condim = 3, priority = 0;
  double friction[3] = {1, 0.005, 0.0001};
  double mass = -1, density = 1000;
  double group = 0;
  Vec3d radii = Vec3d::zero();  // of an ellipsoid
  MeshInertia inertia = MeshInertia::Legacy;
  std::optional<Solid> solid = {};  // of a mesh: what its triangles enclose
};

struct MjcfSite {
  std::string name;
  int body = -1;  // -1: the world
  Posed X_BS = Posed::identity();
};

struct MjcfLength {  // of a joint or a fixed tendon: sum of coef q
  std::vector<RobotCoupling::Term> terms = {};
  double at_ref = 0;
};

// What a length is by one joint alone, where couplings tell what the others do: coef q + offset.
struct MjcfByOneJoint {
  std::string joint;
  double coef = 0, offset = 0;
};

struct MjcfRobot {
  MjcfDocument& document;
  ImportedRobot robot = {};
  std::map<std::string, MjcfMesh> meshes = {};
  std::map<std::string, MjcfField> fields = {};
  std::vector<MjcfGeom> geoms = {};
  std::vector<MjcfSite> sites = {};
  std::map<std::string, MjcfLength> tendons = {};  // fixed ones
  std::vector<bool> has_inertial = {};             // by body
};

// mjcf_geoms.cpp
void read_mjcf_assets(MjcfRobot& m);
void read_mjcf_geom(MjcfRobot& m, pugi::xml_node node, const std::string& childclass, const Posed& X_BF, int body);
void weigh_mjcf_bodies(MjcfRobot& m);  // mass and inertia from geoms, where the file wants it

// mjcf_mesh_inertia.cpp
Solid solid_of_mjcf_mesh(const MeshData& data, MeshInertia mode);

// mjcf_heights.cpp: fields of heights among the assets
void read_mjcf_heights(MjcfRobot& m);

// mjcf_contacts.cpp: what touches what, the ground, surfaces
void read_mjcf_contacts(MjcfRobot& m);

// mjcf_sensors.cpp
void read_mjcf_sensors(MjcfRobot& m);

// mjcf_couplings.cpp: equality of joints and of fixed tendons
void read_mjcf_couplings(MjcfRobot& m);
std::optional<MjcfByOneJoint> by_one_joint(const MjcfRobot& m, const std::string& tendon);

// mjcf_loops.cpp: equality of bodies, where they are when all joints are at their ref
void read_mjcf_loops(MjcfRobot& m);

// mjcf_inertia.cpp: what a joint with one axis moves at ref, all that hangs on it and its armature; 0: there is no such joint [kg m^2 or kg]
double inertia_at_ref(const ImportedRobot& robot, const std::string& joint);

// mjcf_drives.cpp: actuators, keyframes
void read_mjcf_drives(MjcfRobot& m);

}  // namespace sinew::imports
