#include "tests/support/ethercat_master.h"

#include <algorithm>

namespace sinew::test {
namespace {

std::uint32_t number_of(const Octets& data) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < data.size() && i < 4; i++) out |= std::uint32_t(data[i]) << (8 * i);
  return out;
}

std::uint32_t at(const Octets& data, std::size_t i, std::size_t n) {
  if (i + n > data.size()) return 0;
  return number_of(Octets(data.begin() + std::ptrdiff_t(i), data.begin() + std::ptrdiff_t(i + n)));
}

}  // namespace

std::uint32_t Reply::number() const { return number_of(data); }
std::uint32_t SdoReply::number() const { return number_of(data); }

Octets operator+(Octets a, const Octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Reply Master::send(Command command, std::uint32_t address, const Octets& data) {
  const std::uint16_t n = std::uint16_t(data.size());
  Octets frame = octets(std::uint16_t((n + 12) | 0x1000)) + Octets{command, ++index_} + octets(address) + octets(n) +
                 octets(std::uint16_t(0)) + data + octets(std::uint16_t(0));
  const Octets back = wire_(frame);
  if (back.size() < frame.size()) return {};
  Reply out;
  out.data.assign(back.begin() + 12, back.begin() + 12 + n);
  out.counter = int(at(back, 12u + n, 2));
  return out;
}

std::uint32_t Master::eeprom(int slave, std::uint16_t word) {
  write(slave, 0x0502, octets(std::uint16_t(0x0100)) + octets(std::uint32_t(word)));
  for (int i = 0; i < 100 && (read(slave, 0x0502, 2).number() & 0x8000); i++) {
  }
  return read(slave, 0x0508, 4).number();
}

std::pair<int, int> Master::find_category(int slave, std::uint16_t kind) {
  for (std::uint32_t word = 0x40; word < 0x400;) {
    const std::uint32_t head = eeprom(slave, std::uint16_t(word));
    if ((head & 0xffff) == 0xffff) break;
    if ((head & 0xffff) == kind) return {int(2 * (word + 2)), int(2 * (head >> 16))};
    word += 2 + (head >> 16);
  }
  return {0, 0};
}

int Master::enumerate() {
  const int n = send(BRD, 0, 0x0000, Octets(2)).counter;
  for (int i = 0; i < n; i++) send(APWR, std::uint16_t(-i), 0x0010, octets(station(i)));
  return n;
}

void Master::set_mailboxes(int slave) {
  const std::uint32_t in = eeprom(slave, 0x18), out = eeprom(slave, 0x1a);
  write(slave, 0x0800,
        octets(in) + octets(std::uint32_t(0x00010026)) + octets(out) + octets(std::uint32_t(0x00010022)));
}

std::uint16_t Master::ask_state(int slave, std::uint16_t state) {
  write(slave, 0x0120, octets(state));
  return std::uint16_t(read(slave, 0x0130, 2).number());
}

Octets Master::mail(int slave, std::uint8_t protocol, const Octets& body, std::optional<std::uint16_t> length) {
  std::uint8_t& counter = counters_[slave];
  counter = std::uint8_t(counter % 7 + 1);
  Octets message = octets(length.value_or(std::uint16_t(body.size()))) +
                   Octets{0, 0, 0, std::uint8_t(protocol | counter << 4)} + body;
  message.resize(128);
  if (!body.empty() && write(slave, 0x1000, message).counter != 1) return {};
  if ((read(slave, 0x080d, 1).number() & 8) == 0) return {};
  Octets answer = read(slave, 0x1080, 128).data;
  answer.resize(std::min<std::size_t>(128, 6 + at(answer, 0, 2)));
  return answer;
}

SdoReply Master::upload(int slave, std::uint16_t index, std::uint8_t sub, bool whole) {
  const Octets head = octets(std::uint16_t(0x2000));
  Octets a = mail(slave, 3, head + Octets{std::uint8_t(whole ? 0x50 : 0x40)} + octets(index) + Octets{sub} + Octets(4));
  if (a.size() < 16) return {0xffffffff, {}};
  if (a[8] == 0x80) return {at(a, 12, 4), {}};
  if (a[8] & 2) return {0, Octets(a.begin() + 12, a.begin() + 16 - ((a[8] >> 2) & 3))};
  const std::size_t size = at(a, 12, 4);
  SdoReply out{0, Octets(a.begin() + 16, a.end())};
  for (std::uint8_t toggle = 0; out.data.size() < size; toggle ^= 0x10) {
    a = mail(slave, 3, head + Octets{std::uint8_t(0x60 | toggle)} + Octets(7));
    if (a.size() < 16 || a[8] == 0x80) return {a.size() < 16 ? 0xffffffff : at(a, 12, 4), {}};
    const std::size_t unused = a.size() == 16 ? (a[8] >> 1) & 7u : 0;
    out.data.insert(out.data.end(), a.begin() + 9, a.end() - std::ptrdiff_t(unused));
    if (a[8] & 1) break;
  }
  return out;
}

SdoReply Master::download(int slave, std::uint16_t index, std::uint8_t sub, const Octets& data, bool whole,
                          bool expedited) {
  const Octets head = octets(std::uint16_t(0x2000));
  const std::uint8_t all = whole ? 0x10 : 0;
  const std::size_t first = std::min<std::size_t>(data.size(), 112);
  Octets a;
  if (expedited && data.size() <= 4) {
    Octets padded = data;
    padded.resize(4);
    a = mail(slave, 3,
             head + Octets{std::uint8_t(0x23 | all | (4 - data.size()) << 2)} + octets(index) + Octets{sub} + padded);
  } else {
    a = mail(slave, 3,
             head + Octets{std::uint8_t(0x21 | all)} + octets(index) + Octets{sub} +
                 octets(std::uint32_t(data.size())) + Octets(data.begin(), data.begin() + std::ptrdiff_t(first)));
  }
  std::uint8_t toggle = 0;
  for (std::size_t done = first; a.size() >= 16 && a[8] != 0x80 && done < data.size(); toggle ^= 0x10) {
    const std::size_t n = std::min<std::size_t>(119, data.size() - done);
    Octets part(data.begin() + std::ptrdiff_t(done), data.begin() + std::ptrdiff_t(done + n));
    done += n;
    const std::uint8_t last = done == data.size() ? 1 : 0, unused = n < 7 ? std::uint8_t((7 - n) << 1) : 0;
    part.resize(std::max<std::size_t>(n, 7));
    a = mail(slave, 3, head + Octets{std::uint8_t(toggle | unused | last)} + part);
  }
  if (a.size() < 16) return {0xffffffff, {}};
  return {a[8] == 0x80 ? at(a, 12, 4) : 0, {}};
}

std::vector<std::uint16_t> Master::list_objects(int slave) {
  Octets a = mail(slave, 3, octets(std::uint16_t(0x8000)) + Octets{1, 0, 0, 0} + octets(std::uint16_t(1)));
  std::vector<std::uint16_t> out;
  for (std::size_t from = 14; a.size() > from && a[8] != 7; from = 12) {
    for (std::size_t i = from; i + 1 < a.size(); i += 2) out.push_back(std::uint16_t(at(a, i, 2)));
    if (at(a, 10, 2) == 0) break;
    a = mail(slave, 3, {});
  }
  return out;
}

std::uint16_t Master::bits_of(int slave, std::uint16_t assign) {
  std::uint32_t bits = 0;
  const std::uint32_t n = upload(slave, assign, 0).number();
  for (std::uint32_t i = 1; i <= n; i++) {
    const std::uint16_t list = std::uint16_t(upload(slave, assign, std::uint8_t(i)).number());
    const std::uint32_t entries = upload(slave, list, 0).number();
    for (std::uint32_t k = 1; k <= entries; k++) bits += upload(slave, list, std::uint8_t(k)).number() & 255;
  }
  return std::uint16_t(bits);
}

void Master::map_process_data(int n_slaves) {
  places.assign(std::size_t(n_slaves), {});
  image.clear();
  expected_ = 0;
  const auto map = [&](int s, int fmmu, std::uint32_t start, std::size_t n, std::uint16_t physical, std::uint8_t type) {
    write(s, std::uint16_t(0x0600 + 16 * fmmu),
          octets(start) + octets(std::uint16_t(n)) + Octets{0, 7} + octets(physical) + Octets{0, type, 1, 0, 0, 0});
  };
  for (int s = 0; s < n_slaves; s++) {
    Place& p = places[std::size_t(s)];
    p.n_outputs = bits_of(s, 0x1c12) / 8u;
    p.n_inputs = bits_of(s, 0x1c13) / 8u;
    p.outputs = image.size();
    p.inputs = p.outputs + p.n_outputs;
    image.resize(p.inputs + p.n_inputs);
    if (p.n_outputs > 0)
      write(s, 0x0810, octets(std::uint16_t(0x1100)) + octets(std::uint16_t(p.n_outputs)) + Octets{0x64, 0, 1, 0});
    write(s, 0x0818, octets(std::uint16_t(0x1400)) + octets(std::uint16_t(p.n_inputs)) + Octets{0x20, 0, 1, 0});
    if (p.n_outputs > 0) map(s, 0, std::uint32_t(p.outputs), p.n_outputs, 0x1100, 2);
    map(s, 1, std::uint32_t(p.inputs), p.n_inputs, 0x1400, 1);
    expected_ += p.n_outputs > 0 ? 3 : 1;
  }
}

int Master::configure(int n_slaves) {
  for (int s = 0; s < n_slaves; s++) {
    ask_state(s, 0x11);
    set_mailboxes(s);
    ask_state(s, 0x12);
  }
  map_process_data(n_slaves);
  int up = 0;
  for (int s = 0; s < n_slaves; s++) up += ask_state(s, 4) == 4 ? 1 : 0;
  return up;
}

bool Master::go_operational(int n_slaves) {
  cycle();
  for (int s = 0; s < n_slaves; s++) write(s, 0x0120, octets(std::uint16_t(8)));
  cycle();
  int up = 0;
  for (int s = 0; s < n_slaves; s++) up += read(s, 0x0130, 2).number() == 8 ? 1 : 0;
  return up == n_slaves;
}

int Master::cycle() {
  constexpr std::size_t most = 1400;  // of a frame
  int counter = 0;
  for (std::size_t at = 0; at < image.size(); at += most) {
    const std::size_t n = std::min(most, image.size() - at);
    const Reply r = send(LRW, std::uint32_t(at),
                         Octets(image.begin() + std::ptrdiff_t(at), image.begin() + std::ptrdiff_t(at + n)));
    if (r.counter < 0) return -1;
    std::ranges::copy(r.data, image.begin() + std::ptrdiff_t(at));
    counter += r.counter;
  }
  return counter;
}

}  // namespace sinew::test
