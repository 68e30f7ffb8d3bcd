// The application layer of a slave: Init, PreOp (mailbox), SafeOp (inputs hold), Op (outputs act), with the error codes of the standard (ETG.1000.6,
// ETG.1020). It goes up one state at a time and down to any. After an error it goes up only once the error was acknowledged. It is Operational as soon as
// outputs have come; where none come it gives up, and where they fail to come later the watchdog takes it back to SafeOp.
#pragma once
#include <cstdint>

namespace sinew::ethercat {

struct Slave;

void obey_al_control(Slave& slave, std::int64_t now);
void fall_to_safe_op(Slave& slave, std::uint16_t code);
void complete_op(Slave& slave, std::int64_t now);  // outputs have come

// The time after which outputs are missed; 0: never [ns].
std::int64_t watchdog_time(const Slave& slave);

}  // namespace sinew::ethercat
