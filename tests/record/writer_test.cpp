#include "sinew/record/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "sinew/record/reader.h"
#include "tests/support/folder.h"

namespace sinew::record {
namespace writer_test {

using test::Folder;

const std::vector<Column> columns{{"t", "s", "time"}, {"body.a.p.x", "m", "centre of mass of a, x"}, {"b", "", ""}};
const std::vector<Attribute> attributes{{"name", "some/scenario"}, {"seed", std::uint64_t(18446744073709551615u)}};

std::vector<double> row(int i) { return {0.1 * i, std::sin(i), -double(i)}; }

void expect_rows(const Reader& reader, int n) {
  ASSERT_EQ(reader.rows(), std::size_t(n));
  for (std::size_t c = 0; c < columns.size(); c++) {
    const std::vector<double> values = reader.read(c);
    for (int i = 0; i < n; i++) EXPECT_EQ(values[i], row(i)[c]) << i;
  }
}

TEST(Recording, comes_back_as_it_was_written) {
  for (const int n : {0, 1, 6, 7, 8, 100}) {  // chunks of 7 rows
    const Folder folder;
    Writer writer(folder / "a.h5", columns, attributes, 7);
    for (int i = 0; i < n; i++) writer.append(row(i));
    writer.finish(std::vector<Attribute>{{"run", "{ \"x\": 1 }"}});
    const Reader reader(folder / "a.h5");
    for (std::size_t c = 0; c < columns.size(); c++) {
      EXPECT_EQ(reader.columns()[c].name, columns[c].name);
      EXPECT_EQ(reader.columns()[c].unit, columns[c].unit);
      EXPECT_EQ(reader.columns()[c].description, columns[c].description);
    }
    expect_rows(reader, n);
    const auto all = reader.read_all();
    for (std::size_t k = 0; k < all.size(); k++) EXPECT_EQ(all[k], row(int(k / 3))[k % 3]);
    EXPECT_EQ(reader.attribute("name"), "some/scenario");
    EXPECT_EQ(reader.attribute("seed"), "18446744073709551615");
    EXPECT_EQ(reader.attribute("run"), "{ \"x\": 1 }");
    EXPECT_EQ(reader.attribute("nothing"), "");
  }
}

TEST(Recording, can_be_read_while_it_is_written) {
  const Folder folder;
  Writer writer(folder / "a.h5", columns, attributes, 7);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
  writer.flush();
  expect_rows(Reader(folder / "a.h5"), 0);
  for (int i = 0; i < 40; i++) {
    writer.append(row(i));
    if (i % 3 == 0) writer.flush();
    const int on_disk = i % 3 == 0 ? i + 1 : std::max((i + 1) / 7 * 7, i / 3 * 3 + 1);
    expect_rows(Reader(folder / "a.h5"), on_disk);
  }
}

// Writes until the disk is full; the exit code is 0 if that was said.
[[noreturn]] void fill_disk(const std::string& file) {
  const rlimit small{300'000, 300'000};
  std::signal(SIGXFSZ, SIG_IGN);
  int code = setrlimit(RLIMIT_FSIZE, &small) == 0 ? 1 : 2;
  try {
    Writer writer(file, columns, attributes, 100);
    for (int i = 0; i < 100'000; i++) writer.append(row(i));
  } catch (const FileError& e) {
    code = std::string(e.what()).find("File too large") != std::string::npos ? 0 : 3;
  }
  _exit(code);
}

// No flush has put it in its place yet. In a process of its own: HDF5 would show its memory instead of the file.
TEST(Recording, that_a_full_disk_ends_keeps_the_rows_that_fitted) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) fill_disk(folder / "a.h5");
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const Reader reader(folder / "a.h5");
  EXPECT_GE(reader.rows(), 1000u);  // 24 bytes each
  expect_rows(reader, int(reader.rows()));
}

TEST(Recording, without_a_last_word_is_still_one) {
  const Folder folder;
  {
    Writer writer(folder / "a.h5", columns, attributes, 7);
    for (int i = 0; i < 10; i++) writer.append(row(i));
    writer.flush();
  }
  expect_rows(Reader(folder / "a.h5"), 10);
  EXPECT_EQ(Reader(folder / "a.h5").attribute("run"), "");
}

TEST(Recording, that_cannot_be_made_leaves_the_old_one_alone) {
  const Folder folder;
  const std::string file = folder / "a.h5";
  Writer(file, columns, attributes, 7).finish({});
  try {
    Writer(folder / "nowhere/a.h5", columns, attributes, 7);
    FAIL() << "there is no such folder";
  } catch (const FileError& e) {
    EXPECT_NE(std::string(e.what()).find("No such file or directory"), std::string::npos) << e.what();
  }
  std::filesystem::create_directory(folder / "b.h5");
  EXPECT_THROW(Writer(folder / "b.h5", columns, attributes, 7).flush(), FileError);
  { const Writer never_shown(file, columns, attributes, 7); }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);  // no drafts are left
  expect_rows(Reader(file), 0);
}

TEST(Recording, replaces_an_earlier_one_of_the_same_name) {
  const Folder folder;
  Writer(folder / "a.h5", columns, attributes, 7).finish({});
  Writer writer(folder / "a.h5", columns, attributes, 7);
  writer.append(row(0));
  writer.finish({});
  expect_rows(Reader(folder / "a.h5"), 1);
}

TEST(Recording, says_what_is_wrong_with_a_file) {
  const Folder folder;
  const auto message = [&]<class Kind>(const std::string& name, const Kind*) {
    try {
      Reader reader(folder / name);
    } catch (const Kind& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const FileError* cannot = nullptr;
  const Error* is_none = nullptr;
  EXPECT_NE(message("none.h5", cannot).find("No such file"), std::string::npos);
  std::filesystem::create_directory(folder / "d");
  EXPECT_NE(message("d", cannot).find("directory"), std::string::npos);
  std::ofstream(folder / "text.h5") << "t,x\n0,1\n";
  EXPECT_NE(message("text.h5", is_none).find("not an HDF5 file"), std::string::npos);
  std::ofstream(folder / "empty.h5").close();
  EXPECT_NE(message("empty.h5", is_none).find("not an HDF5 file"), std::string::npos);
}

}  // namespace writer_test
}  // namespace sinew::record
