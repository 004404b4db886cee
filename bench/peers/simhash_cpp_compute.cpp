// Times Simhash::compute of seomoz/simhash-cpp over a flat file of features (see kernels/src/lib.rs, `Flat`). Runs one round for
// each line of standard input, and prints its seconds and the xor of all fingerprints. results/2026-11-22-simhash.md has the
// build command.
#include "simhash.h"
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    std::ifstream in(argv[1], std::ios::binary);
    auto number = [&] { uint64_t x = 0; in.read(reinterpret_cast<char *>(&x), 8); return x; };
    uint64_t count = number();
    std::vector<uint64_t> offsets(count + 1);
    in.read(reinterpret_cast<char *>(offsets.data()), 8 * (count + 1));
    std::vector<std::vector<Simhash::hash_t>> documents(count);
    for (uint64_t i = 0; i < count; ++i) {
        documents[i].resize(offsets[i + 1] - offsets[i]);
        in.read(reinterpret_cast<char *>(documents[i].data()), 8 * documents[i].size());
    }
    std::string line;
    while (std::getline(std::cin, line)) {
        Simhash::hash_t all = 0;
        auto start = std::chrono::steady_clock::now();
        for (const auto &document : documents) all ^= Simhash::compute(document);
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::printf("%f %016lx\n", seconds, all);
        std::fflush(stdout);
    }
}
