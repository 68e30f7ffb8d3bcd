#include "sinew/fmi/model_description.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <set>

#include "sinew/fmi/units.h"
#include "sinew/version.h"

namespace sinew::fmi {
namespace {

std::string unit_definitions(std::span<const Variable> variables) {
  std::set<std::string> units;
  for (const Variable& v : variables)
    if (!v.unit.empty() && v.unit != "1") units.insert(v.unit);
  if (units.empty()) return {};
  std::string out = "  <UnitDefinitions>\n";
  for (const std::string& unit : units) {
    const std::optional<BaseUnit> base = base_unit(unit);
    out += fmt::format("    <Unit name=\"{}\"", xml_text(unit));
    if (!base) {
      out += "/>\n";
      continue;
    }
    out += "><BaseUnit";
    for (std::size_t i = 0; i < base->exponents.size(); i++)
      if (base->exponents[i] != 0) out += fmt::format(" {}=\"{}\"", BaseUnit::names[i], base->exponents[i]);
    if (base->factor != 1.0) out += fmt::format(" factor=\"{}\"", base->factor);
    out += "/></Unit>\n";
  }
  return out + "  </UnitDefinitions>\n";
}

const char* causality_text(Causality causality) {
  constexpr const char* texts[] = {"independent", "parameter", "input", "output"};
  return texts[int(causality)];
}

// name, number, description, causality, variability.
std::string head_of(const Variable& v, std::size_t reference) {
  std::string out = fmt::format("name=\"{}\" valueReference=\"{}\"", xml_text(v.name), reference);
  if (!v.description.empty()) out += fmt::format(" description=\"{}\"", xml_text(v.description));
  out += fmt::format(" causality=\"{}\"", causality_text(v.causality));
  const bool is_parameter = v.causality == Causality::Parameter;
  return out + fmt::format(" variability=\"{}\"", !is_parameter ? "continuous" : v.is_tunable ? "tunable" : "fixed");
}

// unit, limits, start.
std::string number_of_variable(const Variable& v) {
  std::string out;
  if (!v.unit.empty() && v.unit != "1") out += fmt::format(" unit=\"{}\"", xml_text(v.unit));
  if (v.causality == Causality::Parameter && std::isfinite(v.low)) out += fmt::format(" min=\"{}\"", v.low);
  if (v.causality == Causality::Parameter && std::isfinite(v.high)) out += fmt::format(" max=\"{}\"", v.high);
  if (v.causality == Causality::Parameter || v.causality == Causality::Input)
    out += fmt::format(" start=\"{}\"", to_fmi(v.start));
  return out;
}

std::string model_variables(int version, std::span<const Variable> variables) {
  std::string out = "  <ModelVariables>\n";
  for (std::size_t i = 0; i < variables.size(); i++) {
    const std::string head = head_of(variables[i], i), number = number_of_variable(variables[i]);
    out += version == 2 ? fmt::format("    <ScalarVariable {}><Real{}/></ScalarVariable>\n", head, number)
                        : fmt::format("    <Float64 {}{}/>\n", head, number);
  }
  return out + "  </ModelVariables>\n";
}

// Every output depends on the state; which inputs it answers to at once is not said, so importers take all.
std::string model_structure(int version, std::span<const Variable> variables) {
  std::string outputs, unknowns;
  for (std::size_t i = 0; i < variables.size(); i++) {
    if (variables[i].causality != Causality::Output) continue;
    if (version == 2) {  // counts from one
      outputs += fmt::format("      <Unknown index=\"{}\"/>\n", i + 1);
    } else {
      outputs += fmt::format("    <Output valueReference=\"{}\"/>\n", i);
      unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", i);
    }
  }
  if (version == 3) return fmt::format("  <ModelStructure>\n{}{}  </ModelStructure>\n", outputs, unknowns);
  if (outputs.empty()) return "  <ModelStructure/>\n";
  return fmt::format(
      "  <ModelStructure>\n    <Outputs>\n{}    </Outputs>\n    <InitialUnknowns>\n{}    </InitialUnknowns>\n"
      "  </ModelStructure>\n",
      outputs, outputs);
}

std::string co_simulation(const Description& d) {
  const std::string identifier = identifier_of(d.name);
  if (d.version == 2)
    return fmt::format(
        "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" "
        "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n",
        identifier);
  return fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" "
      "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" fixedInternalStepSize=\"{}\"/>\n",
      identifier, d.step);
}

}  // namespace

std::string identifier_of(const std::string& name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) && (c & 0x80) == 0 ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "sinew_" + out;
  constexpr std::size_t longest = 64;
  if (out.size() > longest) out.erase(0, out.size() - longest);
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string model_description(const Description& d, std::span<const Variable> variables) {
  const bool is_2 = d.version == 2;
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format(
      "<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\" description=\"{}\" generationTool=\"sinew "
      "{}\" "
      "variableNamingConvention=\"flat\"{}>\n",
      is_2 ? "2.0" : "3.0", xml_text(d.name), is_2 ? "guid" : "instantiationToken", d.token, xml_text(d.title),
      SINEW_VERSION, is_2 ? " numberOfEventIndicators=\"0\"" : "");
  out += co_simulation(d) + unit_definitions(variables);
  out +=
      "  <LogCategories>\n"
      "    <Category name=\"error\" description=\"why a call failed\"/>\n"
      "    <Category name=\"warning\" description=\"what is computed but should not be trusted\"/>\n"
      "  </LogCategories>\n";
  out += fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n", d.duration, d.cycle);
  out += model_variables(d.version, variables) + model_structure(d.version, variables);
  return out + "</fmiModelDescription>\n";
}

}  // namespace sinew::fmi
