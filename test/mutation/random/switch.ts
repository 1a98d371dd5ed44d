import { appendFileSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

// A thread has its own environment, so the number comes as this data.
const NAME = 'mutant';
const { SVC_MUTANT = '0', SVC_MUTANT_HITS = '', SVC_TEST_FILE = '' } = process.env;
const inherited = getEnvironmentData(NAME) as readonly [string, string, string] | object;
const [active, hits, testFile] = Array.isArray(inherited)
  ? (inherited as string[])
  : [SVC_MUTANT, SVC_MUTANT_HITS, SVC_TEST_FILE];
setEnvironmentData(NAME, [active, hits, testFile] as never);

const chosen = Number(active);
const seen = new Set<number>();

/** True if the mutation is active in this process. Also records that its place was reached, if hits are recorded. */
export function isMutant(id: number): boolean {
  if (hits && !seen.has(id)) {
    seen.add(id);
    appendFileSync(hits, `${id} ${testFile}\n`);
  }
  return id === chosen;
}
