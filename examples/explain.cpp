// explain: prints what the training step of `digits` becomes

#include "digits.hpp"

#include <iostream>

int main() { std::cout << pm::explain(train_step); }
