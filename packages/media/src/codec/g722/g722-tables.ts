/** Constants of the recommendation, under its names. @see ITU-T G.722, tables 11 to 21 */

/** Taps of one half of the quadrature mirror filters; the other half is mirrored. */
export const qmfTaps: Int32Array = Int32Array.of(3, -11, 12, 32, -210, 951, 3_876, -805, 362, -156, 53, -11);

/** Inverse logarithm: 2,048 · 2^(i/32). */
export const inverseLog: Int32Array = Int32Array.of(
  ...[2_048, 2_093, 2_139, 2_186, 2_233, 2_282, 2_332, 2_383, 2_435, 2_489, 2_543, 2_599, 2_656, 2_714, 2_774, 2_834],
  ...[2_896, 2_960, 3_025, 3_091, 3_158, 3_228, 3_298, 3_371, 3_444, 3_520, 3_597, 3_676, 3_756, 3_838, 3_922, 4_008],
);

/** Lower band: decision levels of the 60-level quantizer, and the codes below each level. */
export const lowDecisions: Int32Array = Int32Array.of(
  ...[0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650],
  ...[714, 786, 858, 940, 1_023, 1_121, 1_219, 1_339, 1_458, 1_612, 1_765, 1_980, 2_195, 2_557, 2_919],
);

/** Lower band: values of the six-bit codes, and of their upper four bits. */
export const lowLevels6: Int32Array = Int32Array.of(
  ...[-136, -136, -136, -136, -24_808, -21_904, -19_008, -16_704, -14_984, -13_512, -12_280, -11_192, -10_232],
  ...[-9_360, -8_576, -7_856, -7_192, -6_576, -6_000, -5_456, -4_944, -4_464, -4_008, -3_576, -3_168, -2_776, -2_400],
  ...[-2_032, -1_688, -1_360, -1_040, -728, 24_808, 21_904, 19_008, 16_704, 14_984, 13_512, 12_280, 11_192, 10_232],
  ...[9_360, 8_576, 7_856, 7_192, 6_576, 6_000, 5_456, 4_944, 4_464, 4_008, 3_576, 3_168, 2_776, 2_400, 2_032, 1_688],
  ...[1_360, 1_040, 728, 432, 136, -432, -136],
);
export const lowLevels4: Int32Array = Int32Array.of(
  ...[
    0, -20_456, -12_896, -8_968, -6_288, -4_240, -2_584, -1_200, 20_456, 12_896, 8_968, 6_288, 4_240, 2_584, 1_200, 0,
  ],
);
/** Lower band: changes of the step size for the sixteen codes. */
export const lowSteps: Int32Array = Int32Array.of(
  ...[-60, 3_042, 1_198, 538, 334, 172, 58, -30, 3_042, 1_198, 538, 334, 172, 58, -30, -60],
);

/** Higher band: values of the two-bit codes, and their changes of the step size. */
export const highLevels: Int32Array = Int32Array.of(-7_408, -1_616, 7_408, 1_616);
export const highSteps: Int32Array = Int32Array.of(798, -214, 798, -214);
/** Higher band: decision level between the two codes of one sign. */
export const highDecision = 564;
