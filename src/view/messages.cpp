#include "view/messages.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::view {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Names and texts may come from anywhere: what is no UTF-8 is replaced.
std::string dump(const OrderedJson& json) { return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace); }
Text text(const OrderedJson& json) { return std::make_shared<const std::string>(dump(json)); }

OrderedJson number(double x) { return std::isfinite(x) ? OrderedJson(x) : OrderedJson(nullptr); }

OrderedJson list(std::span<const sim::Signal> signals) {
  OrderedJson out = OrderedJson::array();
  for (const sim::Signal& s : signals)
    out.push_back({{"name", s.name}, {"unit", s.unit}, {"description", s.description}});
  return out;
}

OrderedJson list(std::span<const sim::Parameter> parameters) {
  OrderedJson out = OrderedJson::array();
  for (const sim::Parameter& p : parameters)
    out.push_back({{"key", p.key},
                   {"value", number(p.value)},
                   {"default", number(p.at_start)},
                   {"unit", p.unit},
                   {"doc", p.doc},
                   {"low", number(p.low)},
                   {"high", number(p.high)}});
  return out;
}

}  // namespace

Text hello_message(const Hello& hello, const Status& status) {
  std::string text = dump({{"type", "hello"},
                           {"protocol", 1},
                           {"generation", hello.generation},
                           {"scenario", hello.scenario},
                           {"interactive", hello.interactive},
                           {"signals", list(hello.signals)},
                           {"parameters", list(hello.parameters)},
                           {"running", status.running},
                           {"speed", status.speed},
                           {"real_time_factor", number(status.real_time_factor)}});
  text.back() = ',';  // the scene is JSON already, and perhaps long
  text += "\"scene\":" + hello.scene + "}";
  return std::make_shared<const std::string>(std::move(text));
}

Text state_message(const Status& s) {
  return text({{"type", "state"},
               {"running", s.running},
               {"speed", s.speed},
               {"real_time_factor", number(s.real_time_factor)},
               {"t", number(s.t)},
               {"dropped", s.dropped},
               {"note", s.note}});
}

Text parameter_message(const sim::Parameter& p) {
  return text({{"type", "parameter"}, {"key", p.key}, {"value", number(p.value)}});
}

Text failed_message(const std::string& what) { return text({{"type", "failed"}, {"what", what}}); }
Text error_message(const std::string& what) { return text({{"type", "error"}, {"what", what}}); }

std::string what_of(const std::exception& error) {
  const auto* input = dynamic_cast<const InputError*>(&error);
  return input && !input->problems.empty() ? sim::join(input->problems, "\n") : error.what();
}

}  // namespace sinew::view
