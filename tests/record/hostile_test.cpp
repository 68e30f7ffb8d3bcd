// Files that are damaged or made to do harm are refused, or read as far as they make sense; nothing crashes. Under the address
// sanitizer in CI.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <random>

#include "sinew/record/reader.h"
#include "sinew/record/writer.h"
#include "tests/support/folder.h"

namespace sinew::record {
namespace hostile_test {

using test::Folder;

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

// All that our programs ever do with a recording. True: it was accepted.
bool use(const std::string& file) {
  try {
    const Reader reader(file);
    std::size_t seen = reader.read_all().size();
    for (std::size_t c = 0; c < std::min<std::size_t>(reader.columns().size(), 3); c++) seen += reader.read(c).size();
    for (const char* name : {"name", "scenario", "seed", "run"}) seen += reader.attribute(name).size();
    return seen > 0;
  } catch (const Error&) {
    return false;
  }
}

std::string sound_recording(const Folder& folder, bool finished) {
  const std::string file = folder / (finished ? "sound.h5" : "cut.h5");
  std::vector<Column> columns{{"t", "s", "time"}};
  for (int i = 0; i < 12; i++) columns.push_back({"signal." + std::to_string(i), "m", "a description"});
  Writer writer(file, columns, std::vector<Attribute>{{"name", "x"}, {"scenario", std::string(3000, 'x')}}, 5);
  for (int i = 0; i < 23; i++) writer.append(std::vector<double>(columns.size(), 0.1 * i));
  if (!finished) return writer.flush(), file;
  writer.finish(std::vector<Attribute>{{"run", "{}"}});
  return file;
}

TEST(HostileRecording, truncated_anywhere_is_refused_or_read) {
  const Folder folder;
  for (const bool finished : {true, false}) {
    const std::string whole = bytes_of(sound_recording(folder, finished));
    ASSERT_TRUE(use(folder / (finished ? "sound.h5" : "cut.h5")));
    int accepted = 0;
    for (std::size_t n = 0; n < whole.size(); n += 1 + whole.size() / 300) {
      write(folder / "x.h5", whole.substr(0, n));
      accepted += use(folder / "x.h5");
    }
    EXPECT_LT(accepted, 30) << "most of them lack something that is needed";
  }
}

TEST(HostileRecording, with_bits_flipped_is_refused_or_read) {
  const Folder folder;
  for (const bool finished : {true, false}) {
    const std::string whole = bytes_of(sound_recording(folder, finished));
    std::mt19937_64 dice(7);
    int refused = 0;
    for (int n = 0; n < 600; n++) {
      std::string bytes = whole;
      const int flips = 1 << (dice() % 6);
      for (int i = 0; i < flips; i++) {
        // half of the flips where the structure is, in the first pages
        const std::size_t at = dice() % (n % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 8192));
        bytes[at] = char(bytes[at] ^ (1 << dice() % 8));
      }
      write(folder / "x.h5", bytes);
      refused += !use(folder / "x.h5");
    }
    EXPECT_GT(refused, 50);
  }
}

// A file like ours, with one thing made wrong by `spoil`.
using Spoil = std::function<void(hid_t file)>;

hid_t make_table(hid_t file, hid_t type, hsize_t rows, hsize_t columns) {
  const hsize_t size[2] = {rows, columns}, limit[2] = {H5S_UNLIMITED, columns}, chunk[2] = {4, columns};
  const hid_t space = H5Screate_simple(2, size, limit), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 2, chunk);
  const hid_t set = H5Dcreate2(file, "/samples", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sclose(space), H5Pclose(list);
  return set;
}

void put_index(hid_t file, const std::string& text, hid_t type = H5T_STD_U8LE, const char* path = "/index") {
  const hsize_t size = text.size();
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (type == H5T_STD_U8LE) H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
  H5Dclose(set), H5Sclose(space);
}

bool accepts(const Folder& folder, const Spoil& make) {
  const std::string file = folder / "made.h5";
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t handle = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  make(handle);
  H5Fclose(handle), H5Pclose(access);
  return use(file);
}

void fill(hid_t set, int numbers) {
  const std::vector<double> values(numbers, 1.0);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
}

const std::string good_index = R"({"columns": [["t","s","time"],["x","m",""]], "attributes": {}})";

void put_table(hid_t file) { fill(make_table(file, H5T_IEEE_F64LE, 8, 2), 16); }

TEST(HostileRecording, with_wrong_numbers_is_refused) {
  const Folder folder;
  EXPECT_TRUE(accepts(folder, [](hid_t f) { put_table(f), put_index(f, good_index); }));
  const std::vector<std::pair<const char*, Spoil>> wrong{
      {"none", [](hid_t) {}},
      {"a group", [](hid_t f) { H5Gclose(H5Gcreate2(f, "/samples", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }},
      {"whole numbers", [](hid_t f) { H5Dclose(make_table(f, H5T_STD_I64LE, 8, 2)); }},
      {"texts", [](hid_t f) { H5Dclose(make_table(f, H5T_C_S1, 8, 2)); }},
      {"short numbers", [](hid_t f) { H5Dclose(make_table(f, H5T_IEEE_F32LE, 8, 2)); }},
      {"rows for more than all memory", [](hid_t f) { H5Dclose(make_table(f, H5T_IEEE_F64LE, hsize_t(1) << 60, 2)); }},
      {"columns for more than all memory",
       [](hid_t f) { H5Dclose(make_table(f, H5T_IEEE_F64LE, 1, hsize_t(1) << 24)); }},
      {"a link in a circle", [](hid_t f) { H5Lcreate_soft("/samples", f, "/samples", H5P_DEFAULT, H5P_DEFAULT); }},
      {"a link to another file", [&](hid_t f) {
         const std::string other = sound_recording(folder, true);
         H5Lcreate_external(other.c_str(), "/samples", f, "/samples", H5P_DEFAULT, H5P_DEFAULT);
       }}};
  for (const auto& [what, make] : wrong)
    EXPECT_FALSE(accepts(folder, [&, &put = make](hid_t f) { put_index(f, good_index), put(f); })) << what;
}

TEST(HostileRecording, with_a_wrong_index_is_refused) {
  const Folder folder;
  const std::string deep = "{\"attributes\": {}, \"columns\": " + std::string(1'000'000, '[');
  for (const std::string& text :
       {std::string("no JSON"), std::string("[]"), std::string("{}"), deep, deep + std::string(1'000'000, ']') + "}",
        std::string(R"({"columns": [["t","s",""]], "attributes": {}})"),
        std::string(R"({"columns": [["t","s",""],["t","s",""]], "attributes": {}})"),
        std::string(R"({"columns": [["x","m",""],["t","s",""]], "attributes": {}})"),
        std::string(R"({"columns": [["t","s",""],["x","m"]], "attributes": {}})"),
        std::string(R"({"columns": [["t","s",""],["x","m",3]], "attributes": {}})"),
        std::string(R"({"columns": {"t": 1, "x": 2}, "attributes": {}})"),
        std::string(R"({"columns": [["t","s",""],["x","m",""]], "attributes": []})"), good_index + "\xff"})
    EXPECT_FALSE(accepts(folder, [&](hid_t f) { put_table(f), put_index(f, text); })) << text.substr(0, 80);
  EXPECT_FALSE(accepts(folder, [](hid_t f) { put_table(f), put_index(f, good_index, H5T_STD_I64LE); }));
  // an attribute of another type than ours is none
  const std::string odd = R"({"columns": [["t","s",""],["x","m",""]], "attributes": {"name": [1], "seed": -1.5}})";
  EXPECT_TRUE(accepts(folder, [&](hid_t f) { put_table(f), put_index(f, odd); }));
}

}  // namespace hostile_test
}  // namespace sinew::record
