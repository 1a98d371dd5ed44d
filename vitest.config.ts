import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts with the folders of long tests, so that none of them runs alone at the end. */
class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification) => !/\/test\/(scenario|simulation)\//.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isShort(a)) - Number(isShort(b)));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // All processors. Vitest itself would leave one of them free.
    maxWorkers: '100%',
    // Files share a process with its loaded modules, so a test puts back whatever it changes in the process.
    isolate: false,
    sequence: { sequencer: LongTestsFirst },
  },
});
