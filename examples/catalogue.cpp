// catalogue: lists every operator of the library with its facets

#include <primal/primal.hpp>

#include <primal/op/catalogue.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/size.hpp>

#include <cstdio>
#include <string>

namespace pm = primal;

/// A composite is defined by simpler operators; a primitive works on one element, or on the order of them.
template <class Op> constexpr const char* kind() {
  if constexpr (pm::has_decompose<Op>) return "composite";
  else if constexpr (pm::is_elementwise<Op>) return "elementwise";
  else return "structural";
}

/// How a gradient is found.
template <class Op> constexpr const char* gradient() {
  if constexpr (!Op::differentiable) return "none";
  else if constexpr (pm::has_vjp<Op>) return "own rule";
  else return "of its pieces";
}

template <class Op> std::string operands() {
  using signature = pm::signature_of<Op>;
  if constexpr (pm::takes_list<Op>) return "a list";
  else if constexpr (signature::total == signature::required)
    return std::to_string(signature::total);
  else return std::to_string(signature::required) + " to " + std::to_string(signature::total);
}

int main() {
  std::printf("%-20s %-12s %-9s %7s  %-13s %s\n", "name", "kind", "operands", "results", "gradient",
              "facets");
  boost::hana::for_each(pm::catalogue, []<class Op>(boost::hana::basic_type<Op>) {
    std::string facets;
    const auto add = [&](bool has, const char* name) {
      if (has) facets += facets.empty() ? name : std::string(", ") + name;
    };
    add(pm::has_decompose<Op>, "decompose");
    add(pm::has_infer<Op>, "infer");
    add(pm::has_vjp<Op>, "vjp");
    add(pm::is_elementwise<Op>, "kernel");
    add(!std::is_empty_v<pm::attributes_of<Op>>, "attributes");
    std::printf("%-20s %-12s %-9s %7d  %-13s %s\n", std::string(Op::name).c_str(), kind<Op>(),
                operands<Op>().c_str(), pm::output_count<Op>, gradient<Op>(), facets.c_str());
  });
  std::printf("%d operators\n",
              static_cast<int>(decltype(boost::hana::size(pm::catalogue))::value));
}
