// Memory: numbers that controllers and devices carry from one step to the next, in named blocks of State::memory. Who needs a block
// asks for it in Plan::memory. Blocks lie one after the other in that order and are zero when the world is made.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Plan;

struct MemoryBlock {
  std::string name;
  int size = 0;  // numbers in it
  bool operator==(const MemoryBlock&) const = default;
};

// Of all blocks together.
int memory_size(const std::vector<MemoryBlock>& blocks);

// Where the block begins in State::memory. Throws PlanError if the plan has none of this name.
int memory_offset(const Plan& plan, std::string_view name);

}  // namespace sinew
