#include "sinew/record/mcap_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "sinew/record/mcap_writer.h"
#include "tests/support/folder.h"

namespace mcap_reader_test {
using namespace sinew;
using namespace sinew::record;

std::string written(const std::string& library, const std::string& schema, int messages) {
  std::string bytes;
  McapWriter writer(library, [&](std::string_view part) { bytes += part; });
  const std::uint16_t one = writer.add_channel(writer.add_schema(schema, "{}"), "/signals");
  const std::uint16_t two = writer.add_channel(writer.add_schema("arm.States", "{}"), "/arm");
  for (int i = 0; i < messages; i++) {
    const auto time = 5'000'000'000 + 10'000'000 * std::uint64_t(i);
    writer.add_message(one, time, "{\"com.p.x\": " + std::to_string(i) + ", \"bad\": null}");
    if (i % 2 == 0)
      writer.add_message(two, time,
                         R"({"joints": [{"name": "knee", "q": 0.5, "on": true}, {"q": 2}], "list": [1, [2, 3]]})");
  }
  writer.finish();
  return bytes;
}

TimedTable read(const std::string& bytes) {
  const test::Folder folder;
  const std::string file = folder / "data.mcap";
  std::ofstream(file, std::ios::binary) << bytes;
  return read_mcap(file);
}

std::string refused(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

const std::vector<double>& column(const TimedTable& table, const std::string& name) {
  for (std::size_t i = 0; i < table.names.size(); i++)
    if (table.names[i] == name) return table.values[i];
  throw std::out_of_range(name);
}

TEST(McapReader, numbers_are_columns_by_their_way_and_rows_by_their_time) {
  const TimedTable table = read(written("sinew test", "sinew.Signals", 4));
  ASSERT_EQ(table.t.size(), 4u);
  EXPECT_DOUBLE_EQ(table.t[3], 5.03) << "times of sinew stand as they are";
  EXPECT_EQ(column(table, "com.p.x"), (std::vector<double>{0, 1, 2, 3}));
  const std::vector<double>& knee = column(table, "/arm.joints.knee.q");
  EXPECT_EQ(knee[2], 0.5);
  EXPECT_TRUE(std::isnan(knee[1])) << "no message at that time";
  EXPECT_EQ(column(table, "/arm.joints[1].q")[0], 2.0);
  EXPECT_EQ(column(table, "/arm.list[1][1]")[0], 3.0);
  EXPECT_EQ(table.names.size(), 6u) << "what is no number is no column";
}

TEST(McapReader, times_of_others_begin_at_their_first_message) {
  const TimedTable table = read(written("robot", "arm.Signals", 3));
  EXPECT_DOUBLE_EQ(table.t[0], 0.0);
  EXPECT_DOUBLE_EQ(table.t[2], 0.02);
  EXPECT_EQ(column(table, "/signals.com.p.x")[1], 1.0);
}

TEST(McapReader, what_is_cut_off_is_lost_alone_and_what_is_damaged_is_told) {
  std::string bytes = written("sinew", "sinew.Signals", 9000);  // more than one chunk
  const std::size_t all = read(bytes).t.size(), cut = read(bytes.substr(0, bytes.size() * 2 / 3)).t.size();
  EXPECT_EQ(all, 9000u);
  EXPECT_GT(cut, 2000u);
  EXPECT_LT(cut, 7000u);
  bytes[bytes.size() / 3] ^= 1;
  EXPECT_NE(refused(bytes).find("checksum"), std::string::npos);
  EXPECT_NE(refused("no such thing").find("no MCAP file"), std::string::npos);
  EXPECT_NE(refused(std::string(mcap::magic)).find("no numbers"), std::string::npos);
}

TEST(McapReader, compressed_chunks_are_refused_with_the_way_out) {
  std::string bytes = written("sinew", "sinew.Signals", 2);
  std::string chunk(8 * 3 + 4, '\0');
  chunk += std::string("\x03\0\0\0lz4", 7) + std::string(8, '\0');
  std::string record(1, char(mcap::Opcode::Chunk));
  record += char(chunk.size());
  record += std::string(7, '\0') + chunk;
  EXPECT_NE(refused(bytes.insert(mcap::magic.size(), record)).find("lz4"), std::string::npos);
}

// Whatever stands in a file: an answer or an Error, never anything else.
TEST(McapReader, damaged_files_do_no_harm) {
  const std::string sound = written("robot", "sinew.Signals", 6);
  std::mt19937 random(7);
  int answers = 0;
  for (int i = 0; i < 400; i++) {
    std::string bytes = sound;
    for (int k = 0; k < 1 + i % 5; k++) bytes[random() % 900] = char(random());
    try {
      read(bytes);
      answers++;
    } catch (const Error&) {
    }
  }
  EXPECT_LT(answers, 400);
}

TEST(JsonLog, the_longest_list_of_objects_is_the_log) {
  const test::Folder folder;
  const std::string file = folder / "log.json";
  std::ofstream(file) << R"({"mass": 0.5, "tries": [{"a": 1}], "log": {"entries": [
    {"timestamp": 0.0, "position": 0.1, "on": true}, {"timestamp": 0.01, "position": 0.2, "load": null, "speed": 3}]}})";
  const TimedTable table = read_json_log(file, "timestamp");
  EXPECT_EQ(table.t, (std::vector<double>{0.0, 0.01}));
  EXPECT_EQ(column(table, "position"), (std::vector<double>{0.1, 0.2}));
  EXPECT_TRUE(std::isnan(column(table, "speed")[0]));
  try {
    read_json_log(file, "t");
    FAIL() << "there is no t";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("--time, or give --rate; there are position, timestamp"), std::string::npos)
        << e.what();
  }
  EXPECT_EQ(read_json_log(file, "", 50.0).t, (std::vector<double>{0.0, 0.02}));
  std::ofstream(file) << "{\"a\": [1, 2]}";
  EXPECT_THROW(read_json_log(file, "t"), Error);
  EXPECT_THROW(read_json_log(folder / "none.json", "t"), FileError);
}

}  // namespace mcap_reader_test
