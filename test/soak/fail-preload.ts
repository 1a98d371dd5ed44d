import { writeFileSync } from 'node:fs';
import { type CallPlan, failCalls } from '../support/node/failing-calls.ts';

/**
 * Loaded before the program. Makes the call fail that the environment names, and writes the number of calls to a file.
 */
const { FAIL_AT, FAIL_CODE, FAIL_WITHIN, FAIL_COUNT } = process.env;

const calls = failCalls({
  at: FAIL_AT === undefined ? Number.POSITIVE_INFINITY : Number(FAIL_AT),
  code: (FAIL_CODE ?? 'EIO') as CallPlan['code'],
  within: FAIL_WITHIN ?? '/nowhere',
});

process.on('exit', () => {
  calls.restore();
  if (FAIL_COUNT !== undefined) {
    writeFileSync(FAIL_COUNT, String(calls.count));
  }
});
