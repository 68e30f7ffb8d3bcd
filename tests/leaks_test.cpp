// Not ours: Siconos keeps memory of its solvers, HDF5 that of files it finds damaged. Asked for by the leak sanitizer.
extern "C" const char* __lsan_default_suppressions() { return "leak:libsiconos_numerics\nleak:libhdf5_serial\n"; }
