// The SDO information service: which objects there are, and what an entry is.
#include <algorithm>

#include "sinew/ethercat/sdo.h"

namespace sinew::ethercat {
namespace {

enum : std::uint8_t { get_list = 1, get_object = 3, get_entry = 5 };
enum : std::uint16_t { number_of_objects = 0, all = 1, receive = 2, transmit = 3 };

bool is_in(const Dictionary& objects, const Object& object, std::uint16_t list) {
  if (list == all) return true;
  if (list != receive && list != transmit) return false;
  for (std::uint32_t i = object.first; i < object.first + object.count; i++)
    if (objects.entry(i).access & (list == receive ? may::receive : may::transmit)) return true;
  return false;
}

struct Out {
  Mailbox::Information& to;
  template <class T>
  void add(T value) {
    if (to.size + sizeof value > to.data.size()) return;
    put(to.data.data() + to.size, value);
    to.size += sizeof value;
  }
  void add(const std::string& text) {
    const std::size_t n = std::min(text.size(), to.data.size() - to.size);
    std::copy_n(text.begin(), n, to.data.begin() + std::ptrdiff_t(to.size));
    to.size += n;
  }
};

Abort list_objects(const Dictionary& objects, std::uint16_t list, Out out) {
  if (list > 5) return abort_code::out_of_range;
  out.add(list);
  if (list == number_of_objects) {
    for (std::uint16_t kind = 1; kind <= 5; kind++)
      out.add(std::uint16_t(
          std::ranges::count_if(objects.objects(), [&](const Object& o) { return is_in(objects, o, kind); })));
    return abort_code::none;
  }
  for (const Object& o : objects.objects())
    if (is_in(objects, o, list)) out.add(o.index);
  return abort_code::none;
}

Abort describe(const Dictionary& objects, const Object& object, Out out) {
  std::uint8_t most = 0;
  for (std::uint32_t i = object.first; i < object.first + object.count; i++)
    most = std::max(most, objects.entry(i).sub);
  out.add(object.index);
  out.add(std::uint16_t(object.type));
  out.add(most);
  out.add(std::uint8_t(object.code));
  out.add(object.name);
  return abort_code::none;
}

Abort describe(const Entry& e, Out out) {
  out.add(e.index);
  out.add(e.sub);
  out.add(std::uint8_t(0));  // nothing about units and defaults
  out.add(std::uint16_t(e.type));
  out.add(std::uint16_t(8 * e.bytes));
  out.add(e.access);
  out.add(e.name);
  return abort_code::none;
}

}  // namespace

Abort ask_information(const SdoServer& s, ConstBytes request) {
  Mailbox::Information& info = s.mailbox.information;
  info.size = info.done = 0;
  if (request.size() < 6) return abort_code::wrong_length;
  const std::uint8_t opcode = request[0] & 0x7f;
  info.opcode = std::uint8_t(opcode + 1);
  const std::uint16_t index = get<std::uint16_t>(&request[4]);
  if (opcode == get_list) return list_objects(s.objects, index, {info});
  if (opcode != get_object && opcode != get_entry) return abort_code::unknown_command;
  const Object* object = s.objects.find(index);
  if (!object) return abort_code::no_object;
  if (opcode == get_object) return describe(s.objects, *object, {info});
  if (request.size() < 8) return abort_code::wrong_length;
  const Entry* e = s.objects.find(index, request[6]);
  return e ? describe(*e, {info}) : Abort(abort_code::no_subindex);
}

}  // namespace sinew::ethercat
