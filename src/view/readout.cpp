#include "view/readout.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sinew::view {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are little endian");

constexpr std::size_t very_many = 6000;            // signals
constexpr double most_bytes_a_second = 8e6;        // of rows a second
constexpr double frame_rate = 60.0, most = 600.0;  // rows a second

}  // namespace

Readout::Readout(const sim::Experiment& experiment) {
  const std::vector<sim::Signal>& all = experiment.signals();
  const std::vector<sim::Signal> chosen = experiment.recorded();
  std::size_t next = 0;  // chosen are in the order of all
  for (const sim::Signal& signal : all) {
    const bool is_chosen = next < chosen.size() && chosen[next].name == signal.name;
    if (is_chosen) next++;
    const bool is_sent = signal.quantity->sent != sim::Sent::IfFew;
    if (is_sent || (is_chosen && chosen.size() <= very_many)) signals_.push_back(signal);
  }
}

double Readout::most_rows() const {
  return std::clamp(most_bytes_a_second / (8.0 * double(signals_.size())), frame_rate, most);
}

void Readout::add(const World<double>& world, const Observation<double>& seen) {
  const std::size_t n = rows_.size();
  rows_.resize(n + signals_.size());
  evaluate(signals_, world, seen, std::span(rows_).subspan(n));
}

Rows Readout::take(std::uint32_t generation) {
  if (rows_.empty()) return nullptr;
  const std::uint32_t head[2] = {generation, std::uint32_t(rows_.size() / signals_.size())};
  auto message = std::make_shared<std::vector<std::byte>>(sizeof head + rows_.size() * sizeof(double));
  std::memcpy(message->data(), head, sizeof head);
  std::memcpy(message->data() + sizeof head, rows_.data(), rows_.size() * sizeof(double));
  rows_.clear();
  return message;
}

}  // namespace sinew::view
