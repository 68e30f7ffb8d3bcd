#include "sinew/ethercat/dictionary.h"

#include <algorithm>

namespace sinew::ethercat {

std::string_view name_of(Type type) {
  switch (type) {
    case Type::Int8:
      return "SINT";
    case Type::Int16:
      return "INT";
    case Type::Int32:
      return "DINT";
    case Type::Uint8:
      return "USINT";
    case Type::Uint16:
      return "UINT";
    case Type::Uint32:
      return "UDINT";
    default:
      return "STRING";
  }
}

std::uint16_t size_of(Type type) {
  switch (type) {
    case Type::Int8:
    case Type::Uint8:
      return 1;
    case Type::Int16:
    case Type::Uint16:
      return 2;
    default:
      return 4;
  }
}

std::uint32_t Dictionary::add_entry(Object& object, Entry entry, std::int64_t value) {
  entry.at = std::uint32_t(values_.size());
  if (object.count == 0) object.first = std::uint32_t(entries_.size());
  object.count++;
  values_.resize(values_.size() + entry.bytes);
  std::memcpy(values_.data() + entry.at, &value, std::min<std::size_t>(entry.bytes, sizeof value));
  entries_.push_back(std::move(entry));
  return entries_.back().at;
}

std::uint32_t Dictionary::add(std::uint16_t index, Type type, std::uint16_t access, std::string name,
                              std::int64_t value) {
  objects_.push_back({index, ObjectCode::Variable, type, name});
  return add_entry(objects_.back(), {index, 0, type, size_of(type), access, 0, std::move(name)}, value);
}

std::uint32_t Dictionary::add_text(std::uint16_t index, std::uint16_t access, std::string name, std::string_view text,
                                   std::uint16_t bytes) {
  objects_.push_back({index, ObjectCode::Variable, Type::String, name});
  const std::uint32_t at = add_entry(objects_.back(), {index, 0, Type::String, bytes, access, 0, std::move(name)}, 0);
  std::copy_n(text.begin(), std::min<std::size_t>(text.size(), bytes), values_.begin() + std::ptrdiff_t(at));
  return at;
}

void Dictionary::begin(std::uint16_t index, ObjectCode code, Type type, std::string name, std::uint16_t access_of_count,
                       int count) {
  objects_.push_back({index, code, type, std::move(name)});
  add_entry(objects_.back(), {index, 0, Type::Uint8, 1, access_of_count, 0, "number of entries"}, count);
}

std::uint32_t Dictionary::add_sub(std::uint8_t sub, Type type, std::uint16_t access, std::string name,
                                  std::int64_t value) {
  Object& object = objects_.back();
  return add_entry(object, {object.index, sub, type, size_of(type), access, 0, std::move(name)}, value);
}

void Dictionary::finish() { std::ranges::sort(objects_, {}, &Object::index); }

const Object* Dictionary::find(std::uint16_t index) const {
  const auto found = std::ranges::lower_bound(objects_, index, {}, &Object::index);
  return found != objects_.end() && found->index == index ? &*found : nullptr;
}

const Entry* Dictionary::find(std::uint16_t index, std::uint8_t sub) const {
  const Object* object = find(index);
  if (!object) return nullptr;
  for (std::uint32_t i = object->first; i < object->first + object->count; i++)
    if (entries_[i].sub == sub) return &entries_[i];
  return nullptr;
}

}  // namespace sinew::ethercat
