// Numbers separated by blanks. Dimension, contacts, how W is stored; then of W
//   0  dense: rows, columns, twice; all numbers, column by column
//   1  blocks: rows, columns, number of blocks; block rows, block columns; where each of them ends; how many indices follow, of rows
//      and of blocks; first block of each row, and behind the last; column of each block; each block: its number, its numbers column
//      by column
// then q, then mu. What follows is not read.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "sinew/exchange/problem_file.h"
#include "sinew/exchange/triplets.h"

namespace sinew::exchange {
namespace {

class Numbers {
 public:
  Numbers(const std::string& text, const std::string& file) : file_(file), at_(text.data()), end_(at_ + text.size()) {}

  // of: what is read, for the message
  double real(const char* of) {
    const std::string_view word = next(of);
    const char* from = word.data() + (word.starts_with('+') ? 1 : 0);
    double value = 0.0;
    const auto [stop, error] = std::from_chars(from, word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size()) not_a(of, word);
    return value;
  }
  int whole(const char* of, int low, std::size_t high) {
    const std::string_view word = next(of);
    long long value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const long long most = (long long)(std::min(high, std::size_t(std::numeric_limits<int>::max())));
    if (error != std::errc() || stop != word.data() + word.size() || value < low || value > most) not_a(of, word);
    return int(value);
  }
  // How many numbers the rest can hold: each takes a digit and a blank.
  std::size_t room() const { return std::size_t(end_ - at_) / 2 + 1; }
  [[noreturn]] void fail(const std::string& what) const { refuse(file_, fmt::format("line {}: {}", line_, what)); }

 private:
  std::string_view next(const char* of) {
    for (; at_ < end_ && is_blank(*at_); at_++) line_ += *at_ == '\n';
    if (at_ == end_) fail(fmt::format("the file ends where a {} should follow", of));
    const char* begin = at_;
    while (at_ < end_ && !is_blank(*at_)) at_++;
    return {begin, std::size_t(at_ - begin)};
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  [[noreturn]] void not_a(const char* of, std::string_view word) const {
    fail(fmt::format("{} is no {}", word.substr(0, 40), of));
  }

  const std::string& file_;
  const char *at_, *end_;
  int line_ = 1;
};

BlockRows read_dense(Numbers& in, int contacts) {
  const int n = 3 * contacts;
  for (const char* of : {"number of rows of W", "number of columns of W"})
    if (in.whole(of, 0, in.room()) != n) in.fail(fmt::format("W is not {} x {}, as {} contacts need", n, n, contacts));
  if (std::size_t(n) * n > in.room()) in.fail(fmt::format("the file is too short for {} x {} numbers of W", n, n));
  std::vector<Triplet> numbers;
  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++)
      if (const double x = in.real("number of W"); x != 0.0) numbers.push_back({row, column, x});
  return block_rows(contacts, std::move(numbers));
}

BlockRows read_blocks(Numbers& in, int contacts) {
  const int blocks = in.whole("number of blocks of W", 1, in.room());
  if (std::size_t(blocks) * 10 > in.room()) in.fail(fmt::format("the file is too short for {} blocks of W", blocks));
  for (const char* of : {"number of block rows", "number of block columns"})
    if (in.whole(of, 0, in.room()) != contacts)
      in.fail(fmt::format("W has not one block row for each of {} contacts", contacts));
  for (int k = 0; k < 2 * contacts; k++)
    if (in.whole("end of a block", 0, in.room() + 3) != 3 * (k % contacts + 1)) in.fail("a block of W is not 3 x 3");
  const int row_indices = in.whole("number of row indices", 1, std::size_t(contacts) + 1);
  if (in.whole("number of column indices", 0, in.room()) != blocks)
    in.fail(fmt::format("W has not one column index for each of {} blocks", blocks));
  BlockRows W;
  W.start.assign(std::size_t(contacts) + 1, blocks);
  for (int i = 0; i < row_indices; i++) {
    W.start[i] = in.whole("first block of a row", 0, std::size_t(blocks));
    if (W.start[i] < (i > 0 ? W.start[i - 1] : 0)) in.fail("the rows of W are not in order");
  }
  if (W.start.front() != 0 || W.start.back() != blocks) in.fail("the rows of W do not hold all blocks");
  for (int k = 0; k < blocks; k++) W.column.push_back(in.whole("column of a block", 0, std::size_t(contacts) - 1));
  W.value.resize(9 * std::size_t(blocks));
  for (int k = 0; k < blocks; k++) {
    if (in.whole("number of a block", 0, std::size_t(blocks)) != k)
      in.fail(fmt::format("block {} of W does not follow", k));
    for (int e = 0; e < 9; e++) W.value[9 * std::size_t(k) + std::size_t(3 * (e % 3) + e / 3)] = in.real("number of W");
  }
  return W;
}

}  // namespace

ConeProblem parse_siconos_text(const std::string& text, const std::string& file) {
  Numbers in(text, file);
  const int dimension = in.whole("dimension", 0, 1000);
  if (dimension != 3)
    in.fail(fmt::format("the dimension is {}, and only problems of three dimensions are solved", dimension));
  const int contacts = in.whole("number of contacts", 1, in.room() / 4);  // q and mu have four each
  const int storage = in.whole("kind of matrix", 0, 1000);
  if (storage > 1) in.fail(fmt::format("W is stored as kind {}: dense (0) and sparse blocks (1) are read", storage));
  for (const char* of : {"number of rows of W", "number of columns of W"})
    if (in.whole(of, 0, in.room()) != 3 * contacts)
      in.fail(fmt::format("W is not {0} x {0}, as {1} contacts need", 3 * contacts, contacts));
  ConeProblem problem;
  problem.W = storage == 0 ? read_dense(in, contacts) : read_blocks(in, contacts);
  for (int i = 0; i < 3 * contacts; i++) problem.q.push_back(in.real("number of q"));
  for (int i = 0; i < contacts; i++) problem.mu.push_back(in.real("number of mu"));
  return problem;
}

std::string siconos_text(const ConeProblem& problem) {
  const BlockRows& W = problem.W;
  const int n = problem.contacts();
  const std::size_t blocks = W.column.size();
  std::string out;
  out += fmt::format("3\n{0}\n1\n{1}\n{1}\n{2}\n{0}\n{0}\n", n, 3 * n, blocks);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) out += fmt::format("{}\t", 3 * (i + 1));
    out += "\n";
  }
  out += fmt::format("{}\n{}\n", n + 1, blocks);
  for (const int first : W.start) out += fmt::format("{}\t", first);
  out += "\n";
  for (const int column : W.column) out += fmt::format("{}\t", column);
  out += "\n";
  for (std::size_t k = 0; k < blocks; k++) {
    out += fmt::format("{}\n", k);
    for (int e = 0; e < 9; e++) out += fmt::format("{:32.24e}\n", W.value[9 * k + std::size_t(3 * (e % 3) + e / 3)]);
  }
  for (const std::vector<double>* list : {&problem.q, &problem.mu}) {
    for (const double x : *list) out += fmt::format("{:32.24e} ", x);
    out += "\n";
  }
  return out;
}

}  // namespace sinew::exchange
