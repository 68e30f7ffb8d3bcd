// The EEPROM of a slave, which tells a master what it is before it can ask (slave information interface, ETG.1000.6 and ETG.2010): identity, mailbox, then
// categories: strings, general, FMMUs, sync managers, PDOs, distributed clock.
#pragma once
#include <string>
#include <vector>

#include "sinew/ethercat/dictionary.h"

namespace sinew::ethercat {

// No vendor of the register of the EtherCAT Technology Group has this number: the slaves are for tests.
inline constexpr std::uint32_t vendor = 0xf0005e55, revision = 0x00010000;

struct Identity {
  std::uint32_t product = 0, serial = 0;
  std::string type;  // "sinew-drive-rotary"
  std::string name;  // of the kind, for people
  std::string group = "Drives";
};

// The objects say which PDOs it has.
std::vector<std::uint8_t> make_sii(const Identity& identity, const Dictionary& objects);

// Of words 0 to 6: polynomial x^8 + x^2 + x + 1, begun with 0xff.
std::uint8_t sii_checksum(ConstBytes bytes);

}  // namespace sinew::ethercat
