// Polynomials of the vector functions. Written by tests/data/fit_math.py; edit that instead.
#pragma once

namespace primal::cpu {

/// (e^r - 1 - r) / r^2 on |r| <= ln(2)/2.
template <class T> inline constexpr T exp_rest[1] = {};

/// Float.
template <>
inline constexpr float exp_rest<float>[5] = {4.9999994e-1f, 1.6666521e-1f, 4.1668255e-2f,
                                             8.368663e-3f, 1.3821466e-3f};

/// Double.
template <>
inline constexpr double exp_rest<double>[10] = {
    0.5000000000000001,    0.16666666666666669,    0.04166666666662413,   0.008333333333330062,
    0.0013888888917213717, 0.00019841269863053618, 2.4801521295954376e-5, 2.7557268459997064e-6,
    2.7620088445409746e-7, 2.510038549551032e-8};

/// The same on |r| <= ln(2)/4.
inline constexpr double exp_rest_by_2[8] = {
    0.4999999999999982,    0.16666666666666652,   0.04166666666853401,  0.008333333333503081,
    0.0013888885780320407, 0.0001984126701547655, 2.481814578793404e-5, 2.7572371668835794e-6};

/// (log(1 + f) - f) / f^2 on -1/4 <= f <= 1/2.
template <class T> inline constexpr T log_rest[1] = {};

/// Float.
template <>
inline constexpr float log_rest<float>[9] = {-5.0e-1f,       3.333345e-1f,   -2.500011e-1f,
                                             1.9990848e-1f,  -1.6646878e-1f, 1.4477631e-1f,
                                             -1.3163942e-1f, 1.0472555e-1f,  -4.5152225e-2f};

/// The same for |f| <= 1/30, fractions reduced by log_pieces; best up to 0.026, where the logarithm may be small.
template <class T> inline constexpr T log_rest_reduced[1] = {};

/// Float.
template <>
inline constexpr float log_rest_reduced<float>[3] = {-5.0e-1f, 3.3344874e-1f, -2.5010365e-1f};

/// Double.
template <>
inline constexpr double log_rest_reduced<double>[8] = {
    -0.4999999999999995, 0.33333333333333287, -0.25000000001825196, 0.20000000001659304,
    -0.166666565279841,  0.1428570506853863,  -0.12518018579437803, 0.11127491897898863};

/// (log(1 + f) - f + f^2 / 2) / f^3 for them.
template <class T> inline constexpr T log_rest3[1] = {};

/// Float.
template <>
inline constexpr float log_rest3<float>[4] = {3.3333328e-1f, -2.4999994e-1f, 2.0017886e-1f,
                                              -1.6684328e-1f};

/// Double.
template <>
inline constexpr double log_rest3<double>[9] = {
    0.3333333333333333,   -0.24999999999999808, 0.19999999999999823,
    -0.16666666669519106, 0.14285714288347356,  -0.12499988592025785,
    0.11111100580495283,  -0.10016894546238925, 0.09106504257295028};

/// (2 artanh(s) - 2 s) / s^3 in z = s^2, for |s| <= 1/5.
template <class T> inline constexpr T artanh_rest[1] = {};

/// Double.
template <>
inline constexpr double artanh_rest<double>[8] = {
    0.6666666666666666,  0.4000000000000794,  0.28571428567275936, 0.2222222304835159,
    0.18181737626302938, 0.15388867805613718, 0.13209708242059462, 0.13609030262858499};

/// (2 artanh(s) - 2 s - 2 s^3 / 3) / s^5 in z = s^2, same range.
template <class T> inline constexpr T artanh_rest5[1] = {};

/// Float.
template <>
inline constexpr float artanh_rest5<float>[4] = {4.0e-1f, 2.8571448e-1f, 2.2202937e-1f,
                                                 1.9271387e-1f};

/// Double.
template <>
inline constexpr double artanh_rest5<double>[8] = {
    0.39999999999999997, 0.28571428571435764, 0.22222222218460067, 0.1818181893024613,
    0.1538454240880213,  0.13337185364142076, 0.11652734508665301, 0.1219635756978303};

/// (sin(r) - r) / r^3 in z = r^2, for |r| <= pi/2.
template <class T> inline constexpr T sin_rest[1] = {};

/// Float.
template <>
inline constexpr float sin_rest<float>[4] = {-1.666666e-1f, 8.333069e-3f, -1.9809777e-4f,
                                             2.6060957e-6f};

/// Double.
template <>
inline constexpr double sin_rest<double>[8] = {-0.16666666666666666,    0.008333333333333316,
                                               -0.00019841269841254955, 2.755731921915843e-6,
                                               -2.5052107616384624e-8,  1.6058977272817488e-10,
                                               -7.64396903111606e-13,   2.7314289869116175e-15};

/// p(z) of tan(r) / r = (1 - z p(z)) / q(z) in z = r^2, for |r| <= pi/4.
template <class T> inline constexpr T tan_rest[1] = {};

/// Float.
template <> inline constexpr float tan_rest<float>[2] = {1.1130843e-1f, -1.0715019e-3f};

/// Double.
template <>
inline constexpr double tan_rest<double>[4] = {0.13098967216929178, -0.0031178489086399978,
                                               1.1150353294178324e-5, 1.786089782053401e-8};

/// q(z).
template <class T> inline constexpr T tan_divisor[1] = {};

/// Float.
template <> inline constexpr float tan_divisor<float>[3] = {1.f, -4.4464177e-1f, 1.5952084e-2f};

/// Double.
template <>
inline constexpr double tan_divisor<double>[4] = {1.0, -0.4643230055026251, 0.02455885074284838,
                                                  -0.0002559538354813201};

}  // namespace primal::cpu
