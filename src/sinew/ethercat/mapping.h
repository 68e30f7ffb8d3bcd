// Mapping: which objects travel as process data, in which order. Objects 0x1600 (outputs of the master) and 0x1a00 (inputs) list them, 0x1c12 and
// 0x1c13 say which list is used. A list is changed with its count set to 0, and judged when entries and count are written.
#pragma once
#include <array>

#include "sinew/ethercat/abort.h"
#include "sinew/ethercat/dictionary.h"
#include "sinew/ethercat/registers.h"

namespace sinew::ethercat {

inline constexpr int most_mapped = 12;

namespace index {
enum : std::uint16_t { receive_pdo = 0x1600, transmit_pdo = 0x1a00, receive_assign = 0x1c12, transmit_assign = 0x1c13 };
}

// One direction, as a copy of bytes to be done: objects in their order.
struct ProcessData {
  struct Part {
    std::uint32_t at = 0;
    std::uint16_t bytes = 0;
    bool is_gap = false;
  };
  std::array<Part, most_mapped> part{};
  int n = 0;
  std::uint16_t bytes = 0;
};

// The objects 0x1600, 0x1a00, 0x1c12, 0x1c13 with these entries: index << 16 | subindex << 8 | bits; index 0: a gap. None: no object.
void add_mapping(Dictionary& objects, std::span<const std::uint32_t> receive, std::span<const std::uint32_t> transmit);

bool is_mapping(std::uint16_t index);
// Whether a number may be written to an entry of these objects, before it is.
Abort check_mapping(const Dictionary& objects, std::uint16_t index, std::uint8_t sub, std::uint32_t value);

// What is mapped now: nothing where nothing is assigned.
ProcessData outputs_of(Dictionary& objects);
ProcessData inputs_of(Dictionary& objects);

void take_outputs(const ProcessData& data, const std::uint8_t* image, Dictionary& objects);
void give_inputs(const ProcessData& data, Dictionary& objects, std::uint8_t* image);

}  // namespace sinew::ethercat
