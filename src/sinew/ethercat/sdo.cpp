#include "sinew/ethercat/sdo.h"

#include <algorithm>

namespace sinew::ethercat {
namespace {

// First bytes of requests and answers.
namespace command {
enum : std::uint8_t {
  download_segment = 0x00,
  download = 0x20,
  upload = 0x40,
  upload_segment = 0x60,
  abort = 0x80,
  whole_object = 0x10,
  expedited = 0x02,
  has_size = 0x01
};
}

struct Place {
  std::uint16_t index;
  std::uint8_t sub;
  bool whole_object;
};

std::size_t refuse(const Place& p, Abort code, Bytes answer) {
  answer[0] = command::abort;
  put(&answer[1], p.index);
  answer[3] = p.sub;
  put(&answer[4], code);
  return 8;
}

std::size_t confirm(std::uint8_t first, const Place& p, Bytes answer) {
  answer[0] = first;
  put(&answer[1], p.index);
  answer[3] = p.sub;
  put(&answer[4], std::uint32_t(0));
  return 8;
}

Abort find(const Dictionary& objects, const Place& p, const Entry*& out) {
  if (!objects.find(p.index)) return abort_code::no_object;
  out = objects.find(p.index, p.sub);
  return out ? abort_code::none : abort_code::no_subindex;
}

// How many bytes an entry of text has now: up to the first zero.
std::size_t size_of(Dictionary& objects, const Entry& e) {
  if (e.type != Type::String) return e.bytes;
  const Bytes all = objects.bytes_of(e);
  return std::size_t(std::ranges::find(all, std::uint8_t(0)) - all.begin());
}

std::uint16_t write_bits(std::uint8_t state) {
  return state == al::pre_op ? 0x08 : state == al::safe_op ? 0x10 : state == al::op ? 0x20 : 0;
}

// ---- reading

Abort collect(const SdoServer& s, const Place& p, Mailbox::Transfer& out) {
  out.size = out.done = 0;
  const Entry* e = nullptr;
  const Abort found = find(s.objects, p, e);
  if (found != abort_code::none) return found;
  if (!p.whole_object) {
    if ((e->access & may::read) == 0) return abort_code::write_only;
    out.size = size_of(s.objects, *e);
    std::ranges::copy(s.objects.bytes_of(*e).first(out.size), out.data.begin());
    return abort_code::none;
  }
  if (p.sub > 1) return abort_code::unsupported_access;
  const Object& object = *s.objects.find(p.index);
  const std::size_t count = s.objects.bytes_of(s.objects.entry(object.first))[0];
  for (std::uint32_t i = object.first; i < object.first + object.count; i++) {
    const Entry& one = s.objects.entry(i);
    if (one.sub < p.sub || (object.code != ObjectCode::Variable && one.sub > count)) continue;
    const Bytes value = s.objects.bytes_of(one);
    if (out.size + value.size() + 2 > out.data.size()) return abort_code::too_long;
    std::ranges::copy(value, out.data.begin() + std::ptrdiff_t(out.size));
    out.size += value.size();
    if (one.sub == 0 && object.code != ObjectCode::Variable) out.data[out.size++] = 0;  // the count has 16 bits here
  }
  return abort_code::none;
}

std::size_t upload(const SdoServer& s, ConstBytes request, const Place& p, Bytes answer) {
  Mailbox::Transfer& t = s.mailbox.transfer;
  t.is_up = t.is_down = false;
  if (const Abort code = collect(s, p, t); code != abort_code::none) return refuse(p, code, answer);
  const std::uint8_t whole = request[0] & command::whole_object;
  put(&answer[1], p.index);
  answer[3] = p.sub;
  if (t.size <= 4 && t.size > 0) {
    answer[0] = std::uint8_t(command::upload | whole | ((4 - t.size) << 2) | command::expedited | command::has_size);
    put(&answer[4], std::uint32_t(0));
    std::copy_n(t.data.begin(), t.size, answer.begin() + 4);
    return 8;
  }
  answer[0] = std::uint8_t(command::upload | whole | command::has_size);
  put(&answer[4], std::uint32_t(t.size));
  t.done = std::min(t.size, most_service - 8);
  std::copy_n(t.data.begin(), t.done, answer.begin() + 8);
  t.is_up = t.done < t.size;
  t.toggle = 0;
  return 8 + t.done;
}

std::size_t upload_segment(const SdoServer& s, ConstBytes request, Bytes answer) {
  Mailbox::Transfer& t = s.mailbox.transfer;
  const Place p{t.index, t.sub, false};
  if (!t.is_up) return refuse(p, abort_code::unknown_command, answer);
  if ((request[0] & 0x10) != t.toggle) {
    t.is_up = false;
    return refuse(p, abort_code::toggle, answer);
  }
  const std::size_t n = std::min(t.size - t.done, most_service - 1);
  std::fill_n(answer.begin(), 8, std::uint8_t(0));
  std::copy_n(t.data.begin() + std::ptrdiff_t(t.done), n, answer.begin() + 1);
  t.done += n;
  t.is_up = t.done < t.size;
  answer[0] = std::uint8_t(t.toggle | (n < 7 ? (7 - n) << 1 : 0) | (t.is_up ? 0 : 1));
  t.toggle ^= 0x10;
  return 1 + std::max<std::size_t>(n, 7);
}

// ---- writing

Abort check_entry(const SdoServer& s, const Entry& e, ConstBytes data) {
  if ((e.access & may::write) == 0) return abort_code::read_only;
  if ((e.access & write_bits(s.state)) == 0) return abort_code::wrong_state;
  if (data.size() > e.bytes) return abort_code::too_long;
  if (e.type == Type::String) return abort_code::none;
  if (data.size() < e.bytes) return abort_code::too_short;
  std::uint32_t value = 0;
  std::copy_n(data.begin(), std::min<std::size_t>(4, data.size()), reinterpret_cast<std::uint8_t*>(&value));
  return s.check(s.objects, e.index, e.sub, value);
}

Abort store_entry(const SdoServer& s, const Entry& e, ConstBytes data) {
  const Abort code = check_entry(s, e, data);
  if (code != abort_code::none) return code;
  const Bytes place = s.objects.bytes_of(e);
  std::ranges::fill(place, std::uint8_t(0));
  std::ranges::copy(data, place.begin());
  return abort_code::none;
}

// A whole object: its count becomes 0, its entries are written, then its count; as a master does it one by one. Refused half way, it is as before.
Abort store_whole(const SdoServer& s, const Place& p, ConstBytes data) {
  const Object* object = s.objects.find(p.index);
  if (!object) return abort_code::no_object;
  if (p.sub > 1 || object->code == ObjectCode::Variable) return abort_code::unsupported_access;
  const Entry& count = s.objects.entry(object->first);
  const Bytes number = s.objects.bytes_of(count);
  const std::uint8_t before = number[0];
  std::array<std::uint8_t, most_object_bytes> old{};
  std::size_t kept = 0, at = p.sub == 0 ? 2 : 0;
  if (p.sub == 0 && data.size() < 2) return abort_code::too_short;
  const std::uint8_t wanted = p.sub == 0 ? data[0] : before;
  const bool counts = (count.access & may::write) != 0;
  if (!counts && wanted != before) return abort_code::read_only;
  Abort code = counts ? store_entry(s, count, std::array<std::uint8_t, 1>{0}) : Abort(abort_code::none);
  std::uint32_t i = object->first + 1;
  for (; code == abort_code::none && i < object->first + object->count && at < data.size(); i++) {
    const Entry& e = s.objects.entry(i);
    const std::size_t n = std::min<std::size_t>(e.bytes, data.size() - at);
    std::ranges::copy(s.objects.bytes_of(e), old.begin() + std::ptrdiff_t(kept));
    kept += e.bytes;
    code = store_entry(s, e, data.subspan(at, n));
    at += n;
  }
  if (code == abort_code::none && at < data.size()) code = abort_code::too_long;
  if (code == abort_code::none && counts) code = store_entry(s, count, std::array<std::uint8_t, 1>{wanted});
  if (code == abort_code::none) return code;
  std::size_t from = 0;
  for (std::uint32_t k = object->first + 1; k < i; k++) {
    const Bytes value = s.objects.bytes_of(s.objects.entry(k));
    std::copy_n(old.begin() + std::ptrdiff_t(from), value.size(), value.begin());
    from += value.size();
  }
  number[0] = before;
  return code;
}

Abort store(const SdoServer& s, const Place& p, ConstBytes data) {
  if (p.whole_object) return store_whole(s, p, data);
  const Entry* e = nullptr;
  const Abort found = find(s.objects, p, e);
  return found != abort_code::none ? found : store_entry(s, *e, data);
}

std::size_t download(const SdoServer& s, ConstBytes request, const Place& p, Bytes answer) {
  Mailbox::Transfer& t = s.mailbox.transfer;
  t.is_up = t.is_down = false;
  const std::uint8_t first = request[0];
  const std::uint8_t done = std::uint8_t(0x60 | (first & command::whole_object));
  if (first & command::expedited) {
    const std::size_t n = (first & command::has_size) ? 4u - ((first >> 2) & 3u) : 4u;
    const Abort code = store(s, p, request.subspan(4, n));
    return code == abort_code::none ? confirm(done, p, answer) : refuse(p, code, answer);
  }
  t.size = get<std::uint32_t>(&request[4]);
  if (t.size > t.data.size()) return refuse(p, abort_code::too_long, answer);
  t.done = std::min(request.size() - 8, t.size);
  std::copy_n(request.begin() + 8, t.done, t.data.begin());
  if (t.done < t.size) {
    t.is_down = true;
    t.toggle = 0;
    t.index = p.index;
    t.sub = p.sub;
    t.whole_object = p.whole_object;
    return confirm(done, p, answer);
  }
  const Abort code = store(s, p, ConstBytes(t.data).first(t.size));
  return code == abort_code::none ? confirm(done, p, answer) : refuse(p, code, answer);
}

std::size_t download_segment(const SdoServer& s, ConstBytes request, Bytes answer) {
  Mailbox::Transfer& t = s.mailbox.transfer;
  const Place p{t.index, t.sub, t.whole_object};
  if (!t.is_down) return refuse(p, abort_code::unknown_command, answer);
  if ((request[0] & 0x10) != t.toggle) {
    t.is_down = false;
    return refuse(p, abort_code::toggle, answer);
  }
  std::size_t n = request.size() - 1;
  if (n <= 7) n = std::min<std::size_t>(n, 7u - ((request[0] >> 1) & 7u));
  const bool is_last = request[0] & 1;
  if (t.done + n > t.size || (is_last && t.done + n < t.size)) {
    t.is_down = false;
    return refuse(p, abort_code::wrong_length, answer);
  }
  std::copy_n(request.begin() + 1, n, t.data.begin() + std::ptrdiff_t(t.done));
  t.done += n;
  if (is_last) {
    t.is_down = false;
    const Abort code = store(s, p, ConstBytes(t.data).first(t.size));
    if (code != abort_code::none) return refuse(p, code, answer);
  }
  std::fill_n(answer.begin(), 8, std::uint8_t(0));
  answer[0] = std::uint8_t(0x20 | t.toggle);
  t.toggle ^= 0x10;
  return 8;
}

}  // namespace

std::size_t answer_sdo(const SdoServer& s, ConstBytes request, Bytes answer) {
  const std::uint8_t kind = request[0] & 0xe0;
  const Place p{get<std::uint16_t>(&request[1]), request[3], (request[0] & command::whole_object) != 0};
  switch (kind) {
    case command::download:
      return download(s, request, p, answer);
    case command::download_segment:
      return download_segment(s, request, answer);
    case command::upload:
      s.mailbox.transfer.index = p.index;
      s.mailbox.transfer.sub = p.sub;
      return upload(s, request, p, answer);
    case command::upload_segment:
      return upload_segment(s, request, answer);
    case command::abort:
      s.mailbox.transfer.is_up = s.mailbox.transfer.is_down = false;
      return 0;
    default:
      return refuse(p, abort_code::unknown_command, answer);
  }
}

}  // namespace sinew::ethercat
