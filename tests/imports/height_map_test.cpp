#include "sinew/imports/height_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "sinew/imports/import.h"
#include "sinew/parts/terrain/height.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/folder.h"
#include "tests/support/grey_png.h"
#include "tests/support/mujoco.h"

namespace sinew {
namespace height_map_test {

sim::Experiment experiment_of(const std::string& text, const std::string& file) {
  return text::parse_experiment(imports::import_model_text(text, file).text, "robot.toml");
}

// Elevations from an image, from MuJoCo's own file and, which MuJoCo 2.2 does not know, in the text.
TEST(HeightMap, of_mjcf_is_where_mujoco_has_it) {
  const test::Folder folder;
  std::vector<int> pixels;
  for (int i = 0; i < 20; i++) pixels.push_back(20 + i * i * 7 % 200);
  std::ofstream(folder / "hills.png", std::ios::binary) << test::grey_png(5, 4, pixels);
  const std::int32_t size[2] = {4, 5};
  std::ofstream binary(folder / "hills.bin", std::ios::binary);
  binary.write(reinterpret_cast<const char*>(size), sizeof size);
  std::string elevation;
  for (int i = 0; i < 20; i++) {
    const auto z = float(pixels[std::size_t(i)]);
    binary.write(reinterpret_cast<const char*>(&z), sizeof z);
    elevation += std::to_string(pixels[std::size_t(i)]) + " ";
  }
  binary.close();
  const auto text = [](const std::string& field, const std::string& place) {
    return "<mujoco><asset><hfield name=\"h\" size=\"2 1.5 0.8 0.1\" " + field +
           "/></asset><worldbody><geom type=\"hfield\" hfield=\"h\" " + place +
           "/><body pos=\"0 0 9\"><freejoint/><geom size=\"0.1\"/></body></worldbody></mujoco>";
  };
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 60; i++) points.push_back({1.3 - 1.9 * std::sin(1.7 * i), 0.2 + 1.4 * std::cos(2.9 * i)});
  for (const std::string& field : {std::string("file=\"hills.png\""), std::string("file=\"hills.bin\"")}) {
    for (const std::string& place :
         {std::string("pos=\"1.3 0.2 0.4\""), std::string("pos=\"1.3 0.2 0.4\" euler=\"0 0 180\"")}) {
      const std::string file = folder / "scene.xml";
      std::ofstream(file) << text(field, place);
      const auto e = experiment_of(text(field, place), file);
      const auto theirs = support::heights_by_mujoco(file, points);
      ASSERT_EQ(theirs.size(), points.size());
      for (std::size_t i = 0; i < points.size(); i++)
        EXPECT_NEAR(height_at(e.plan().ground.terrain, points[i][0], points[i][1]), theirs[i], 2e-7)
            << i;  // theirs are floats
    }
  }
  const auto plain = [&](const std::string& field) {
    return experiment_of(text(field, ""), folder / "s.xml").plan().ground.terrain.field.z;
  };
  const auto written = plain("nrow=\"4\" ncol=\"5\" elevation=\"" + elevation + "\""),
             seen = plain("file=\"hills.png\"");
  ASSERT_EQ(written.size(), seen.size());
  for (std::size_t i = 0; i < seen.size(); i++) EXPECT_NEAR(written[i], seen[i], 1e-15);
}

TEST(HeightMap, of_sdf_is_the_ground) {
  const test::Folder folder;
  const std::int32_t size[2] = {2, 3};
  const float z[6] = {0, 1, 2, 3, 4, 8};
  std::ofstream out(folder / "hills.bin", std::ios::binary);
  out.write(reinterpret_cast<const char*>(size), sizeof size);
  out.write(reinterpret_cast<const char*>(z), sizeof z);
  out.close();
  const auto field = [](const std::string& pose, const std::string& height) {
    return "<sdf version=\"1.7\"><world name=\"w\"><model name=\"g\"><static>1</static><link name=\"l\"><collision "
           "name=\"c\">" +
           pose +
           "<geometry><heightmap><uri>hills.bin</uri><size>4 2 0.8</size><pos>1 0 "
           "0.5</pos></heightmap></geometry></collision>"
           "</link></model><model name=\"r\"><pose>1 0 " +
           height +
           " 0 0 0</pose><link name=\"a\"><collision name=\"c\"><geometry><sphere>"
           "<radius>0.1</radius></sphere></geometry></collision></link></model></world></sdf>";
  };
  const auto e = experiment_of(field("", "3"), folder / "w.sdf");
  const Terrain& ground = e.plan().ground.terrain;
  ASSERT_EQ(ground.kind, TerrainKind::Heights);
  EXPECT_EQ(ground.field.x0, -1.0);
  EXPECT_NEAR(ground.field.at(2, 1), 0.5 + 0.8, 1e-15);
  EXPECT_NEAR(ground.field.at(1, 0), 0.5 + 0.1, 1e-15);
  const auto turned = experiment_of(field("<pose>0 0 0 0 0 0.5</pose>", "3"), folder / "w.sdf");
  EXPECT_EQ(e.plan().joints[0].position[2], 3.0);
  // the highest point under the ball or beside it is 1.3 high
  EXPECT_NEAR(experiment_of(field("", "0"), folder / "w.sdf").plan().joints[0].position[2], 1.4, 1e-12);
  EXPECT_EQ(turned.plan().ground.terrain.kind, TerrainKind::Mesh);
}

TEST(HeightMap, that_is_damaged_is_refused) {
  const test::Folder folder;
  const auto write = [&](const std::string& bytes) {
    std::ofstream(folder / "h.bin", std::ios::binary) << bytes;
    return folder / "h.bin";
  };
  const std::string size("\x02\0\0\0\x02\0\0\0", 8);
  EXPECT_EQ(imports::read_heights(write(size + std::string(16, '\0'))).z.size(), 4u);
  EXPECT_THROW(imports::read_heights(write("")), InputError);
  EXPECT_THROW(imports::read_heights(write(size + std::string(15, '\0'))), InputError);
  EXPECT_THROW(imports::read_heights(write(std::string(8, '\xff') + std::string(16, '\0'))), InputError);
  EXPECT_THROW(imports::read_heights(write(size + std::string(16, '\xff'))), InputError);  // not a number
  EXPECT_THROW(imports::read_heights(write(std::string("\x89PNG", 4))), InputError);
}

}  // namespace height_map_test
}  // namespace sinew
