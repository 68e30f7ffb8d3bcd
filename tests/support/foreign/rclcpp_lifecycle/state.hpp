// A stand-in: hardware_interface/system_interface.hpp.
#pragma once
