#include "sinew/ethercat/eeprom.h"

#include <algorithm>

#include "sinew/ethercat/slave.h"

namespace sinew::ethercat {
namespace {

enum : std::uint16_t {
  write_enable = 0x0001,
  eight_bytes = 0x0040,
  command_read = 0x0100,
  command_write = 0x0200,
  command_reload = 0x0400,
  commands = 0x0700,
  error_command = 0x2000,
  error_write_enable = 0x4000
};

}  // namespace

void obey_eeprom_command(Slave& s) {
  const std::uint16_t control = s.esc.at<std::uint16_t>(reg::eeprom_control);
  const std::uint16_t command = control & commands;
  std::uint16_t status = eight_bytes;
  const std::uint64_t at = 2 * std::uint64_t(s.esc.at<std::uint32_t>(reg::eeprom_address));
  const bool is_ours = (s.esc.memory[reg::eeprom_config] & 1) == 0;  // else the master has given it away
  if (command == command_read && is_ours) {
    for (std::size_t i = 0; i < 8; i++)
      s.esc.memory[reg::eeprom_data + i] = at + i < s.eeprom.size() ? s.eeprom[std::size_t(at + i)] : 0xff;
  } else if (command == command_write && is_ours) {
    if ((control & write_enable) == 0)
      status |= error_write_enable;
    else if (at + 2 <= s.eeprom.size())
      std::copy_n(s.esc.memory.begin() + reg::eeprom_data, 2, s.eeprom.begin() + std::ptrdiff_t(at));
  } else if (command == command_reload && is_ours) {
    s.esc.set(reg::alias, get<std::uint16_t>(s.eeprom.data() + 8));
  } else if (command != 0) {
    status |= error_command;
  }
  s.esc.set(reg::eeprom_control, status);
}

}  // namespace sinew::ethercat
