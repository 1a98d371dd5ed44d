const COUNTS = { I: 11, O: 9, M: 7, C: 9, S: 3, F: 10, P: 6, L: 4, W: 4, K: 6, D: 6 } as const;

/** Every rule by its name, as tests cite it. K7, of the emulator, stands outside the client's own. */
export const RULES: readonly string[] = [
  ...Object.entries(COUNTS).flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`)),
  'K7',
];
