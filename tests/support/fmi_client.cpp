#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/fmi_client.h"

namespace sinew::test {

using fmi::Status;

std::string built_fmu_library() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");  // it is built beside it
  std::ifstream in(program.parent_path() / "sinew-fmu.so", std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) throw std::runtime_error("no library of FMUs: build the target sinew_fmu");
  return bytes.str();
}

std::string fmu_of(const sim::Experiment& experiment, int version, fmi::Part part) {
  return report::export_fmu(experiment, {version, part, built_fmu_library()});
}

void write_bytes(const std::string& file, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string attribute(std::string_view tag, std::string_view name) {
  const std::string start = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(start);
  if (at == tag.npos) return {};
  const std::size_t from = at + start.size();
  return std::string(tag.substr(from, tag.find('"', from) - from));
}

std::vector<DescribedVariable> described(const std::string& xml) {
  std::vector<DescribedVariable> out;
  std::istringstream lines(xml.substr(xml.find("<ModelVariables>")));
  for (std::string line; std::getline(lines, line) && line.find("</ModelVariables>") == line.npos;) {
    if (attribute(line, "name").empty()) continue;
    out.push_back({attribute(line, "name"), attribute(line, "causality"), attribute(line, "variability"),
                   attribute(line, "unit"), attribute(line, "start"),
                   std::uint32_t(std::stoul(attribute(line, "valueReference")))});
  }
  return out;
}

LoadedFmu::LoadedFmu(const std::string& archive, int which) : version(which) {
  const ZipArchive zip(archive);
  std::string library;
  for (const ZipEntry& entry : zip.entries()) {
    if (entry.name.ends_with('/')) continue;
    write_bytes(folder_ / entry.name, zip.content(entry));
    if (entry.name.starts_with("binaries/")) library = folder_ / entry.name;
  }
  xml = zip.content(*zip.find("modelDescription.xml"));
  token = attribute(xml, version == 2 ? "guid" : "instantiationToken");
  variables = described(xml);
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw std::runtime_error(dlerror());
}

LoadedFmu::~LoadedFmu() { dlclose(library_); }

void* LoadedFmu::symbol(const std::string& name) const {
  void* found = dlsym(library_, name.c_str());
  if (!found) throw std::runtime_error("no function " + name);
  return found;
}

std::uint32_t LoadedFmu::reference(const std::string& name) const {
  for (const DescribedVariable& v : variables)
    if (v.name == name) return v.reference;
  throw std::runtime_error("no variable " + name);
}

std::string LoadedFmu::resources() const {
  return version == 2 ? "file://" + (folder_ / "resources") : (folder_ / "resources/");
}

namespace {

void log_2(void* environment, const char*, Status, const char*, const char* form, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text, sizeof text, form, arguments);
  va_end(arguments);
  static_cast<FmuInstance*>(environment)->messages.emplace_back(text);
}

void log_3(void* environment, Status, const char*, const char* text) {
  static_cast<FmuInstance*>(environment)->messages.emplace_back(text);
}

}  // namespace

FmuInstance::FmuInstance(const LoadedFmu& fmu, std::string token) : fmu_(fmu) {
  if (token.empty()) token = fmu.token;
  callbacks_.logger = log_2;
  callbacks_.environment = this;
  const std::string resources = fmu.resources();
  if (fmu.version == 2)
    instance_ = fmu.call<fmi2::Instantiate>("fmi2Instantiate")("one", fmi2::Kind::CoSimulation, token.c_str(),
                                                               resources.c_str(), &callbacks_, 0, 1);
  else
    instance_ = fmu.call<fmi3::InstantiateCoSimulation>("fmi3InstantiateCoSimulation")(
        "one", token.c_str(), resources.c_str(), false, true, false, false, nullptr, 0, this, log_3, nullptr);
}

FmuInstance::~FmuInstance() {
  if (instance_) fmu_.call<fmi2::FreeInstance>(fmu_.version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance")(instance_);
}

Status FmuInstance::setup(double start, double stop) {
  start_ = start;
  stop_ = stop;
  if (fmu_.version == 3) return Status::Ok;
  return fmu_.call<fmi2::SetupExperiment>("fmi2SetupExperiment")(instance_, 0, 0.0, start, stop >= start, stop);
}

Status FmuInstance::enter() {
  if (fmu_.version == 2) return fmu_.call<fmi2::Simple>("fmi2EnterInitializationMode")(instance_);
  return fmu_.call<fmi3::EnterInitializationMode>("fmi3EnterInitializationMode")(instance_, false, 0.0, start_,
                                                                                 stop_ >= start_, stop_);
}

namespace {

std::string versioned(const LoadedFmu& fmu, const char* name) { return "fmi" + std::to_string(fmu.version) + name; }
// The two versions write it otherwise.
const char* state_word(const LoadedFmu& fmu) { return fmu.version == 2 ? "FMUstate" : "FMUState"; }

}  // namespace

Status FmuInstance::exit() { return fmu_.call<fmi2::Simple>(versioned(fmu_, "ExitInitializationMode"))(instance_); }
Status FmuInstance::terminate() { return fmu_.call<fmi2::Simple>(versioned(fmu_, "Terminate"))(instance_); }
Status FmuInstance::reset() { return fmu_.call<fmi2::Simple>(versioned(fmu_, "Reset"))(instance_); }

void FmuInstance::begin(double start, double stop) {
  ASSERT_EQ(setup(start, stop), Status::Ok);
  ASSERT_EQ(enter(), Status::Ok);
  ASSERT_EQ(exit(), Status::Ok);
}

Status FmuInstance::step(double t, double h) {
  if (fmu_.version == 2) return fmu_.call<fmi2::DoStep>("fmi2DoStep")(instance_, t, h, 1);
  bool events = true, ends = true, early = true;
  double last = 0.0;
  const Status status = fmu_.call<fmi3::DoStep>("fmi3DoStep")(instance_, t, h, true, &events, &ends, &early, &last);
  EXPECT_FALSE(events || ends || early);
  return status;
}

Status FmuInstance::get(const std::vector<std::uint32_t>& references, std::vector<double>& values) {
  values.resize(references.size());
  if (fmu_.version == 2)
    return fmu_.call<fmi2::GetReal>("fmi2GetReal")(instance_, references.data(), references.size(), values.data());
  return fmu_.call<fmi3::GetFloat64>("fmi3GetFloat64")(instance_, references.data(), references.size(), values.data(),
                                                       values.size());
}

Status FmuInstance::set(std::uint32_t reference, double value) {
  if (fmu_.version == 2) return fmu_.call<fmi2::SetReal>("fmi2SetReal")(instance_, &reference, 1, &value);
  return fmu_.call<fmi3::SetFloat64>("fmi3SetFloat64")(instance_, &reference, 1, &value, 1);
}

double FmuInstance::get(const std::string& name) {
  std::vector<double> values;
  EXPECT_EQ(get({fmu_.reference(name)}, values), Status::Ok) << name;
  return values.at(0);
}

Status FmuInstance::set(const std::string& name, double value) { return set(fmu_.reference(name), value); }

Status FmuInstance::save(void** state) {
  return fmu_.call<fmi2::GetState>(versioned(fmu_, "Get") + state_word(fmu_))(instance_, state);
}
Status FmuInstance::restore(void* state) {
  return fmu_.call<fmi2::SetState>(versioned(fmu_, "Set") + state_word(fmu_))(instance_, state);
}
Status FmuInstance::free(void** state) {
  return fmu_.call<fmi2::GetState>(versioned(fmu_, "Free") + state_word(fmu_))(instance_, state);
}

std::string FmuInstance::serialized(void* state) {
  std::size_t size = 0;
  const std::string word = state_word(fmu_);
  EXPECT_EQ(fmu_.call<fmi2::StateSize>(versioned(fmu_, "Serialized") + word + "Size")(instance_, state, &size),
            Status::Ok);
  std::string bytes(size, '\0');
  EXPECT_EQ(fmu_.version == 2
                ? fmu_.call<fmi2::SerializeState>("fmi2SerializeFMUstate")(instance_, state, bytes.data(), size)
                : fmu_.call<fmi3::SerializeState>("fmi3SerializeFMUState")(
                      instance_, state, reinterpret_cast<std::uint8_t*>(bytes.data()), size),
            Status::Ok);
  return bytes;
}

Status FmuInstance::deserialize(const std::string& bytes, void** state) {
  if (fmu_.version == 2)
    return fmu_.call<fmi2::DeserializeState>("fmi2DeSerializeFMUstate")(instance_, bytes.data(), bytes.size(), state);
  return fmu_.call<fmi3::DeserializeState>("fmi3DeserializeFMUState")(
      instance_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), state);
}

}  // namespace sinew::test
