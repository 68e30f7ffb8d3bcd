#include "sinew/ethercat/mapping.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew::ethercat {
namespace {

std::uint32_t number_of(const Dictionary& objects, const Entry& e) {
  return e.bytes == 1   ? objects.value<std::uint8_t>(e.at)
         : e.bytes == 2 ? objects.value<std::uint16_t>(e.at)
                        : objects.value<std::uint32_t>(e.at);
}

std::uint32_t number_of(const Dictionary& objects, std::uint16_t index, std::uint8_t sub) {
  const Entry* e = objects.find(index, sub);
  return e ? number_of(objects, *e) : 0;
}

bool is_assignment(std::uint16_t i) { return i == index::receive_assign || i == index::transmit_assign; }
bool receives(std::uint16_t i) { return i == index::receive_pdo || i == index::receive_assign; }

// One object that is to be mapped.
Abort check_mapped(const Dictionary& objects, std::uint32_t mapped, bool outputs) {
  const std::uint16_t index = std::uint16_t(mapped >> 16);
  const std::uint8_t sub = std::uint8_t(mapped >> 8), bits = std::uint8_t(mapped);
  if (index == 0) return bits > 0 && bits % 8 == 0 && sub == 0 ? abort_code::none : abort_code::not_mappable;
  if (!objects.find(index)) return abort_code::no_object;
  const Entry* e = objects.find(index, sub);
  if (!e) return abort_code::no_subindex;
  if ((e->access & (outputs ? may::receive : may::transmit)) == 0) return abort_code::not_mappable;
  return bits == 8 * e->bytes ? abort_code::none : abort_code::not_mappable;
}

Abort check_count(const Dictionary& objects, std::uint16_t index, std::uint32_t count) {
  if (is_assignment(index)) {
    if (count > 1) return abort_code::out_of_range;
    return count == 0 || number_of(objects, index, 1) != 0 ? abort_code::none : abort_code::out_of_range;
  }
  if (count > most_mapped) return abort_code::too_long_for_pdo;
  std::uint32_t bits = 0;
  for (std::uint32_t i = 1; i <= count; i++) {
    const std::uint32_t mapped = number_of(objects, index, std::uint8_t(i));
    const Abort code = check_mapped(objects, mapped, receives(index));
    if (code != abort_code::none) return code;
    bits += mapped & 255;
  }
  return bits <= 8u * most_process_bytes ? abort_code::none : abort_code::too_long_for_pdo;
}

ProcessData data_of(Dictionary& objects, std::uint16_t assign) {
  ProcessData out;
  if (number_of(objects, assign, 0) != 1) return out;
  const std::uint16_t list = std::uint16_t(number_of(objects, assign, 1));
  const std::uint32_t count = std::min<std::uint32_t>(number_of(objects, list, 0), most_mapped);
  for (std::uint32_t i = 1; i <= count; i++) {
    const std::uint32_t mapped = number_of(objects, list, std::uint8_t(i));
    const Entry* e = objects.find(std::uint16_t(mapped >> 16), std::uint8_t(mapped >> 8));
    ProcessData::Part& part = out.part[std::size_t(out.n++)];
    part.bytes = std::uint16_t((mapped & 255) / 8);
    part.is_gap = mapped >> 16 == 0;
    if (!part.is_gap && e) part.at = e->at;
    out.bytes = std::uint16_t(out.bytes + part.bytes);
  }
  return out;
}

void add_list(Dictionary& objects, std::uint16_t list, const char* name, std::span<const std::uint32_t> mapped) {
  constexpr std::uint16_t access = may::read | may::write_pre_op;
  objects.begin(list, ObjectCode::Record, Type::PdoMapping, name, access, int(mapped.size()));
  for (int i = 0; i < most_mapped; i++)
    objects.add_sub(std::uint8_t(i + 1), Type::Uint32, access, "mapped object",
                    std::size_t(i) < mapped.size() ? mapped[std::size_t(i)] : 0);
}

void add_assignment(Dictionary& objects, std::uint16_t assign, const char* name, std::uint16_t list, bool is_there) {
  const std::uint16_t access = is_there ? may::read | may::write_pre_op : may::read;
  objects.begin(assign, ObjectCode::Array, Type::Uint16, name, access, is_there ? 1 : 0);
  if (is_there) objects.add_sub(1, Type::Uint16, access, "PDO", list);
}

}  // namespace

void add_mapping(Dictionary& objects, std::span<const std::uint32_t> receive, std::span<const std::uint32_t> transmit) {
  if (!receive.empty()) add_list(objects, index::receive_pdo, "outputs", receive);
  if (!transmit.empty()) add_list(objects, index::transmit_pdo, "inputs", transmit);
  add_assignment(objects, index::receive_assign, "PDO of outputs", index::receive_pdo, !receive.empty());
  add_assignment(objects, index::transmit_assign, "PDO of inputs", index::transmit_pdo, !transmit.empty());
}

bool is_mapping(std::uint16_t i) { return i == index::receive_pdo || i == index::transmit_pdo || is_assignment(i); }

Abort check_mapping(const Dictionary& objects, std::uint16_t index, std::uint8_t sub, std::uint32_t value) {
  if (sub == 0) return check_count(objects, index, value);
  if (number_of(objects, index, 0) != 0) return abort_code::count_is_not_zero;
  if (is_assignment(index)) {
    const std::uint32_t list = receives(index) ? index::receive_pdo : index::transmit_pdo;
    return value == list ? abort_code::none : abort_code::not_mappable;
  }
  return value == 0 ? Abort(abort_code::none) : check_mapped(objects, value, receives(index));
}

ProcessData outputs_of(Dictionary& objects) { return data_of(objects, index::receive_assign); }
ProcessData inputs_of(Dictionary& objects) { return data_of(objects, index::transmit_assign); }

void take_outputs(const ProcessData& data, const std::uint8_t* image, Dictionary& objects) {
  for (int i = 0; i < data.n; i++) {
    const ProcessData::Part& p = data.part[std::size_t(i)];
    if (!p.is_gap) std::memcpy(objects.data() + p.at, image, p.bytes);
    image += p.bytes;
  }
}

void give_inputs(const ProcessData& data, Dictionary& objects, std::uint8_t* image) {
  for (int i = 0; i < data.n; i++) {
    const ProcessData::Part& p = data.part[std::size_t(i)];
    if (p.is_gap)
      std::memset(image, 0, p.bytes);
    else
      std::memcpy(image, objects.data() + p.at, p.bytes);
    image += p.bytes;
  }
}

}  // namespace sinew::ethercat
