import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest, type TestModule, type TestSpecification } from 'vitest/node';

/** The work of one test process: files in order, and the path of the results. */
export interface Play {
  readonly files: readonly string[];
  readonly output: string;
  /** True to stop at the first failure. */
  readonly bail: boolean;
  readonly workers: number;
  /** Milliseconds that one test may take. */
  readonly testTimeout: number;
}

const { files, output, bail, workers, testTimeout } = JSON.parse(process.argv[2] ?? '') as Play;
const root = process.cwd();
const results: [file: string, passed: boolean, ms: number][] = [];

/** Keeps the requested order, the likeliest file first. */
class RequestedOrder {
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
  sort(specifications: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification) => files.indexOf(moduleId.slice(root.length + 1));
    return specifications.toSorted((a, b) => place(a) - place(b));
  }
}

const reporter = {
  onTestModuleEnd(module: TestModule) {
    const { duration, prepareDuration, environmentSetupDuration, collectDuration } = module.diagnostic();
    const ms = duration + prepareDuration + environmentSetupDuration + collectDuration;
    results.push([module.moduleId.slice(root.length + 1), module.ok(), ms]);
    writeFileSync(output, JSON.stringify(results));
  },
};
const vitest = await startVitest('test', [...files], {
  watch: false,
  config: false,
  root,
  include: ['test/**/*.test.ts'],
  pool: 'forks',
  isolate: true,
  fsModuleCachePath: join(root, '.vitest-cache'),
  setupFiles: [join(import.meta.dirname, 'test-file.ts')],
  sequence: { sequencer: RequestedOrder },
  testTimeout,
  hookTimeout: testTimeout,
  maxWorkers: workers,
  bail: bail ? 1 : 0,
  reporters: [reporter],
});
await vitest.close();
