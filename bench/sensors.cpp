// One sample of a sensor: twenty of a kind on a chain of twenty links, all errors on, divided by twenty. Sampling alone, without a step.
#include <benchmark/benchmark.h>

#include <string>

#include "robots.h"
#include "sinew/world/sense.h"

namespace sinew::bench {
namespace {

constexpr int count = 20;
constexpr double step = 1e-3;

SensorPlan sensor(SensorKind kind, int i) {
  SensorPlan s;
  s.name = "s" + std::to_string(i);
  s.kind = kind;
  s.axis = 0;
  if (measures_joint(kind))
    s.joint = "j" + std::to_string(i);
  else
    s.body = "b" + std::to_string(i);
  s.gain = {1.01};
  s.offset = {0.01};
  s.drift = {1e-4};
  s.hysteresis = {0.001};
  s.noise = {0.002};
  s.upper = {100.0};
  s.lower = {kind == SensorKind::Range ? 0.0 : -100.0};
  s.bits = 16;
  s.delay = 0.002;
  return s;
}

void sample(benchmark::State& state, SensorKind kind) {
  Plan plan = pendulums(count);
  for (int i = 0; i < count; i++) plan.sensors.push_back(sensor(kind, i));
  add_sensor_memory(plan, step);
  World<double> world = make_world(plan);
  Sensors<double> sensors(world.model());
  std::int64_t k = 0;
  for (auto _ : state) {
    world.state.t = double(k++) * step;
    sensors.sample({1, 0, step}, world);
    benchmark::DoNotOptimize(world.state.memory.data());
  }
  state.counters["robots"] = count;  // times are for each of them
}

void potentiometer(benchmark::State& state) { sample(state, SensorKind::Potentiometer); }
void encoder(benchmark::State& state) { sample(state, SensorKind::IncrementalEncoder); }
void inclination(benchmark::State& state) { sample(state, SensorKind::Inclination); }
void inertial(benchmark::State& state) { sample(state, SensorKind::Inertial); }
BENCHMARK(potentiometer)->Name("sensor/potentiometer")->Unit(benchmark::kNanosecond);
BENCHMARK(encoder)->Name("sensor/encoder")->Unit(benchmark::kNanosecond);
BENCHMARK(inclination)->Name("sensor/inclination")->Unit(benchmark::kNanosecond);
BENCHMARK(inertial)->Name("sensor/inertial")->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace sinew::bench
