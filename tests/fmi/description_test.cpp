// The rules of model descriptions that importers rely on, stated here one by one after the standards' texts (FMI 2.0.4, 2.2; FMI 3.0.2, 2.4).
#include "sinew/fmi/model_description.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/files/zip.h"
#include "sinew/fmi/units.h"
#include "tests/support/fmi_client.h"
#include "tests/support/shipped.h"

namespace sinew::fmi {
namespace description_test {

std::vector<std::string> tags(const std::string& xml, const std::string& name) {
  std::vector<std::string> out;
  for (std::size_t at = xml.find("<" + name + " "); at != xml.npos; at = xml.find("<" + name + " ", at + 1))
    out.push_back(xml.substr(at, xml.find('>', at) - at));
  return out;
}

std::string description(const std::string& scenario, int version, Part part = Part::Scenario) {
  const auto experiment = test::shipped_experiment(scenario);
  const auto variables = variables_of(experiment, part);
  return model_description({version, scenario, "a <title> & \"more\"", "{token}", 1e-3, 10.0, 1e-3}, variables);
}

void expect_rules(const std::string& xml, int version) {
  const auto variables = test::described(xml);
  ASSERT_GT(variables.size(), 1u);
  std::set<std::string> names, units;
  std::set<std::uint32_t> references, outputs, listed, initial;
  for (const std::string& unit : tags(xml, "Unit")) units.insert(test::attribute(unit, "name"));
  for (const auto& v : variables) {
    EXPECT_TRUE(names.insert(v.name).second) << v.name << " is there twice";
    EXPECT_TRUE(references.insert(v.reference).second) << v.name;
    EXPECT_TRUE(v.unit.empty() || units.contains(v.unit)) << v.name << ": " << v.unit << " is not defined";
    const bool has_start = !v.start.empty();
    EXPECT_EQ(has_start, v.causality == "input" || v.causality == "parameter") << v.name;
    EXPECT_TRUE(!has_start || std::isfinite(std::stod(v.start))) << v.name;
    const bool is_steady = v.variability == "tunable" || v.variability == "fixed";
    EXPECT_EQ(is_steady, v.causality == "parameter") << v.name;
    EXPECT_TRUE(is_steady || v.variability == "continuous") << v.name;
    if (v.causality == "output") outputs.insert(v.reference);
  }
  EXPECT_EQ(variables[0].causality, "independent");
  if (version == 2) {
    const std::size_t second = xml.find("<InitialUnknowns>");
    for (const std::string& tag : tags(xml.substr(0, second), "Unknown"))
      listed.insert(variables.at(std::stoul(test::attribute(tag, "index")) - 1).reference);
    for (const std::string& tag : tags(xml.substr(std::min(second, xml.size())), "Unknown"))
      initial.insert(variables.at(std::stoul(test::attribute(tag, "index")) - 1).reference);
  } else {
    for (const std::string& tag : tags(xml, "Output"))
      listed.insert(std::uint32_t(std::stoul(test::attribute(tag, "valueReference"))));
    for (const std::string& tag : tags(xml, "InitialUnknown"))
      initial.insert(std::uint32_t(std::stoul(test::attribute(tag, "valueReference"))));
  }
  EXPECT_EQ(listed, outputs) << "every output is in the structure";
  EXPECT_EQ(initial, outputs);
}

TEST(ModelDescription, keeps_the_rules_of_both_standards) {
  for (const char* scenario :
       {"basics/pendulum", "contact/box-drop", "snake/sidewinding", "drive/dc-motor", "hexapod/tripod"})
    for (const int version : {2, 3}) {
      SCOPED_TRACE(scenario);
      expect_rules(description(scenario, version), version);
    }
}

TEST(ModelDescription, of_parts_keeps_them_as_well) {
  for (const Part part : {Part::Robot, Part::Controller})
    for (const int version : {2, 3}) expect_rules(description("hexapod/tripod", version, part), version);
}

TEST(ModelDescription, parts_of_the_standard_stand_in_its_order) {
  for (const int version : {2, 3}) {
    const std::string xml = description("drive/dc-motor", version);
    std::size_t before = 0;
    for (const char* part : {"<fmiModelDescription ", "<CoSimulation ", "<UnitDefinitions>", "<LogCategories>",
                             "<DefaultExperiment ", "<ModelVariables>", "<ModelStructure>"}) {
      const std::size_t at = xml.find(part);
      ASSERT_NE(at, xml.npos) << part;
      EXPECT_GT(at + 1, before) << part;
      before = at;
    }
    EXPECT_EQ(xml.find("a <title>"), xml.npos) << "texts are escaped";
  }
}

TEST(ModelDescription, a_controller_reads_what_the_robot_writes_and_the_other_way_round) {
  const auto experiment = test::shipped_experiment("hexapod/tripod");
  std::set<std::string> robot_in, robot_out;
  for (const Variable& v : variables_of(experiment, Part::Robot))
    (v.causality == Causality::Input ? robot_in : robot_out).insert(v.name);
  for (const Variable& v : variables_of(experiment, Part::Controller)) {
    EXPECT_TRUE(v.causality != Causality::Input || robot_out.contains(v.name)) << v.name;
    EXPECT_TRUE(v.causality != Causality::Output || robot_in.contains(v.name)) << v.name;
  }
}

TEST(ModelDescription, units_are_those_of_the_si) {
  const BaseUnit torque = base_unit("N m/rad").value();
  EXPECT_EQ(torque.exponents, (std::array<int, 8>{1, 2, -2, 0, 0, 0, 0, -1}));
  EXPECT_EQ(base_unit("W").value().exponents, base_unit("N m/s").value().exponents);
  EXPECT_EQ(base_unit("V").value().exponents, base_unit("W/A").value().exponents);
  EXPECT_EQ(base_unit("m/s^2").value().exponents, (std::array<int, 8>{0, 1, -2, 0, 0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(base_unit("deg/s").value().factor * 180.0, std::acos(-1.0));
  EXPECT_FALSE(base_unit("as observed"));
}

TEST(ModelDescription, the_name_of_the_library_is_an_identifier) {
  EXPECT_EQ(identifier_of("snake/side-winding"), "snake_side_winding");
  EXPECT_EQ(identifier_of("3d"), "sinew_3d");
  EXPECT_EQ(identifier_of(std::string(100, 'a')).size(), 64u);
}

}  // namespace description_test
}  // namespace sinew::fmi
