// The test framework, whichever version of it the system has: Catch2 3 is a library, Catch2 2 one
// header.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
