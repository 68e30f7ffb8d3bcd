// Dictionary: the objects of a slave, by index and subindex, with their values in one list of bytes (IEC 61158-6-12, CANopen over EtherCAT). Entries are
// sorted when the slave is made; later nothing is added.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sinew/ethercat/bytes.h"

namespace sinew::ethercat {

enum class Type : std::uint16_t {
  Int8 = 2,
  Int16 = 3,
  Int32 = 4,
  Uint8 = 5,
  Uint16 = 6,
  Uint32 = 7,
  String = 9,
  PdoMapping = 0x21,
  Identity = 0x23
};
std::string_view name_of(Type type);  // as in ESI files: "UINT"

// Who may do what, as an entry description of the SDO information service has it.
namespace may {
enum : std::uint16_t {
  read = 0x07,
  write_pre_op = 0x08,
  write = 0x38,
  receive = 0x40,   // can be mapped to outputs of the master
  transmit = 0x80,  // can be mapped to its inputs
};
}

enum class ObjectCode : std::uint8_t { Variable = 7, Array = 8, Record = 9 };

struct Entry {
  std::uint16_t index;
  std::uint8_t sub;
  Type type;
  std::uint16_t bytes, access;
  std::uint32_t at;  // in the list of values
  std::string name;
};

struct Object {
  std::uint16_t index;
  ObjectCode code;
  Type type;
  std::string name;
  std::uint32_t first = 0, count = 0;  // its entries
};

class Dictionary {
 public:
  // A value with one number; returns where it is.
  std::uint32_t add(std::uint16_t index, Type type, std::uint16_t access, std::string name, std::int64_t value = 0);
  std::uint32_t add_text(std::uint16_t index, std::uint16_t access, std::string name, std::string_view text,
                         std::uint16_t bytes);
  // An array or record whose entries follow; subindex 0 is their number.
  void begin(std::uint16_t index, ObjectCode code, Type type, std::string name, std::uint16_t access_of_count,
             int count);
  std::uint32_t add_sub(std::uint8_t sub, Type type, std::uint16_t access, std::string name, std::int64_t value = 0);
  void finish();  // sorts; no more is added

  const Object* find(std::uint16_t index) const;  // nullptr: there is none
  const Entry* find(std::uint16_t index, std::uint8_t sub) const;
  const std::vector<Object>& objects() const { return objects_; }
  const Entry& entry(std::uint32_t i) const { return entries_[i]; }

  Bytes bytes_of(const Entry& e) { return {values_.data() + e.at, e.bytes}; }
  template <class T>
  T value(std::uint32_t at) const {
    return get<T>(values_.data() + at);
  }
  template <class T>
  void set(std::uint32_t at, T value) {
    put(values_.data() + at, value);
  }
  std::uint8_t* data() { return values_.data(); }

 private:
  std::uint32_t add_entry(Object& object, Entry entry, std::int64_t value);

  std::vector<Object> objects_;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> values_;
};

std::uint16_t size_of(Type type);  // [bytes]

}  // namespace sinew::ethercat
