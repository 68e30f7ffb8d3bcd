#include "sinew/imports/npz.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "sinew/imports/policy_file.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace npz_test {

void put(std::string& out, std::uint64_t value, int n) {
  for (int i = 0; i < n; i++) out.push_back(char(value >> (8 * i) & 255));
}

std::string npy(const std::string& head, const std::vector<double>& values) {
  std::string text = head + "\n", out("\x93NUMPY\1\0", 8);
  put(out, text.size(), 2);
  out += text;
  for (const double v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
  return out;
}
std::string npy(int rows, int columns, const std::vector<double>& values) {
  const std::string shape =
      columns < 0 ? std::to_string(rows) + "," : std::to_string(rows) + ", " + std::to_string(columns);
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }", values);
}

struct File {
  std::string name, content;
};
std::string zip(const std::vector<File>& files) {
  std::string out, list;
  for (const File& f : files) {
    std::string fixed;
    put(fixed, 0, 2);  // stored
    put(fixed, 0, 4);
    put(fixed, crc32(0, reinterpret_cast<const Bytef*>(f.content.data()), uInt(f.content.size())), 4);
    put(fixed, f.content.size(), 4);
    put(fixed, f.content.size(), 4);
    put(fixed, f.name.size(), 2);
    put(fixed, 0, 2);
    list += std::string("PK\1\2\24\0\24\0\0\0", 10) + fixed;
    list.append(10, '\0');  // comment, disk, attributes
    put(list, out.size(), 4);
    list += f.name;
    out += std::string("PK\3\4\24\0\0\0", 8) + fixed + f.name + f.content;
  }
  const std::size_t at = out.size();
  out += list + std::string("PK\5\6\0\0\0\0", 8);
  put(out, files.size(), 2);
  put(out, files.size(), 2);
  put(out, list.size(), 4);
  put(out, at, 4);
  put(out, 0, 2);
  return out;
}

std::string write(const std::string& bytes) {
  const std::string file = testing::TempDir() + "npz_test.npz";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}
std::string problem(const std::string& bytes) {
  const std::string file = write(bytes);
  try {
    read_policy(file);
  } catch (const InputError& e) {
    EXPECT_EQ(e.problems.size(), 1u);
    EXPECT_TRUE(e.problems[0].starts_with(file + ": ")) << e.problems[0];
    return e.problems[0];
  }
  return "";
}

const std::vector<File> two_layers{{"b0.npy", npy(3, -1, {7, 8, 9})},
                                   {"W1.npy", npy(1, 3, {1, 2, 3})},
                                   {"W0.npy", npy(3, 2, {1, 2, 3, 4, 5, 6})},
                                   {"b1.npy", npy(1, -1, {0.5})}};

TEST(Npz, layers_come_in_the_order_of_their_numbers) {
  const std::vector<PolicyLayer> layers = read_policy(write(zip(two_layers)));
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].inputs, 2);
  EXPECT_EQ(layers[0].outputs, 3);
  EXPECT_EQ(layers[0].W, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(layers[0].b, (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(layers[1].b, (std::vector<double>{0.5}));
}

TEST(Npz, an_array_by_columns_is_turned) {
  const std::vector<NumpyArray> arrays = read_npz(
      write(zip({{"a.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", {1, 4, 2, 5, 3, 6})}})));
  EXPECT_EQ(arrays.at(0).values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Npz, names_of_pytorch_are_known) {
  const auto layers = read_policy(write(zip({{"actor.0.weight.npy", npy(1, 2, {3, 4})},
                                             {"actor.0.bias.npy", npy(1, -1, {1})},
                                             {"actor.2.weight.npy", npy(1, 1, {2})},
                                             {"actor.2.bias.npy", npy(1, -1, {0})}})));
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].W, (std::vector<double>{3, 4}));
}

TEST(Npz, what_is_no_network_is_refused_with_a_reason) {
  EXPECT_NE(problem("").find("no ZIP archive"), std::string::npos);
  EXPECT_NE(problem(zip({})).find("it has no layer"), std::string::npos);
  EXPECT_NE(problem(zip({{"W0.npy", npy(1, 1, {1})}})).find("layer 0 has no bias"), std::string::npos);
  EXPECT_NE(problem(zip({{"W0.npy", npy(1, 1, {1})}, {"b0.npy", npy(2, -1, {1, 2})}})).find("its bias has 2 numbers"),
            std::string::npos);
  EXPECT_NE(
      problem(zip({{"W0.npy", npy(1, 1, {std::numeric_limits<double>::infinity()})}, {"b0.npy", npy(1, -1, {1})}}))
          .find("not finite"),
      std::string::npos);
  EXPECT_NE(problem(zip({{"other.npy", npy(1, 1, {1})}})).find("array other is no part of a layer"), std::string::npos);
  EXPECT_NE(problem(zip({{"W0.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", {1})}}))
                .find("objects could run programs"),
            std::string::npos);
  EXPECT_NE(problem(zip({{"W0.npy", npy(3, 1, {1})}})).find("as many numbers as its shape says"), std::string::npos);
  EXPECT_NE(problem(zip({{"W0.npy",
                          npy("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999999999), }", {1})}}))
                .find("too large"),
            std::string::npos);
}

// Cut anywhere, or with any byte changed: it is refused, or the byte does not matter; nothing else happens.
TEST(Npz, a_damaged_file_does_no_harm) {
  const std::string whole = zip(two_layers);
  for (std::size_t n = 0; n < whole.size(); n++) EXPECT_NE(problem(whole.substr(0, n)), "") << n;
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); i++) {
    std::string other = whole;
    other[i] = char(other[i] ^ 0x55);
    refused += problem(other) != "";
  }
  EXPECT_GT(refused, int(whole.size() / 2));  // all of the contents, by their sums
}

}  // namespace npz_test
}  // namespace sinew::imports
