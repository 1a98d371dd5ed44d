import { expect } from 'vitest';

// The switch of the mutants records who reached a place.
process.env.SVC_TEST_FILE = expect.getState().testPath ?? '';
