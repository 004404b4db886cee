// Times find_all of seomoz/simhash-cpp over a file of codes (little-endian, 64 bits each).
//
//   simhash_cpp CODES BLOCKS... < LINES
//
// Runs one round for each line of standard input, so that another program can take turns. Prints the seconds of find_all at
// distance 3 and the number of pairs, for each number of blocks. The set of codes is made before the clock starts.
//
// To build, with the peer's repository (commit 1eb4a0a) beside this one:
//
//   g++ -O3 -march=native -std=c++11 -I ../simhash-cpp/include ../simhash-cpp/src/simhash.cpp \
//     ../simhash-cpp/src/permutation.cpp bench/peers/simhash_cpp.cpp -o bench/work/simhash_cpp

#include "simhash.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: simhash_cpp CODES BLOCKS... < LINES\n";
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    std::unordered_set<Simhash::hash_t> codes;
    Simhash::hash_t code;
    while (file.read(reinterpret_cast<char*>(&code), sizeof code)) {
        codes.insert(code);
    }
    std::string line;
    while (std::getline(std::cin, line)) {
        for (int argument = 2; argument < argc; ++argument) {
            auto start = std::chrono::steady_clock::now();
            auto pairs = Simhash::find_all(codes, std::atoi(argv[argument]), 3);
            std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            std::cout << seconds.count() << ' ' << pairs.size() << ' ';
        }
        std::cout << std::endl;
    }
}
