// Writes an MCAP file of JSON messages: schemas and channels first, messages in chunks with checksums and indexes, then the summary.
// A file that is cut off loses the chunk it was cut in and nothing before it.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/record/mcap.h"

namespace sinew::record {

class McapWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  // library: who writes it. The sink takes the bytes piece by piece, in their order.
  McapWriter(const std::string& library, Sink sink);

  // All of these before the first message.
  void add_metadata(const std::string& name, const std::map<std::string, std::string>& values);
  std::uint16_t add_schema(const std::string& name, const std::string& json_schema);
  std::uint16_t add_channel(std::uint16_t schema, const std::string& topic);

  // time: [ns], not before that of the message before.
  void add_message(std::uint16_t channel, std::uint64_t time, std::string_view json);
  void finish();

 private:
  struct Span {  // in time, of messages [ns]
    std::uint64_t first = 0, last = 0;
    bool is_empty = true;
    void add(std::uint64_t time);
  };
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // time, place in its chunk

  void put(std::string_view bytes);
  void end_chunk();
  void write_summary();
  std::string statistics() const;

  Sink sink_;
  std::uint64_t place_ = 0;                                            // bytes written
  std::uint32_t sum_ = 0;                                              // of them
  std::string schemas_, channels_, chunk_indexes_, metadata_indexes_;  // records, for the summary
  std::uint16_t schema_count_ = 0;
  std::vector<std::uint32_t> counts_;  // messages of each channel, from id 1 on
  std::string chunk_;                  // records that wait
  std::map<std::uint16_t, std::vector<Entry>> index_;
  Span chunk_span_, span_;
  std::uint32_t chunks_ = 0, metadata_ = 0;
};

}  // namespace sinew::record
