#include "sinew/model/memory.h"

#include <fmt/format.h>

#include "sinew/model/plan.h"

namespace sinew {

int memory_size(const std::vector<MemoryBlock>& blocks) {
  int size = 0;
  for (const MemoryBlock& block : blocks) size += block.size;
  return size;
}

int memory_offset(const Plan& plan, std::string_view name) {
  int offset = 0;
  for (const MemoryBlock& block : plan.memory) {
    if (block.name == name) return offset;
    offset += block.size;
  }
  throw PlanError({{"memory", fmt::format("no block is named \"{}\": ask for it in Plan::memory", name)}});
}

}  // namespace sinew
