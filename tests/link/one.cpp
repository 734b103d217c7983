// The first unit: compiled for the plain instruction set.
#include "model.hpp"

unit_result result_of_one() {
  return {primal::compile(shared_model)(shared_input()), &shared_model};
}
