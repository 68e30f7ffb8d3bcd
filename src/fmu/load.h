// The resources of an FMU: scenario.toml, complete; files that it names, packed; part.txt, which part of it this is.
#pragma once
#include <memory>
#include <string>

#include "fmu/part.h"

namespace fmu {

struct Resources {
  std::unique_ptr<MovingPart> part;
  double step;  // of the simulation [s]
};

// folder: of the resources. token: of the description; empty: it is not looked at. Throws InputError, FileError.
Resources load_resources(const std::string& folder, const std::string& token);

// "file:///tmp/a%20b/resources" -> "/tmp/a b/resources". Throws InputError.
std::string path_of_uri(const std::string& uri);

}  // namespace fmu
