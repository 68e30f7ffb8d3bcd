// FCLIB's layout (Acary, Brémond, Koziara, Pérignon: FCLIB, a collection of discrete 3D frictional contact problems, Inria 2014):
//   /fclib_local/{spacedim, W, vectors/{q, mu}}, or /fclib_global/{spacedim, M, H, vectors/{f, w, mu}}; /solution/{u, r}
// A matrix is a group: m rows, n columns, nzmax; nz >= 0: so many numbers x at rows i and columns p; -1: by columns, which begin at
// p; -2: by rows.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "sinew/exchange/problem_file.h"
#include "sinew/exchange/reduce.h"
#include "sinew/files/place.h"
#include "sinew/record/hdf5.h"

namespace sinew::exchange {
namespace {

using record::Handle;

constexpr hsize_t most_numbers = 1 << 30;

class File {
 public:
  explicit File(const std::string& name) : name_(name) {
    record::prepare_library();
    handle_ = Handle(H5(H5Fopen)(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5(H5Fclose));
    if (!handle_) fail("the HDF5 file is damaged");
  }

  [[noreturn]] void fail(const std::string& what) const { refuse(name_, what); }
  bool has(const std::string& path) const { return H5(H5Lexists)(handle_, path.c_str(), H5P_DEFAULT) > 0; }

  std::vector<double> reals(const std::string& path) const {
    return read<double>(path, H5T_FLOAT, "H5T_NATIVE_DOUBLE_g");
  }
  std::vector<int> wholes(const std::string& path) const { return read<int>(path, H5T_INTEGER, "H5T_NATIVE_INT_g"); }
  std::vector<double> reals(const std::string& path, std::size_t count) const {
    const std::vector<double> list = reals(path);
    if (list.size() != count) fail(fmt::format("{} has {} numbers instead of {}", path, list.size(), count));
    return list;
  }
  int whole(const std::string& path) const {
    const std::vector<int> list = wholes(path);
    if (list.size() != 1) fail(fmt::format("{} is not one number", path));
    return list[0];
  }

 private:
  template <class T>
  std::vector<T> read(const std::string& path, H5T_class_t kind, const char* type_name) const {
    if (!has_all(path)) fail(fmt::format("it has no {}", path));
    const Handle set(H5(H5Dopen2)(handle_, path.c_str(), H5P_DEFAULT), H5(H5Dclose));
    if (!set) fail(fmt::format("{} cannot be read", path));
    const Handle type(H5(H5Dget_type)(set), H5(H5Tclose)), space(H5(H5Dget_space)(set), H5(H5Sclose));
    if (!type || H5(H5Tget_class)(type) != kind || !space)
      fail(fmt::format("{} does not hold {} numbers", path, kind == H5T_FLOAT ? "real" : "whole"));
    const hssize_t count = H5(H5Sget_simple_extent_npoints)(space);
    // what is there must be in the file; no compression shrinks more than 1032 to 1
    if (count < 0 || hsize_t(count) > most_numbers || double(count) > 1032.0 * double(H5(H5Dget_storage_size)(set)))
      fail(fmt::format("{} claims {} numbers", path, count));
    std::vector<T> list(static_cast<std::size_t>(count));
    if (count > 0 && H5(H5Dread)(set, record::number_of(type_name), H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()) < 0)
      fail(fmt::format("{} is damaged", path));
    return list;
  }
  // Links of all groups on the way.
  bool has_all(const std::string& path) const {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
      if (!has(path.substr(0, at))) return false;
    return has(path);
  }

  const std::string& name_;
  Handle handle_;
};

SparseMatrix read_matrix(const File& file, const std::string& path) {
  SparseMatrix matrix{file.whole(path + "/m"), file.whole(path + "/n"), {}};
  const int nz = file.whole(path + "/nz");
  if (nz < -2 || matrix.rows < 0 || matrix.columns < 0) file.fail(fmt::format("the sizes of {} make no sense", path));
  const std::vector<int> p = file.wholes(path + "/p"), i = file.wholes(path + "/i");
  const std::vector<double> x = file.reals(path + "/x");
  const auto add = [&](int row, int column, double value) {
    if (row < 0 || row >= matrix.rows || column < 0 || column >= matrix.columns)
      file.fail(fmt::format("{} has a number at ({}, {}), outside of {} x {}", path, row, column, matrix.rows,
                            matrix.columns));
    matrix.numbers.push_back({row, column, value});
  };
  if (nz >= 0) {
    if (p.size() < std::size_t(nz) || i.size() < std::size_t(nz) || x.size() < std::size_t(nz))
      file.fail(fmt::format("{} has fewer than {} numbers", path, nz));
    for (int k = 0; k < nz; k++) add(i[k], p[k], x[k]);
    return matrix;
  }
  const int lists = nz == -1 ? matrix.columns : matrix.rows;
  if (p.size() != std::size_t(lists) + 1 || p[0] != 0 || !std::is_sorted(p.begin(), p.end()) ||
      std::size_t(p.back()) > std::min(i.size(), x.size()))
    file.fail(fmt::format("{}/p does not fit the numbers", path));
  for (int list = 0; list < lists; list++)
    for (int k = p[list]; k < p[list + 1]; k++) nz == -1 ? add(i[k], list, x[k]) : add(list, i[k], x[k]);
  return matrix;
}

int contacts_of(const File& file, const std::string& path, int rows) {
  const int dimension = file.whole(path + "/spacedim");
  if (dimension != 3)
    file.fail(fmt::format("the dimension is {}, and only problems of three dimensions are solved", dimension));
  if (rows % 3 != 0) file.fail(fmt::format("{} rows of contacts are no multiple of three", rows));
  return rows / 3;
}

ConeProblem read_local(const File& file) {
  const std::string path = "/fclib_local";
  for (const char* part : {"/V", "/R"})
    if (file.has(path + part))
      file.fail(
          fmt::format("{}{}: equations beside the contacts, and only problems without them are solved", path, part));
  const SparseMatrix W = read_matrix(file, path + "/W");
  const int contacts = contacts_of(file, path, W.rows);
  if (W.columns != W.rows) file.fail(fmt::format("W is {} x {}", W.rows, W.columns));
  ConeProblem problem;
  problem.q = file.reals(path + "/vectors/q", std::size_t(W.rows));
  problem.mu = file.reals(path + "/vectors/mu", std::size_t(contacts));
  problem.W = block_rows(contacts, W.numbers);
  return problem;
}

ConeProblem read_global(const File& file, const std::string& name) {
  const std::string path = "/fclib_global";
  if (file.has(path + "/G"))
    file.fail(fmt::format("{}/G: equations beside the contacts, and only problems without them are solved", path));
  GlobalProblem global{read_matrix(file, path + "/M"), read_matrix(file, path + "/H"), {}, {}, {}};
  const int contacts = contacts_of(file, path, global.H.columns);
  if (global.M.rows != global.M.columns || global.H.rows != global.M.rows)
    file.fail(
        fmt::format("M is {} x {} and H {} x {}", global.M.rows, global.M.columns, global.H.rows, global.H.columns));
  global.f = file.reals(path + "/vectors/f", std::size_t(global.M.rows));
  global.w = file.reals(path + "/vectors/w", std::size_t(global.H.columns));
  global.mu = file.reals(path + "/vectors/mu", std::size_t(contacts));
  return reduce(global, name);
}

bool put(hid_t group, const char* name, const char* type_name, std::size_t count, const void* numbers) {
  const hsize_t size = count;
  const hid_t type = record::number_of(type_name);
  const Handle space(H5(H5Screate_simple)(1, &size, nullptr), H5(H5Sclose));
  Handle set(H5(H5Dcreate2)(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5(H5Dclose));
  return set && H5(H5Dwrite)(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0 && set.close();
}
bool put(hid_t group, const char* name, const std::vector<int>& list) {
  return put(group, name, "H5T_NATIVE_INT_g", list.size(), list.data());
}
bool put(hid_t group, const char* name, const std::vector<double>& list) {
  return put(group, name, "H5T_NATIVE_DOUBLE_g", list.size(), list.data());
}

Handle make_group(hid_t file, const char* path) {
  return {H5(H5Gcreate2)(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5(H5Gclose)};
}

// W by rows.
bool put_matrix(hid_t group, const BlockRows& W) {
  const int n = 3 * W.rows();
  std::vector<int> p{0}, i;
  std::vector<double> x;
  for (int row = 0; row < n; row++) {
    for (int k = W.start[row / 3]; k < W.start[row / 3 + 1]; k++)
      for (int b = 0; b < 3; b++) {
        i.push_back(3 * W.column[k] + b);
        x.push_back(W.block(k)[3 * (row % 3) + b]);
      }
    p.push_back(int(i.size()));
  }
  return put(group, "nzmax", std::vector<int>{int(x.size())}) && put(group, "m", std::vector<int>{n}) &&
         put(group, "n", std::vector<int>{n}) && put(group, "nz", std::vector<int>{-2}) && put(group, "p", p) &&
         put(group, "i", i) && put(group, "x", x);
}

bool put_problem(hid_t file, const ConeProblem& problem, const std::vector<double>& r) {
  const Handle local = make_group(file, "/fclib_local"), W = make_group(file, "/fclib_local/W"),
               vectors = make_group(file, "/fclib_local/vectors");
  const bool done = local && W && vectors && put(local, "spacedim", std::vector<int>{3}) && put_matrix(W, problem.W) &&
                    put(vectors, "q", problem.q) && put(vectors, "mu", problem.mu);
  if (!done || r.empty()) return done;
  std::vector<double> u;
  velocities(problem, r, u);
  const Handle solution = make_group(file, "/solution");
  return solution && put(solution, "u", u) && put(solution, "r", r);
}

}  // namespace

ConeProblem read_fclib(const std::string& name) {
  const File file(name);
  if (file.has("/fclib_local")) return read_local(file);
  if (file.has("/fclib_global")) return read_global(file, name);
  file.fail("it has neither /fclib_local nor /fclib_global, as contact problems of FCLIB do");
}

void write_fclib(const ConeProblem& problem, const std::vector<double>& r, const std::string& name) {
  record::prepare_library();
  const std::string place = place_for(name, fclib_file).file, draft = fmt::format("{}.{}.part", place, getpid());
  Handle file(H5(H5Fcreate)(draft.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5(H5Fclose));
  const bool written = file && put_problem(file, problem, r) && file.close();
  std::string reason = written ? "" : record::system_reason();
  if (!written) file.forget();
  std::error_code error;
  if (written) std::filesystem::rename(draft, place, error);
  if (written && !error) return;
  if (error) reason = error.message();
  std::filesystem::remove(draft, error);
  throw FileError(fmt::format("{}: the contact problem cannot be written: {}: choose another place", name,
                              reason.empty() ? "the HDF5 library gives no reason" : reason));
}

}  // namespace sinew::exchange
