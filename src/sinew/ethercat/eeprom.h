// The interface to a slave's EEPROM: a command, a word address, eight bytes at once.
#pragma once
#include <cstdint>

namespace sinew::ethercat {

struct Slave;

void obey_eeprom_command(Slave& slave);

}  // namespace sinew::ethercat
