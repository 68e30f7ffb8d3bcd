// The pickle's machine: Python's pickletools; what torch.save writes: torch/serialization.py, torch/_utils.py (_rebuild_tensor_v2).
#include "sinew/record/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>

#include "sinew/files/zip.h"
#include "sinew/record/json_rows.h"

namespace sinew::record {
namespace {

constexpr std::size_t most_bytes = std::size_t(256) << 20, most_items = 100'000, most_letters = 1000;

// What the file says is wrong, without its name.
struct Refusal {
  std::string what;
};

struct Item;
using Items = std::vector<Item>;

// A value on the stack of the machine. Whole numbers are in `number`; lists, tuples and dictionaries in `of`.
struct Item {
  enum class Kind { Nothing, Mark, Number, Text, Name, List, Storage, Tensor } kind = Kind::Nothing;
  std::int64_t number = 0;
  std::string text = {};  // of a name: "module name"
  std::shared_ptr<Items> of = {};
};

Item list_of(Items items, Item::Kind kind = Item::Kind::List) {
  return {kind, 0, "", std::make_shared<Items>(std::move(items))};
}

class Unpickler {
 public:
  Unpickler(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  // One object, up to its STOP.
  Item object() {
    stack_.clear();
    memo_.clear();
    for (;;) {
      const auto code = std::uint8_t(take(1)[0]);
      if (code == '.') return pop();
      if (!put_constant(code) && !put_number(code) && !put_list(code) && !remember(code)) call(code);
      if (stack_.size() > most_items) throw Refusal{"its pickle is too large"};
    }
  }
  std::size_t at() const { return at_; }

 private:
  std::string_view take(std::size_t n) {
    if (n > bytes_.size() - at_) throw Refusal{"it is cut off"};
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }
  std::uint64_t whole(std::size_t n) {
    std::uint64_t value = 0;
    const std::string_view part = take(n);
    for (std::size_t i = 0; i < n && i < 8; i++) value |= std::uint64_t(std::uint8_t(part[i])) << (8 * i);
    return value;
  }
  std::string line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw Refusal{"it is cut off"};
    std::string out = short_text(end - at_);
    take(1);
    return out;
  }
  void push(Item item) { stack_.push_back(std::move(item)); }
  Item pop() {
    if (stack_.empty()) throw Refusal{"its pickle is damaged"};
    Item out = std::move(stack_.back());
    stack_.pop_back();
    return out;
  }
  Items pop_to_mark() {
    Items out;
    for (Item item = pop(); item.kind != Item::Kind::Mark; item = pop()) out.push_back(std::move(item));
    std::ranges::reverse(out);
    return out;
  }
  // Names and keys, which are short: a long one, remembered and copied many times, would fill the memory.
  std::string short_text(std::size_t n) {
    if (n > most_letters) throw Refusal{fmt::format("its pickle has a text of {} letters", n)};
    return std::string(take(n));
  }
  Item text(std::size_t n) { return {Item::Kind::Text, 0, short_text(n)}; }

  bool put_constant(std::uint8_t code) {
    if (code == 0x80) {  // PROTO
      take(1);
    } else if (code == 0x95) {  // FRAME
      take(8);
    } else if (code == '(') {
      push({Item::Kind::Mark});
    } else if (code == 'N') {
      push({});
    } else if (code == 0x88 || code == 0x89) {  // True, False
      push({Item::Kind::Number, code == 0x88});
    } else if (code == 'X') {
      push(text(whole(4)));
    } else if (code == 0x8c) {
      push(text(whole(1)));
    } else if (code == 'c') {  // GLOBAL
      const std::string module = line();
      push({Item::Kind::Name, 0, module + " " + line()});
    } else {
      return false;
    }
    return true;
  }
  bool put_number(std::uint8_t code) {
    std::int64_t value = 0;
    if (code == 'J')
      value = std::int32_t(std::uint32_t(whole(4)));
    else if (code == 'K')
      value = std::int64_t(whole(1));
    else if (code == 'M')
      value = std::int64_t(whole(2));
    else if (code == 0x8a)  // LONG1: those that do not fit are magic numbers, which nobody asks for
      value = std::int64_t(whole(whole(1)));
    else
      return false;
    push({Item::Kind::Number, value});
    return true;
  }
  bool put_list(std::uint8_t code) {
    if (code == ')' || code == ']' || code == '}') {
      push(list_of({}));
    } else if (code == 't') {
      push(list_of(pop_to_mark()));
    } else if (code >= 0x85 && code <= 0x87) {  // TUPLE1 to TUPLE3
      Items items;
      for (int i = 0x85; i <= code; i++) items.insert(items.begin(), pop());
      push(list_of(std::move(items)));
    } else if (code == 'e' || code == 'u') {  // APPENDS, SETITEMS
      add_to_top(pop_to_mark());
    } else if (code == 'a') {
      add_to_top({pop()});
    } else if (code == 's') {
      Item value = pop(), key = pop();
      add_to_top({std::move(key), std::move(value)});
    } else {
      return false;
    }
    return true;
  }
  void add_to_top(Items items) {
    if (stack_.empty() || stack_.back().kind != Item::Kind::List) throw Refusal{"its pickle is damaged"};
    added_ += items.size();
    if (added_ > most_items) throw Refusal{"its pickle is too large"};
    for (Item& item : items) stack_.back().of->push_back(std::move(item));
  }
  bool remember(std::uint8_t code) {
    if (code == 'q' || code == 'r' || code == 0x94) {
      const std::uint64_t place = code == 0x94 ? memo_.size() : whole(code == 'q' ? 1 : 4);
      if (stack_.empty() || memo_.size() > most_items) throw Refusal{"its pickle is damaged"};
      memo_[place] = stack_.back();
    } else if (code == 'h' || code == 'j') {
      const auto found = memo_.find(whole(code == 'h' ? 1 : 4));
      if (found == memo_.end()) throw Refusal{"its pickle is damaged"};
      push(found->second);
    } else {
      return false;
    }
    return true;
  }
  // What stands for something else: numbers that are beside the pickle, and a tensor made of them. Nothing else is ever called.
  void call(std::uint8_t code) {
    if (code == 'Q') {  // BINPERSID: ("storage", type, key, place, count, ...)
      const Item id = pop();
      if (id.kind != Item::Kind::List || id.of->size() < 5 || (*id.of)[0].text != "storage")
        throw Refusal{"it is no tensor of PyTorch"};
      return push(list_of(*id.of, Item::Kind::Storage));
    }
    if (code != 'R') throw Refusal{fmt::format("its pickle has the code {:#04x}, which no tensor needs", code)};
    const Item given = pop(), name = pop();
    if (name.kind != Item::Kind::Name || given.kind != Item::Kind::List) throw Refusal{"its pickle is damaged"};
    if (name.text == "collections OrderedDict") return push(list_of({}));
    if (name.text != "torch._utils _rebuild_tensor_v2")
      throw Refusal{fmt::format(
          "it holds a {}, and what is not a tensor is not made: that would be to run what the file says", name.text)};
    push(list_of(*given.of, Item::Kind::Tensor));
  }

  std::string_view bytes_;
  std::size_t at_, added_ = 0;  // added: to lists, in all
  Items stack_;
  std::map<std::uint64_t, Item> memo_;
};

// The first tensor in an object. `left`: how many more items may be looked at, since a list may hold itself many times.
const Item* tensor_in(const Item& item, std::size_t& left, int depth = 0) {
  if (item.kind == Item::Kind::Tensor) return &item;
  if (item.kind != Item::Kind::List || depth > 8) return nullptr;
  for (const Item& inner : *item.of) {
    if (left == 0) return nullptr;
    left--;
    if (const Item* found = tensor_in(inner, left, depth + 1)) return found;
  }
  return nullptr;
}
const Item* tensor_in(const Item& item) {
  std::size_t left = most_items;
  return tensor_in(item, left);
}

struct StorageType {
  std::string_view name;
  std::size_t width;
  double (*read)(const char*);
};

template <class T>
double number_at(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return double(value);
}

const StorageType& type_of(const Item& storage) {
  static constexpr std::array<StorageType, 4> types{{{"torch DoubleStorage", 8, number_at<double>},
                                                     {"torch FloatStorage", 4, number_at<float>},
                                                     {"torch LongStorage", 8, number_at<std::int64_t>},
                                                     {"torch IntStorage", 4, number_at<std::int32_t>}}};
  const auto* found = std::ranges::find(types, (*storage.of)[1].text, &StorageType::name);
  if (found == types.end()) throw Refusal{fmt::format("its numbers are of the type {}", (*storage.of)[1].text)};
  return *found;
}

// What _rebuild_tensor_v2 is given: (storage, offset, sizes, strides, ...).
struct TensorParts {
  const Item* storage;
  std::int64_t offset;
  std::array<std::int64_t, 2> size{1, 1}, stride{0, 0};
};

TensorParts parts_of(const Item& tensor) {
  const Items& given = *tensor.of;
  if (given.size() < 4 || given[0].kind != Item::Kind::Storage || given[2].kind != Item::Kind::List ||
      given[3].kind != Item::Kind::List || given[2].of->size() != given[3].of->size())
    throw Refusal{"its tensor is damaged"};
  TensorParts out{&given[0], given[1].number};
  if (given[2].of->empty() || given[2].of->size() > 2)
    throw Refusal{fmt::format("its tensor has {} dimensions: one or two are read", given[2].of->size())};
  for (std::size_t i = 0; i < given[2].of->size(); i++) {
    out.size[i] = (*given[2].of)[i].number;
    out.stride[i] = (*given[3].of)[i].number;
  }
  return out;
}

Tensor tensor_from(const TensorParts& parts, std::string_view numbers) {
  const StorageType& type = type_of(*parts.storage);
  const auto count = std::int64_t(numbers.size() / type.width);
  const auto [rows, columns] = parts.size;
  const bool fits = rows > 0 && columns > 0 && rows <= count && columns <= count && parts.offset >= 0 &&
                    parts.stride[0] >= 0 && parts.stride[1] >= 0 && parts.offset < count && parts.stride[0] <= count &&
                    parts.stride[1] <= count && rows <= count / columns &&
                    parts.offset + (rows - 1) * parts.stride[0] + (columns - 1) * parts.stride[1] < count;
  if (!fits) throw Refusal{"its tensor is larger than its numbers"};
  Tensor out{std::size_t(rows), std::size_t(columns), {}};
  for (std::int64_t i = 0; i < rows; i++)
    for (std::int64_t j = 0; j < columns; j++) {
      const std::int64_t at = parts.offset + i * parts.stride[0] + j * parts.stride[1];
      out.values.push_back(type.read(numbers.data() + std::size_t(at) * type.width));
    }
  return out;
}

Tensor tensor_in_archive(std::string bytes) {
  const ZipArchive archive(std::move(bytes), {1000, most_bytes});
  const auto& entries = archive.entries();
  const auto pickle = std::ranges::find_if(entries, [](const ZipEntry& e) { return e.name.ends_with("/data.pkl"); });
  if (pickle == entries.end()) throw Refusal{"it has no data.pkl"};
  const std::string text = archive.content(*pickle), folder = pickle->name.substr(0, pickle->name.size() - 8);
  const Item object = Unpickler(text, 0).object();
  const Item* tensor = tensor_in(object);
  if (!tensor) throw Refusal{"it holds no tensor"};
  const TensorParts parts = parts_of(*tensor);
  const ZipEntry* numbers = archive.find(folder + "data/" + (*parts.storage->of)[2].text);
  if (!numbers) throw Refusal{"the numbers of its tensor are missing"};
  return tensor_from(parts, archive.content(*numbers));
}

// Before version 1.6: magic number, version, machine, object, keys of storages in order; then each with its count before it.
Tensor tensor_in_sequence(std::string_view bytes) {
  Unpickler unpickler(bytes, 0);
  for (int i = 0; i < 3; i++) unpickler.object();
  const Item object = unpickler.object(), keys = unpickler.object();
  const Item* tensor = tensor_in(object);
  if (!tensor || keys.kind != Item::Kind::List) throw Refusal{"it holds no tensor"};
  const TensorParts parts = parts_of(*tensor);
  const std::string& wanted = (*parts.storage->of)[2].text;
  if (keys.of->size() != 1 || (*keys.of)[0].text != wanted) throw Refusal{"it holds more than one tensor"};
  const std::size_t at = unpickler.at();
  if (bytes.size() - at < 8) throw Refusal{"it is cut off"};
  const auto count = std::uint64_t(number_at<std::int64_t>(bytes.data() + at));
  const std::size_t width = type_of(*parts.storage).width;
  if (count > (bytes.size() - at - 8) / width) throw Refusal{"it is cut off"};
  return tensor_from(parts, bytes.substr(at + 8, std::size_t(count) * width));
}

}  // namespace

Tensor read_tensor(const std::string& file) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes = bytes_of_file(file);
  std::string what;
  try {
    if (bytes.size() > most_bytes) throw Refusal{fmt::format("it has more than {} bytes", most_bytes)};
    if (bytes.starts_with("PK")) return tensor_in_archive(std::move(bytes));
    return tensor_in_sequence(bytes);
  } catch (const Refusal& e) {
    what = e.what;
  } catch (const ZipError& e) {
    what = e.what();
  }
  throw Error(fmt::format("{}: {}: give a tensor of one or two dimensions, as torch.save writes it", file, what));
}

}  // namespace sinew::record
