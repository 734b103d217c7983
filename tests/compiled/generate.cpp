// Writes random programs as constants: generate_programs SIZE FIRST COUNT FILE.
#include <primal/expr/frozen.hpp>

#include <support/random_programs.hpp>

#include <fstream>
#include <iostream>
#include <memory>
#include <string>

using namespace primal;
using namespace primal::test;

namespace {

constexpr std::pair<const char*, program_size> sizes[] = {{"small", program_size::small},
                                                          {"large", program_size::large},
                                                          {"parts", program_size::parts},
                                                          {"loops", program_size::loops}};

/// A program that g++ compiles within seconds.
constexpr int most_statements = 100;

void write(std::ostream& out, std::uint64_t seed, const char* size, const core::large_program& p) {
  out << "\nstruct program_" << seed << " {\n  static constexpr program run() {\n"
      << "    constexpr std::int64_t words[] = {";
  for (int i = 0; i < p.used.words; ++i) out << p.words[i] << ", ";
  out << "};\n    constexpr const op_info* operators[] = {";
  for (int i = 0; i < p.used.statements; ++i)
    out << "&info_of<" << p.operators[i]->name << "_op>, ";
  out << "};\n    return thawed(words, operators, " << p.used.names << ");\n  }\n};\n"
      << "TEST_CASE(\"" << size << " program " << seed << "\") {\n  check<program_" << seed << ">("
      << seed << ", program_size::" << size << ");\n}\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 1;
  const std::string wanted = argv[1];
  std::ofstream out(argv[4]);
  out << "// Made by generate_programs.\n#include <compiled/check.hpp>\n";
  for (const auto& [name, size] : sizes) {
    if (name != wanted) continue;
    int left = std::stoi(argv[3]);
    for (auto seed = std::stoull(argv[2]); left > 0; ++seed) {
      const auto random = make_random_program(seed, size);
      if (random.recorded.size() > most_statements) continue;
      const auto frozen =
          std::make_unique<core::large_program>(freeze<core::large_program>(random.recorded));
      write(out, seed, name, *frozen);
      --left;
    }
  }
  return out ? 0 : 1;
}
