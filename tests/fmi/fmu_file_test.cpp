// Archives of others: what is wrong or hostile in them is refused before anything is unpacked or run.
#include "sinew/imports/fmu_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/sim/errors.h"
#include "tests/support/fmi_client.h"
#include "tests/support/folder.h"

namespace sinew::imports {
namespace fmu_file_test {

using ::testing::HasSubstr;

const char* const fmi2_description =
    R"(<fmiModelDescription fmiVersion="2.0" modelName="law" guid="{1}">
<CoSimulation modelIdentifier="law"/>
<ModelVariables>
<ScalarVariable name="q" valueReference="7" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="tau" valueReference="9" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="n" valueReference="1" causality="output"><Integer/></ScalarVariable>
</ModelVariables></fmiModelDescription>)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<ZipFile> sound() {
  return {{"modelDescription.xml", fmi2_description}, {"binaries/linux64/law.so", "code"}, {"resources/a.txt", "a"}};
}

// What is said about an archive; empty: it is taken.
std::string refusal(const std::string& bytes) {
  test::Folder folder;
  test::write_bytes(folder / "law.fmu", bytes);
  try {
    read_fmu(folder / "law.fmu");
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("law.fmu"));
    return e.what();
  }
  return {};
}
std::string refusal_of_files(const std::vector<ZipFile>& files) { return refusal(zip(files)); }
std::string refusal_of_description(const std::string& xml) {
  auto files = sound();
  files[0].content = xml;
  return refusal_of_files(files);
}

TEST(FmuFile, says_which_real_variables_it_has) {
  test::Folder folder;
  test::write_bytes(folder / "law.fmu", zip(sound()));
  const FmuFile fmu = read_fmu(folder / "law.fmu");
  EXPECT_EQ(fmu.version, 2);
  EXPECT_EQ(fmu.token, "{1}");
  EXPECT_EQ(fmu.library, "binaries/linux64/law.so");
  ASSERT_EQ(fmu.variables.size(), 2u);
  EXPECT_EQ(fmu.variables[1].name, "tau");
  EXPECT_EQ(fmu.variables[1].reference, 9u);
  EXPECT_EQ(fmu.variables[1].causality, "output");
}

TEST(FmuFile, a_path_that_leads_out_of_the_archive_is_refused) {
  for (const char* name : {"../evil", "/etc/evil", "resources/../../evil", "a\\..\\evil", "C:/evil", "./evil", ".."}) {
    auto files = sound();
    files.push_back({name, "x"});
    EXPECT_THAT(refusal_of_files(files), HasSubstr("leads out")) << name;
    test::Folder folder;
    test::write_bytes(folder / "law.fmu", zip(files));
    EXPECT_THROW(unpack_fmu(folder / "law.fmu", folder / "to"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "evil")) << name;
  }
}

TEST(FmuFile, a_bomb_is_refused_unopened) {
  auto files = sound();
  files.push_back({"resources/zeros", std::string(8u << 20, '\0')});
  EXPECT_THAT(refusal_of_files(files), HasSubstr("grows"));
  std::string liar = zip(sound());  // says that it is larger than it is
  const std::size_t list = liar.find("PK\1\2");
  for (int i = 0; i < 4; i++) liar[list + 24 + std::size_t(i)] = '\x7f';
  EXPECT_NE(refusal(liar), "");
}

TEST(FmuFile, missing_parts_are_named) {
  auto files = sound();
  EXPECT_EQ(refusal_of_files(files), "");
  EXPECT_THAT(refusal_of_files({files[1], files[2]}), HasSubstr("no modelDescription.xml"));
  EXPECT_THAT(refusal_of_files({files[0], files[2]}), HasSubstr("no binaries/linux64/law.so"));
  files.push_back(files[2]);
  EXPECT_THAT(refusal_of_files(files), HasSubstr("twice"));
  EXPECT_THAT(refusal("no archive at all, but long enough to be one"), HasSubstr("no ZIP archive"));
}

TEST(FmuFile, descriptions_of_what_cannot_be_used_are_refused) {
  const std::string xml = fmi2_description;
  EXPECT_THAT(refusal_of_description(with(xml, "fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"")), HasSubstr("FMI 1.0"));
  EXPECT_THAT(refusal_of_description(with(xml, "CoSimulation", "ModelExchange")), HasSubstr("co-simulation"));
  EXPECT_THAT(refusal_of_description(with(xml, "\"law\"/>", "\"../law\"/>")), HasSubstr("no name of a library"));
  EXPECT_THAT(refusal_of_description(with(xml, "\"law\"/>", "\"law\" needsExecutionTool=\"true\"/>")),
              HasSubstr("program"));
  EXPECT_THAT(refusal_of_description(with(xml, "\"7\"", "\"-7\"")), HasSubstr("value reference"));
  EXPECT_NE(refusal_of_description("<a><b></a>"), "");
  EXPECT_THAT(refusal_of_description("<a/>"), HasSubstr("no description"));
}

TEST(FmuFile, archives_that_are_cut_or_changed_anywhere_do_no_harm) {
  const std::string bytes = zip(sound());
  for (std::size_t n = 0; n < bytes.size(); n += 7) EXPECT_NE(refusal(bytes.substr(0, n)), "") << n;
  for (std::size_t n = 0; n < bytes.size(); n += 5) {
    std::string changed = bytes;
    changed[n] = char(changed[n] ^ 0x55);
    refusal(changed);  // taken or refused
  }
}

}  // namespace fmu_file_test
}  // namespace sinew::imports
