import { expect } from 'vitest';

// The switch of the mutants needs the name of the test file.
process.env.SVC_TEST_FILE = expect.getState().testPath ?? '';
