// The ESI file: what masters read about slaves before they meet them (ETG.2000): one device for each kind in the segment.
#pragma once
#include <string>

#include "sinew/ethercat/slave.h"

namespace sinew::ethercat {

std::string make_esi(std::span<const Slave> slaves);

}  // namespace sinew::ethercat
