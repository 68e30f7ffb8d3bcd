#include "sinew/record/mcap_writer.h"

#include <zlib.h>

#include <numeric>

namespace sinew::record {
namespace mcap {

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  return std::uint32_t(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace mcap

namespace {

using mcap::Opcode;

constexpr std::size_t chunk_size = 1 << 18;  // bytes: what a file that is cut off loses at most

template <class N>
void add_number(std::string& out, N value) {
  for (std::size_t i = 0; i < sizeof(N); i++) out += char((std::uint64_t(value) >> (8 * i)) & 0xff);
}

void add_text(std::string& out, std::string_view text) {
  add_number(out, std::uint32_t(text.size()));
  out += text;
}

std::string map_of_texts(const std::map<std::string, std::string>& values) {
  std::string out;
  for (const auto& [key, value] : values) {
    add_text(out, key);
    add_text(out, value);
  }
  return out;
}

std::string record_of(Opcode opcode, std::string_view content) {
  std::string out(1, char(opcode));
  add_number(out, std::uint64_t(content.size()));
  return out.append(content);
}

}  // namespace

void McapWriter::Span::add(std::uint64_t time) {
  if (is_empty || time < first) first = time;
  if (is_empty || time > last) last = time;
  is_empty = false;
}

McapWriter::McapWriter(const std::string& library, Sink sink) : sink_(std::move(sink)) {
  put(mcap::magic);
  std::string header;
  add_text(header, "");  // no profile: topics and schemas are as docs/mcap.md says
  add_text(header, library);
  put(record_of(Opcode::Header, header));
}

void McapWriter::put(std::string_view bytes) {
  sum_ = mcap::checksum(bytes, sum_);
  place_ += bytes.size();
  sink_(bytes);
}

void McapWriter::add_metadata(const std::string& name, const std::map<std::string, std::string>& values) {
  std::string content, index;
  add_text(content, name);
  add_text(content, map_of_texts(values));
  const std::string whole = record_of(Opcode::Metadata, content);
  add_number(index, place_);
  add_number(index, std::uint64_t(whole.size()));
  add_text(index, name);
  metadata_indexes_ += record_of(Opcode::MetadataIndex, index);
  metadata_++;
  put(whole);
}

std::uint16_t McapWriter::add_schema(const std::string& name, const std::string& json_schema) {
  std::string content;
  add_number(content, ++schema_count_);  // 0 stands for none
  add_text(content, name);
  add_text(content, "jsonschema");
  add_text(content, json_schema);
  const std::string whole = record_of(Opcode::Schema, content);
  schemas_ += whole;
  put(whole);
  return schema_count_;
}

std::uint16_t McapWriter::add_channel(std::uint16_t schema, const std::string& topic) {
  counts_.push_back(0);
  const auto id = std::uint16_t(counts_.size());
  std::string content;
  add_number(content, id);
  add_number(content, schema);
  add_text(content, topic);
  add_text(content, "json");
  add_text(content, "");  // an empty map
  const std::string whole = record_of(Opcode::Channel, content);
  channels_ += whole;
  put(whole);
  return id;
}

void McapWriter::add_message(std::uint16_t channel, std::uint64_t time, std::string_view json) {
  index_[channel].emplace_back(time, chunk_.size());
  chunk_span_.add(time);
  span_.add(time);
  std::string content;
  add_number(content, channel);
  add_number(content, counts_[channel - 1u]++);
  add_number(content, time);
  add_number(content, time);  // published when it was logged
  content += json;
  chunk_ += record_of(Opcode::Message, content);
  if (chunk_.size() >= chunk_size) end_chunk();
}

void McapWriter::end_chunk() {
  if (chunk_.empty()) return;
  const std::uint64_t start = place_;
  std::string content, index;
  for (std::string* out : {&content, &index}) {
    add_number(*out, chunk_span_.first);
    add_number(*out, chunk_span_.last);
  }
  add_number(content, std::uint64_t(chunk_.size()));
  add_number(content, mcap::checksum(chunk_));
  add_text(content, "");  // not compressed
  add_number(content, std::uint64_t(chunk_.size()));
  content += chunk_;
  put(record_of(Opcode::Chunk, content));
  add_number(index, start);
  add_number(index, place_ - start);
  const std::uint64_t end = place_;
  std::string offsets;
  for (const auto& [channel, entries] : index_) {
    add_number(offsets, channel);
    add_number(offsets, place_);
    std::string list, own;
    for (const auto& [time, place] : entries) {
      add_number(list, time);
      add_number(list, place);
    }
    add_number(own, channel);
    add_text(own, list);
    put(record_of(Opcode::MessageIndex, own));
  }
  add_text(index, offsets);
  add_number(index, place_ - end);
  add_text(index, "");
  add_number(index, std::uint64_t(chunk_.size()));
  add_number(index, std::uint64_t(chunk_.size()));
  chunk_indexes_ += record_of(Opcode::ChunkIndex, index);
  chunks_++;
  chunk_.clear();
  index_.clear();
  chunk_span_ = {};
}

std::string McapWriter::statistics() const {
  std::string out, each;
  for (std::size_t i = 0; i < counts_.size(); i++) {
    add_number(each, std::uint16_t(i + 1));
    add_number(each, std::uint64_t(counts_[i]));
  }
  add_number(out, std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
  add_number(out, schema_count_);
  add_number(out, std::uint32_t(counts_.size()));
  add_number(out, std::uint32_t(0));  // attachments
  add_number(out, metadata_);
  add_number(out, chunks_);
  add_number(out, span_.first);
  add_number(out, span_.last);
  add_text(out, each);
  return record_of(Opcode::Statistics, out);
}

void McapWriter::write_summary() {
  const std::uint64_t start = place_;
  std::string groups, footer;
  sum_ = 0;  // that of the summary counts from here
  for (const std::string& group : {schemas_, channels_, statistics(), chunk_indexes_, metadata_indexes_}) {
    if (group.empty()) continue;
    std::string offset(1, group[0]);
    add_number(offset, place_);
    add_number(offset, std::uint64_t(group.size()));
    groups += record_of(Opcode::SummaryOffset, offset);
    put(group);
  }
  add_number(footer, start);
  add_number(footer, place_);
  put(groups);
  add_number(footer, std::uint32_t(0));
  std::string last = record_of(Opcode::Footer, footer);
  last.resize(last.size() - 4);
  put(last);  // counts as well, up to the sum itself
  std::string sum;
  add_number(sum, sum_);
  put(sum);
}

void McapWriter::finish() {
  end_chunk();
  std::string data_end;
  add_number(data_end, sum_);
  put(record_of(Opcode::DataEnd, data_end));
  write_summary();
  put(mcap::magic);
}

}  // namespace sinew::record
