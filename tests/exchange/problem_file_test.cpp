// Files of contact problems: what is written is read back, by us and by Siconos; what is damaged is refused and never crashes.
#include "sinew/exchange/problem_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <fstream>

#include "sinew/exchange/reduce.h"
#include "sinew/files/errors.h"
#include "tests/support/cone_problems.h"
#include "tests/support/folder.h"
#include "tests/support/siconos.h"

extern "C" {
#include <siconos/numerics/fc3d_compute_error.h>
}

namespace sinew::exchange {
namespace problem_file_test {

using support::brick_wall;
using test::Folder;

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

double norm(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())).norm();
}

// The message of the refusal; empty: it was read.
std::string refusal(const std::string& file) {
  try {
    read_problem(file);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

void expect_same(const ConeProblem& a, const ConeProblem& b) {
  EXPECT_EQ(a.W.start, b.W.start);
  EXPECT_EQ(a.W.column, b.W.column);
  EXPECT_EQ(a.W.value, b.W.value);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.mu, b.mu);
}

TEST(ProblemFile, IsReadBackToTheLastBit) {
  const Folder folder;
  ConeProblem p = brick_wall(2, 3, 0.4);
  for (std::size_t i = 0; i < p.W.value.size(); i++) p.W.value[i] *= 1.0 + 1e-9 * std::sin(double(i));  // not symmetric
  std::vector<double> r(p.q.size(), 0.0);
  solve(p, ConeMethod::Auto, {}, r);
  for (const char* name : {"p.hdf5", "p.h5", "p.dat", "p.txt"}) {
    write_problem(p, r, folder / name);
    expect_same(read_problem(folder / name), p);
  }
  EXPECT_EQ(form_of("a.hdf5"), Form::Fclib);
  EXPECT_EQ(form_of("a.dat"), Form::SiconosText);
  EXPECT_THROW(form_of("a.csv"), Error);
  EXPECT_THROW(form_of("dat"), Error);
}

// Siconos reads our text, and means by it what we mean; its error is our residual, but over the largest of |q|, |r| and |u|.
TEST(ProblemFile, SiconosReadsOurText) {
  const Folder folder;
  const ConeProblem p = support::random_cone_problem(5, 12, support::Scene::Scatter);
  std::vector<double> r(p.q.size(), 0.0), u, x(p.q.size()), ours(p.q.size(), 0.0), theirs(p.q.size(), 0.0);
  solve(p, ConeMethod::Sweep, {1e-8, 3}, r);
  write_problem(p, {}, folder / "p.dat");
  FrictionContactProblem* read = frictionContact_new_from_filename((folder / "p.dat").c_str());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->numberOfContacts, p.contacts());
  for (std::size_t i = 0; i < x.size(); i++) x[i] = std::sin(1.0 + double(i));
  NM_gemv(1.0, read->M, x.data(), 0.0, theirs.data());
  p.W.add_product(x, ours);
  for (std::size_t i = 0; i < x.size(); i++) EXPECT_NEAR(ours[i], theirs[i], 1e-12 * std::abs(ours[i]) + 1e-14) << i;
  velocities(p, r, u);
  const double norm_q = norm(p.q);
  double error = 0.0;
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  fc3d_compute_error(read, r.data(), u.data(), 1e-8, options, norm_q, &error);
  const double expected = relative_residual(p, r) * norm_q / std::max({norm_q, norm(r), norm(u)});
  EXPECT_NEAR(error, expected, 1e-9 * expected);
  EXPECT_GT(error, 1e-8);
  solver_options_delete(options);
  frictionContactProblem_free(read);
}

// We read what Siconos writes: a dense matrix, not symmetric.
TEST(ProblemFile, SiconosTextIsRead) {
  const Folder folder;
  const DenseProblem dense = support::random_problem(3, support::Friction::Isotropic, 4).problem;
  ConeProblem p = cone_problem(dense);
  std::vector<double> G = dense.G;
  G[1] += 0.25;  // row 1, column 0
  p.W.value[3] += 0.25;
  NumericsMatrix* M = NM_create_from_data(NM_DENSE, dense.n, dense.n, G.data());
  FrictionContactProblem* problem = frictionContactProblem_new_with_data(3, p.contacts(), M, p.q.data(), p.mu.data());
  std::FILE* file = std::fopen((folder / "theirs.dat").c_str(), "w");
  ASSERT_TRUE(file);
  frictionContact_printInFile(problem, file);
  std::fclose(file);
  const ConeProblem read = read_problem(folder / "theirs.dat");
  expect_same(read, p);
  M->matrix0 = nullptr;
  problem->q = nullptr;
  problem->mu = nullptr;
  frictionContactProblem_free(problem);
}

TEST(Reduce, IsAsWithMatrices) {
  const int freedoms = 9, contacts = 4;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(freedoms, freedoms), H = Eigen::MatrixXd::Random(freedoms, 3 * contacts);
  M.diagonal().setConstant(2.0);
  M.block(0, 0, 4, 4) += 0.3 * Eigen::MatrixXd::Ones(4, 4);  // coupled; the others are not
  M.block(6, 6, 2, 2) += 0.1 * Eigen::MatrixXd::Ones(2, 2);
  H.block(0, 0, 4, 3).setZero();
  GlobalProblem global;
  global.M = {freedoms, freedoms, {}};
  global.H = {freedoms, 3 * contacts, {}};
  for (int i = 0; i < freedoms; i++) {
    for (int k = 0; k < freedoms; k++) global.M.numbers.push_back({i, k, M(i, k)});
    for (int k = 0; k < 3 * contacts; k++) global.H.numbers.push_back({i, k, 0.5 * H(i, k)});
    for (int k = 0; k < 3 * contacts; k++) global.H.numbers.push_back({i, k, 0.5 * H(i, k)});  // summed
    global.f.push_back(0.1 * i);
  }
  global.w.assign(3 * contacts, -0.5);
  global.mu.assign(contacts, 0.3);
  const ConeProblem p = reduce(global, "file");
  const Eigen::MatrixXd W = H.transpose() * M.inverse() * H;
  const Eigen::VectorXd q = H.transpose() * M.inverse() * Eigen::Map<Eigen::VectorXd>(global.f.data(), freedoms) +
                            Eigen::Map<Eigen::VectorXd>(global.w.data(), 3 * contacts);
  for (int i = 0; i < 3 * contacts; i++) {
    std::vector<double> unit(3 * contacts, 0.0), column(3 * contacts, 0.0);
    unit[i] = 1.0;
    p.W.add_product(unit, column);
    EXPECT_NEAR(p.q[i], q[i], 1e-13);
    for (int k = 0; k < 3 * contacts; k++) EXPECT_NEAR(column[k], W(k, i), 1e-13);
  }
  for (Triplet& t : global.M.numbers)
    if (t.row == 8) t.value = 0.0;
  EXPECT_THROW(reduce(global, "file"), Error);
}

TEST(ProblemFile, WhatIsWrongIsNamed) {
  const Folder folder;
  const std::string file = folder / "p.dat";
  const auto says = [&](const std::string& text) {
    write(file, text);
    const std::string what = refusal(file);
    EXPECT_EQ(what.find(file + ": "), 0u) << what;
    return what.substr(std::min(what.size(), file.size() + 2));
  };
  const std::string end = ": give a whole contact problem in FCLIB's HDF5 layout or Siconos' text";
  EXPECT_EQ(says(""), "line 1: the file ends where a dimension should follow" + end);
  EXPECT_EQ(says("2\n1\n"), "line 1: the dimension is 2, and only problems of three dimensions are solved" + end);
  EXPECT_EQ(says("3\nmany 0 0 0 0 0 0 0\n"), "line 2: many is no number of contacts" + end);
  EXPECT_EQ(says("3\n99999999\n0\n3\n3\n"), "line 2: 99999999 is no number of contacts" + end);
  EXPECT_EQ(says("3 1 2 3 3 3 3 1 1 1 1 1 1 1 1 1 1"),
            "line 1: W is stored as kind 2: dense (0) and sparse blocks (1) are read" + end);
  EXPECT_EQ(says("3 1 0 6 6 6 6 1 1 1 1 1 1 1 1 1 1"), "line 1: W is not 3 x 3, as 1 contacts need" + end);
  EXPECT_EQ(says("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 -0.5"), "mu of contact 0 is -0.5: it must be >= 0" + end);
  EXPECT_EQ(says("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 0 -1 0 0 0.5"), "the diagonal of W is not positive at contact 0" + end);
  EXPECT_EQ(says("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 nan -1 0 0 0.5"), "a number of W is not finite" + end);
  EXPECT_EQ(says("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0\n0\n"),
            "line 3: the file ends where a number of mu should follow" + end);
  EXPECT_THROW(read_problem(folder / "none.dat"), FileError);
  EXPECT_THROW(read_problem(folder.path().string()), FileError);
}

// Cut off anywhere, or with a few bytes changed: refused, or read as a problem without faults.
TEST(ProblemFile, DamagedFilesAreRefusedOrWhole) {
  const Folder folder;
  const ConeProblem p = brick_wall(1, 1, 0.5);
  for (const char* name : {"p.hdf5", "p.dat"}) {
    write_problem(p, std::vector<double>(p.q.size(), 0.0), folder / name);
    const std::string whole = bytes_of(folder / name), damaged = folder / (std::string("damaged-") + name);
    const bool is_text = form_of(name) == Form::SiconosText;
    int refused = 0;
    for (std::size_t k = 0; k < 60; k++) {
      write(damaged, whole.substr(0, whole.size() * k / 64));  // the end is of mu, or of the solution
      EXPECT_NE(refusal(damaged), "") << name << " " << k;
    }
    std::uint64_t bits = 1;
    for (int k = 0; k < 300; k++) {
      std::string bytes = whole;
      for (int n = 0; n < 3; n++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        const char change = is_text ? char('0' + (bits >> 40) % 10) : char(bits >> 12);
        bytes[std::size_t(bits >> 20) % bytes.size()] = change;
      }
      write(damaged, bytes);
      refused += !refusal(damaged).empty();
    }
    EXPECT_GT(refused, 30) << name;
    EXPECT_LT(refused, 300) << name;
  }
}

TEST(ProblemFile, IsNotWrittenOverOtherFiles) {
  const Folder folder;
  const ConeProblem p = brick_wall(1, 1, 0.5);
  for (const char* name : {"p.hdf5", "p.dat"}) {
    write(folder / name, "a letter");
    EXPECT_THROW(write_problem(p, {}, folder / name), FileError);
    EXPECT_EQ(bytes_of(folder / name), "a letter");
    EXPECT_THROW(write_problem(p, {}, folder / ("none/" + std::string(name))), FileError);
  }
}

}  // namespace problem_file_test
}  // namespace sinew::exchange
