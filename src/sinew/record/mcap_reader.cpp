#include "sinew/record/mcap_reader.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sinew/record/mcap.h"

namespace sinew::record {
namespace {

using mcap::Opcode;

// What is left of some bytes. Beyond their end: nothing, and `is_short`.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : rest_(text) {}
  bool is_empty() const { return rest_.empty(); }
  bool is_short() const { return short_; }
  std::string_view rest() const { return rest_; }

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) {
      short_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view out = rest_.substr(0, std::size_t(count));
    rest_.remove_prefix(std::size_t(count));
    return out;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t out = 0;
    const std::string_view bytes = take(size);
    for (std::size_t i = 0; i < bytes.size(); i++) out |= std::uint64_t(std::uint8_t(bytes[i])) << (8 * i);
    return out;
  }
  std::string text() { return std::string(take(number(4))); }

 private:
  std::string_view rest_;
  bool short_ = false;
};

struct Channel {
  std::string topic, schema, encoding;
};

struct Message {
  std::uint64_t time = 0;  // [ns]
  std::uint16_t channel = 0;
  std::string_view data;
};

class Mcap {
 public:
  explicit Mcap(const std::string& file) : file_(file), bytes_(bytes_of_file(file)) {}
  TimedTable read();

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw Error(file_ + ": " + what); }
  void records(Bytes bytes, bool inside);
  void record(Opcode opcode, Bytes content, bool inside);
  void chunk(Bytes content);

  std::string file_, bytes_, library_;
  bool ended_ = false;
  std::map<std::uint64_t, std::string> schemas_;
  std::map<std::uint64_t, Channel> channels_;
  std::vector<Message> messages_;
};

// Records one after the other; one that is cut off ends them.
void Mcap::records(Bytes bytes, bool inside) {
  while (!bytes.is_empty() && !ended_) {
    const auto opcode = Opcode(bytes.number(1));
    const std::string_view content = bytes.take(bytes.number(8));
    if (!bytes.is_short()) record(opcode, Bytes(content), inside);
  }
}

void Mcap::record(Opcode opcode, Bytes content, bool inside) {
  if (opcode == Opcode::Header && !inside) {
    content.text();
    library_ = content.text();
  } else if (opcode == Opcode::Schema) {
    const std::uint64_t id = content.number(2);
    schemas_[id] = content.text();
  } else if (opcode == Opcode::Channel) {
    const std::uint64_t id = content.number(2), schema = content.number(2);
    Channel& one = channels_[id];
    one.schema = schemas_.contains(schema) ? schemas_[schema] : "";
    one.topic = content.text();
    one.encoding = content.text();
  } else if (opcode == Opcode::Message) {
    Message one;
    one.channel = std::uint16_t(content.number(2));
    content.number(4);
    one.time = content.number(8);
    content.number(8);
    if (content.is_short())
      refuse("a message is too short: the file is damaged; take `mcap recover` of the MCAP tools");
    one.data = content.rest();
    messages_.push_back(one);
  } else if (opcode == Opcode::Chunk && !inside) {
    chunk(content);
  } else if (opcode == Opcode::DataEnd && !inside) {
    ended_ = true;  // what follows repeats what was there
  }
}

void Mcap::chunk(Bytes content) {
  content.number(8);
  content.number(8);
  content.number(8);
  const auto sum = std::uint32_t(content.number(4));
  const std::string compression = content.text();
  const std::string_view inner = content.take(content.number(8));
  if (content.is_short()) refuse("a chunk is too short: the file is damaged; take `mcap recover` of the MCAP tools");
  if (!compression.empty())
    refuse(fmt::format("it is compressed by {}: make a copy that is not, with `mcap decompress` of the MCAP tools",
                       compression));
  if (sum != 0 && sum != mcap::checksum(inner))
    refuse("the checksum of a chunk does not fit: the file is damaged; take `mcap recover` of the MCAP tools");
  records(Bytes(inner), true);
}

TimedTable Mcap::read() {
  if (!std::string_view(bytes_).starts_with(mcap::magic))
    refuse("this is no MCAP file: such files begin with a mark that is missing here");
  records(Bytes(std::string_view(bytes_).substr(mcap::magic.size())), false);
  const bool ours = library_.starts_with("sinew");
  std::uint64_t start = ours || messages_.empty() ? 0 : messages_.front().time;
  if (!ours)
    for (const Message& one : messages_) start = std::min(start, one.time);
  JsonRows rows;
  std::set<std::string> others;
  for (const Message& one : messages_) {
    const auto at = channels_.find(one.channel);
    if (at == channels_.end()) refuse("a message of a channel that is not there: the file is damaged");
    const Channel& channel = at->second;
    if (channel.encoding != "json") {
      others.insert(fmt::format("{} ({})", channel.topic, channel.encoding));
      continue;
    }
    const nlohmann::json value = nlohmann::json::parse(one.data, nullptr, false);
    if (value.is_discarded()) refuse(fmt::format("a message of {} is no JSON", channel.topic));
    rows.add(double(one.time - start) * 1e-9, channel.schema == "sinew.Signals" ? "" : channel.topic, value);
  }
  if (rows.is_empty()) {
    std::string list;
    for (const std::string& other : others) list += (list.empty() ? ": " : ", ") + other;
    refuse("no numbers in JSON messages, which are those that are read" + list);
  }
  return rows.table();
}

}  // namespace

TimedTable read_mcap(const std::string& file) { return Mcap(file).read(); }

}  // namespace sinew::record
