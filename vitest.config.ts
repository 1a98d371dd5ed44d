import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts with the folders of long tests, so that none of them runs alone at the end. Without results of an earlier run,
 * vitest starts with the largest files, and those of `reads` are small.
 */
class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification) =>
      !/\/test\/(scenario|simulation|unit\/commands\/reads)\//.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isShort(a)) - Number(isShort(b)));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A printed title shows the values of its row in full.
    taskTitleValueFormatTruncate: 0,
    // All processors. Vitest itself would leave one of them free.
    maxWorkers: '100%',
    // Tests make much garbage that lives briefly. With more room for it, V8 collects it less often.
    execArgv: ['--max-semi-space-size=32'],
    // Files share a process with its loaded modules, so a test puts back whatever it changes in the process.
    isolate: false,
    // Node loads the files itself, without vite. Its modules run faster, because an import is no lookup in an object.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongTestsFirst },
  },
});
