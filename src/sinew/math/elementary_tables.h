// What elementary_exp.cpp and elementary_log.cpp share. Tables are rounded from 400 bits.
#pragma once
#include "sinew/math/double_double.h"

namespace sinew::math {

// 2^(j/32)
inline constexpr DoubleDouble root_of_two[32] = {
    {1.0, 0.0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80dp-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f09p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e454p+0, 0x1.9d3e12dd8a18bp-54},
};

// For m in [i/64, (i+1)/64), i from 45 on: inverse, at most 10 bits long, is near 1/m, and exactly 1 on both sides of 1;
// hi + lo = -log(inverse), hi a multiple of 2^-42.
struct LogEntry {
  double inverse, hi, lo;
};
inline constexpr int first_log_entry = 45;
inline constexpr LogEntry log_entries[46] = {
    {0x1.68p+0, -0x1.5d1bdbf581p-2, 0x1.8d6bdc9c7c238p-44},
    {0x1.608p+0, -0x1.478cd5959bp-2, -0x1.ec89bf0c8d098p-45},
    {0x1.59p+0, -0x1.31871c9544p-2, -0x1.84fab94cecfd9p-46},
    {0x1.52p+0, -0x1.1c898c169ap-2, 0x1.81410e5c62affp-44},
    {0x1.4bp+0, -0x1.071b85fcd6p-2, 0x1.bcb8ba3e01a11p-44},
    {0x1.448p+0, -0x1.e598ed5a88p-3, 0x1.d134bcf1e98a1p-47},
    {0x1.3ep+0, -0x1.bc286742d8p-3, -0x1.9ac53f39d121cp-44},
    {0x1.38p+0, -0x1.9525a9cf46p-3, 0x1.297137d9f158fp-44},
    {0x1.32p+0, -0x1.6d60fe719ep-3, 0x1.bc6e557134767p-44},
    {0x1.2c8p+0, -0x1.483bccce6ep-3, -0x1.eea52723f6369p-46},
    {0x1.27p+0, -0x1.2266f190a6p-3, 0x1.4d20ab840e7f6p-45},
    {0x1.22p+0, -0x1.fec9131dcp-4, 0x1.54555d1ae6607p-44},
    {0x1.1dp+0, -0x1.b78c82bb1p-4, 0x1.25ef7bc3987e7p-44},
    {0x1.18p+0, -0x1.6f0d28ae58p-4, 0x1.4b4641b664613p-44},
    {0x1.138p+0, -0x1.2cb0283f5cp-4, -0x1.e1ee2ca657021p-44},
    {0x1.0fp+0, -0x1.d276b8adbp-5, -0x1.6a423c78a64bp-46},
    {0x1.0a8p+0, -0x1.494acc34d8p-5, -0x1.11c78a56fd247p-45},
    {0x1.06p+0, -0x1.7b91b07d6p-6, 0x1.3b955b602ace4p-44},
    {1.0, 0.0, 0.0},
    {1.0, 0.0, 0.0},
    {0x1.f4p-1, 0x1.8492528c9p-6, -0x1.aa0ba325a0c34p-45},
    {0x1.edp-1, 0x1.35c8bfaa1p-5, 0x1.8357d5ef9eb35p-44},
    {0x1.e5p-1, 0x1.bbcebfc69p-5, -0x1.7bf868c317c2ap-46},
    {0x1.dep-1, 0x1.1973bd1464p-4, 0x1.566d154f930b3p-44},
    {0x1.d7p-1, 0x1.55e10050ep-4, 0x1.c1d740c53c72ep-47},
    {0x1.d1p-1, 0x1.8a6477a91cp-4, 0x1.c28c0af9bd6dfp-44},
    {0x1.cap-1, 0x1.c885801bc4p-4, 0x1.646d1c65aacd3p-45},
    {0x1.c4p-1, 0x1.fe89139dbcp-4, 0x1.56594d82f7a82p-44},
    {0x1.bep-1, 0x1.1aa2b7e24p-3, -0x1.1ac38dde3b366p-44},
    {0x1.b8p-1, 0x1.365fcb015ap-3, -0x1.fd3a0afb9691bp-44},
    {0x1.b2p-1, 0x1.527e5e4a1cp-3, -0x1.4e60b8d4b411dp-44},
    {0x1.acp-1, 0x1.6f0128b756p-3, 0x1.577390d31ef0fp-44},
    {0x1.a7p-1, 0x1.871213750ep-3, 0x1.328eb42f9af75p-44},
    {0x1.a1p-1, 0x1.a454082e6ap-3, 0x1.60a77c81f7171p-44},
    {0x1.9cp-1, 0x1.bd087383bep-3, -0x1.d4bc4595412b6p-45},
    {0x1.97p-1, 0x1.d60a17f904p-3, -0x1.5d6e06fc20d39p-44},
    {0x1.92p-1, 0x1.ef5ade4ddp-3, -0x1.a211565bb8e11p-51},
    {0x1.8dp-1, 0x1.047e60cde8p-2, 0x1.dbdf10d397f3cp-45},
    {0x1.88p-1, 0x1.1178e8227ep-2, 0x1.1ef78ce2d07f2p-44},
    {0x1.84p-1, 0x1.1bf99635a7p-2, -0x1.1ac89575c2125p-44},
    {0x1.7fp-1, 0x1.2941afb187p-2, -0x1.210c2b730e28bp-44},
    {0x1.7bp-1, 0x1.3401e12aedp-2, -0x1.17c73556e291dp-44},
    {0x1.76p-1, 0x1.419b423d5fp-2, -0x1.ce379226de3ecp-44},
    {0x1.72p-1, 0x1.4c9e09e173p-2, -0x1.e20891b0ad8a4p-45},
    {0x1.6ep-1, 0x1.57bf753c8dp-2, 0x1.fadedee5d40efp-46},
    {0x1.6ap-1, 0x1.630030b3abp-2, -0x1.db623e731aep-45},
};

// ln 2, hi a multiple of 2^-42 as above: hi times an exponent, plus an entry's hi, is exact.
inline constexpr DoubleDouble ln2{0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

// exp(hi + lo), lo small beside 1: for pow, which needs more digits of the exponent than a double has.
double exp_of_sum(double hi, double lo);

}  // namespace sinew::math
