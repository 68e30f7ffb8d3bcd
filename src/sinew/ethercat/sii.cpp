#include "sinew/ethercat/sii.h"

#include <array>

#include "sinew/ethercat/mapping.h"

namespace sinew::ethercat {
namespace {

enum : std::uint16_t {
  strings = 10,
  general = 30,
  fmmus = 40,
  sync_managers = 41,
  transmit_pdos = 50,
  receive_pdos = 51,
  clock = 60
};

struct Writer {
  std::vector<std::uint8_t> bytes;
  template <class T>
  void add(T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    put(bytes.data() + at, value);
  }
  void add(std::initializer_list<std::uint8_t> list) { bytes.insert(bytes.end(), list); }
  template <class T>
  void put_at(std::size_t word, T value) {
    put(bytes.data() + 2 * word, value);
  }
};

void add_category(Writer& out, std::uint16_t kind, std::vector<std::uint8_t> body) {
  if (body.size() % 2 != 0) body.push_back(0);
  out.add(kind);
  out.add(std::uint16_t(body.size() / 2));
  out.bytes.insert(out.bytes.end(), body.begin(), body.end());
}

// Strings are numbered from 1 on: type, group, name, outputs, inputs.
std::vector<std::uint8_t> string_category(const Identity& identity) {
  const std::array<std::string, 5> all{identity.name, identity.group, identity.type, "Outputs", "Inputs"};
  std::vector<std::uint8_t> out{std::uint8_t(all.size())};
  for (const std::string& s : all) {
    out.push_back(std::uint8_t(s.size()));
    out.insert(out.end(), s.begin(), s.end());
  }
  return out;
}

std::vector<std::uint8_t> general_category() {
  constexpr std::uint8_t coe =
      0x01 | 0x02 | 0x04 | 0x08 | 0x20;  // SDO, information, assign, configuration, complete access
  std::vector<std::uint8_t> out(32, 0);
  out[0] = 2;  // strings: group, order number, name
  out[2] = 3;
  out[3] = 1;
  out[5] = coe;
  out[16] = 0x11;  // ports 0 and 1: MII
  return out;
}

std::vector<std::uint8_t> sync_manager_category(bool has_outputs, std::uint16_t n_out, std::uint16_t n_in) {
  Writer w;
  const auto add = [&](std::uint16_t start, std::uint16_t length, std::uint8_t control, std::uint8_t type,
                       std::uint8_t enable) {
    w.add(start);
    w.add(length);
    w.add({control, 0, enable, type});
  };
  add(mailbox_in, mailbox_bytes, control_mailbox_in, 1, 1);
  add(mailbox_out, mailbox_bytes, control_mailbox_out, 2, 1);
  add(outputs_at, n_out, control_outputs, 3, has_outputs ? 1 : 0);
  add(inputs_at, n_in, control_inputs, 4, 1);
  return w.bytes;
}

std::vector<std::uint8_t> pdo_category(const Dictionary& objects, std::uint16_t index, std::uint8_t sm,
                                       std::uint8_t name) {
  const Object* list = objects.find(index);
  if (!list) return {};
  const std::uint8_t n = objects.value<std::uint8_t>(objects.find(index, 0)->at);
  Writer w;
  w.add(index);
  w.add({n, sm, 0, name, 0, 0});
  for (std::uint8_t i = 1; i <= n; i++) {
    const std::uint32_t mapped = objects.value<std::uint32_t>(objects.find(index, i)->at);
    const Entry* e = objects.find(std::uint16_t(mapped >> 16), std::uint8_t(mapped >> 8));
    w.add(std::uint16_t(mapped >> 16));
    w.add({std::uint8_t(mapped >> 8), 0, std::uint8_t(e ? std::uint16_t(e->type) : 0), std::uint8_t(mapped), 0, 0});
  }
  return w.bytes;
}

std::uint16_t bytes_of_pdo(const Dictionary& objects, std::uint16_t index) {
  if (!objects.find(index)) return 0;
  const std::uint8_t n = objects.value<std::uint8_t>(objects.find(index, 0)->at);
  std::uint32_t bits = 0;
  for (std::uint8_t i = 1; i <= n; i++) bits += objects.value<std::uint32_t>(objects.find(index, i)->at) & 255;
  return std::uint16_t(bits / 8);
}

std::vector<std::uint8_t> clock_category() {
  Writer w;
  w.add(std::uint32_t(0));  // cycle and shift of sync 0: the master's
  w.add(std::uint32_t(0));
  w.add(std::uint32_t(0));
  w.add(std::uint16_t(0));
  w.add(std::uint16_t(0x0300));  // sync 0
  w.add(std::uint16_t(0));
  w.add({0, 0, 0, 0, 0, 0});
  return w.bytes;
}

}  // namespace

std::uint8_t sii_checksum(ConstBytes bytes) {
  unsigned crc = 0xff;
  for (const std::uint8_t b : bytes) {
    crc ^= b;
    for (int k = 0; k < 8; k++) crc = (crc & 0x80) != 0 ? (crc << 1) ^ 0x07 : crc << 1;
    crc &= 0xff;
  }
  return std::uint8_t(crc);
}

std::vector<std::uint8_t> make_sii(const Identity& identity, const Dictionary& objects) {
  Writer w;
  w.bytes.assign(128, 0);  // words 0x00 to 0x3f
  w.put_at(0x00, std::uint16_t(0x0005));
  w.put_at(0x07, std::uint16_t(sii_checksum({w.bytes.data(), 14})));
  w.put_at(0x08, vendor);
  w.put_at(0x0a, identity.product);
  w.put_at(0x0c, revision);
  w.put_at(0x0e, identity.serial);
  w.put_at(0x18, mailbox_in);
  w.put_at(0x19, mailbox_bytes);
  w.put_at(0x1a, mailbox_out);
  w.put_at(0x1b, mailbox_bytes);
  w.put_at(0x1c, std::uint16_t(0x0004));  // CoE
  w.put_at(0x3e, std::uint16_t(15));      // KiBit - 1
  w.put_at(0x3f, std::uint16_t(1));
  const bool has_outputs = objects.find(index::receive_pdo) != nullptr;
  add_category(w, strings, string_category(identity));
  add_category(w, general, general_category());
  add_category(w, fmmus, {std::uint8_t(has_outputs ? 1 : 0xff), 2, 3, 0xff});
  add_category(w, sync_managers,
               sync_manager_category(has_outputs, bytes_of_pdo(objects, index::receive_pdo),
                                     bytes_of_pdo(objects, index::transmit_pdo)));
  add_category(w, transmit_pdos, pdo_category(objects, index::transmit_pdo, 3, 5));
  if (has_outputs) add_category(w, receive_pdos, pdo_category(objects, index::receive_pdo, 2, 4));
  add_category(w, clock, clock_category());
  w.add(std::uint16_t(0xffff));
  w.bytes.resize(2048, 0xff);
  return w.bytes;
}

}  // namespace sinew::ethercat
