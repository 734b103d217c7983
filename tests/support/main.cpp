// The main function of every runtime test, compiled once because Catch2 2 puts its whole
// implementation here.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
