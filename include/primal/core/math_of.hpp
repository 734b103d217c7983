// math_of: where the elementary functions of a register type are found.
#pragma once

namespace primal {

/// The elementary functions of the register type V, as static functions, and `mask`, the type of
/// its comparisons. Specialise it to make a new register type known to every operator.
template <class V> struct math_of;

/// What a comparison of two V gives: bool for scalars.
template <class V> using mask_of = typename math_of<V>::mask;

}  // namespace primal
