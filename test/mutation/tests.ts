import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The result of some test files. */
export interface TestResult {
  /** Titles of failed tests. */
  readonly failed: readonly string[];
  /** True if a file could not be loaded. */
  readonly broken: boolean;
}

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** A mutant can make a test run forever. */
const MAX_MUTANT_MS = 600_000;

/** How to run test files. */
export interface TestRun {
  /** A run that takes longer counts as broken. */
  readonly timeoutMs?: number;
  /** True to run a part of each sweep, and to stop at the first failed test. A mutant may then be missed. */
  readonly isQuick?: boolean;
}

/** Runs test files in a copy of the project, in a new process. */
export function runTests(
  folder: string,
  files: readonly string[],
  { timeoutMs = MAX_MUTANT_MS, isQuick = false }: TestRun = {},
): TestResult {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const bail = isQuick ? ['--bail', '1'] : [];
  const args = ['--no-warnings', join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...files, ...bail];
  spawnSync(process.execPath, [...args, '--reporter=json', `--outputFile=${output}`], {
    cwd: folder,
    env: { ...process.env, SVC_SWEEPS: isQuick ? '' : 'full' },
    stdio: 'ignore',
    timeout: timeoutMs,
  });
  if (!existsSync(output)) {
    return { failed: [], broken: true };
  }
  // vitest's own reporter wrote this file.
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const broken =
    testResults.length === 0 ||
    testResults.some((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { failed, broken };
}
