#include "sinew/ethercat/slave.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/ethercat/application_layer.h"

namespace sinew::ethercat {
namespace {

// 1000 to 100A, 1018, 1C00.
void add_common(Slave& s, std::uint32_t device_type, const std::string& name) {
  Dictionary& d = s.objects;
  d.add(0x1000, Type::Uint32, may::read, "device type", device_type);
  d.add(0x1001, Type::Uint8, may::read | may::transmit, "error register");
  d.add_text(0x1008, may::read, "device name", name, std::uint16_t(std::min<std::size_t>(name.size() + 1, 255)));
  d.add_text(0x1009, may::read, "hardware version", "simulated", 10);
  d.add_text(0x100a, may::read, "software version", "1", 2);
  d.begin(0x1018, ObjectCode::Record, Type::Identity, "identity", may::read, 4);
  d.add_sub(1, Type::Uint32, may::read, "vendor", vendor);
  d.add_sub(2, Type::Uint32, may::read, "product", s.identity.product);
  d.add_sub(3, Type::Uint32, may::read, "revision", revision);
  d.add_sub(4, Type::Uint32, may::read, "serial number", s.identity.serial);
  d.begin(0x1c00, ObjectCode::Array, Type::Uint8, "kinds of sync managers", may::read, 4);
  for (std::uint8_t i = 1; i <= 4; i++) d.add_sub(i, Type::Uint8, may::read, "kind", i);
  d.add_text(0x2000, may::read | may::write, "note", "", 250);
}

// 1C32 and 1C33: free run, with its frames, or with sync 0.
void add_synchronisation(Dictionary& d, std::uint16_t index, const char* name) {
  constexpr std::uint16_t set = may::read | may::write_pre_op;
  d.begin(index, ObjectCode::Record, Type::Uint16, name, may::read, 6);
  d.add_sub(1, Type::Uint16, set, "kind", 1);
  d.add_sub(2, Type::Uint32, set, "cycle time [ns]", 1000000);
  d.add_sub(3, Type::Uint32, set, "shift [ns]");
  d.add_sub(4, Type::Uint16, may::read, "kinds that it has", 0x0007);
  d.add_sub(5, Type::Uint32, may::read, "least cycle time [ns]", 100000);
  d.add_sub(6, Type::Uint32, may::read, "time that it needs [ns]", 0);
}

constexpr std::uint32_t mapped(std::uint16_t index, std::uint8_t sub, int bits) {
  return std::uint32_t(index) << 16 | std::uint32_t(sub) << 8 | std::uint32_t(bits);
}

// Registers as they are when it is switched on.
void power_on(Slave& s, int number) {
  s.eeprom = make_sii(s.identity, s.objects);
  Esc& e = s.esc;
  constexpr std::uint8_t head[] = {0x11, 0,    2,    0, n_fmmu, n_sync_managers,
                                   4,    0x0f, 0x0c, 0};  // 4 KiB, clock of 64 bits
  std::ranges::copy(head, e.memory.begin() + reg::type);
  e.set(reg::dl_control, std::uint32_t(0x0007c001));
  e.set(reg::pdi_control, std::uint16_t(0x0e05));
  e.set(reg::watchdog_divider, std::uint16_t(2498));  // 100 us
  e.set(reg::watchdog_pdi, std::uint16_t(1000));
  e.set(reg::watchdog_data, std::uint16_t(1000));
  e.set(reg::watchdog_status, std::uint16_t(1));
  e.set(reg::eeprom_control, std::uint16_t(0x0040));  // reads eight bytes at once
  e.set(reg::al_status, std::uint16_t(al::init));
  e.set(reg::dc_speed, std::uint16_t(0x1000));
  s.clock_offset = 1'000'000'007LL * (number + 1);  // each was switched on at another time
}

std::int32_t thousandths(double x) {
  const double c = x == x ? std::clamp(1e3 * x, -2147483648.0, 2147483647.0) : 0.0;
  return std::int32_t(std::int64_t(c < 0.0 ? c - 0.5 : c + 0.5));
}

}  // namespace

Slave make_drive(const DriveKind& kind, int number) {
  Slave s;
  s.identity = {.product = kind.is_angle ? 0x402u : 0x403u,
                .serial = std::uint32_t(number + 1),
                .type = kind.is_angle ? "sinew-drive-rotary" : "sinew-drive-linear",
                .name = kind.is_angle ? "Simulated drive, rotary" : "Simulated drive, linear"};
  add_common(s, 0x00020192, kind.name);
  s.drive.emplace(kind);
  s.drive->add_objects(s.objects);
  constexpr std::uint32_t receive[] = {mapped(0x6040, 0, 16), mapped(0x6060, 0, 8),  mapped(0, 0, 8),
                                       mapped(0x607a, 0, 32), mapped(0x60ff, 0, 32), mapped(0x6071, 0, 16),
                                       mapped(0x60b2, 0, 16)};
  constexpr std::uint32_t transmit[] = {mapped(0x6041, 0, 16), mapped(0x6061, 0, 8),  mapped(0, 0, 8),
                                        mapped(0x6064, 0, 32), mapped(0x606c, 0, 32), mapped(0x6077, 0, 16),
                                        mapped(0x603f, 0, 16), mapped(0x60f4, 0, 32)};
  add_mapping(s.objects, receive, transmit);
  add_synchronisation(s.objects, 0x1c32, "synchronisation of outputs");
  add_synchronisation(s.objects, 0x1c33, "synchronisation of inputs");
  s.objects.finish();
  power_on(s, number);
  return s;
}

Slave make_force_sensor(const SensorKind& kind, int number) {
  Slave s;
  s.identity = {.product = kind.channels == 6 ? 0x600u : 0x300u,
                .serial = std::uint32_t(number + 1),
                .type = kind.channels == 6 ? "sinew-force-6" : "sinew-force-3",
                .name = kind.channels == 6 ? "Simulated force sensor, six components"
                                           : "Simulated force sensor, three components",
                .group = "Sensors"};
  s.n_channels = kind.channels;
  add_common(s, 0, kind.name);
  s.objects.begin(0x6000, ObjectCode::Array, Type::Int32, "loads [1e-3 N, 1e-3 N m]", may::read, kind.channels);
  static constexpr const char* names[] = {"F_x", "F_y", "F_z", "M_x", "M_y", "M_z"};
  std::vector<std::uint32_t> transmit;
  for (int i = 0; i < kind.channels; i++) {
    const std::uint8_t sub = std::uint8_t(i + 1);
    const std::uint32_t at = s.objects.add_sub(sub, Type::Int32, may::read | may::transmit, names[i]);
    if (i == 0) s.channels_at = at;
    transmit.push_back(mapped(0x6000, sub, 32));
  }
  s.status_at = s.objects.add(0x6010, Type::Uint16, may::read | may::transmit, "status: 1 saturated, 2 lost");
  transmit.push_back(mapped(0x6010, 0, 16));
  add_mapping(s.objects, {}, transmit);
  add_synchronisation(s.objects, 0x1c33, "synchronisation of inputs");
  s.objects.finish();
  power_on(s, number);
  return s;
}

void publish(Slave& s) {
  if (s.state == al::safe_op || s.state == al::op) give_inputs(s.inputs, s.objects, s.esc.memory.data() + inputs_at);
}

void measure(Slave& s, std::span<const double> values, std::uint16_t status) {
  for (std::size_t i = 0; i < values.size() && i < std::size_t(s.n_channels); i++)
    s.objects.set(std::uint32_t(s.channels_at + 4 * i), thousandths(values[i]));
  s.objects.set(s.status_at, status);
}

}  // namespace sinew::ethercat
