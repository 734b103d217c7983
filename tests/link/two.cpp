// The second unit: compiled for the instruction set of this machine.
#include "model.hpp"

unit_result result_of_two() {
  return {primal::compile(shared_model)(shared_input()), &shared_model};
}
