import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Module, parseModule } from '../../architecture/module.ts';

/** Test files that run the program in their own process. Scenario tests need a build, and the simulation takes long. */
const TESTS = /^test\/(unit|contract)\/.*\.test\.ts$/;

/** For a source file, the test files that can reach it by imports, nearest first. */
export function nearestTests(root: string): (file: string) => string[] {
  const modules = new Map(
    globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root })
      .filter((path) => !path.endsWith('.d.ts'))
      .map((path) => [path, valueImports(parseModule(path, readFileSync(join(root, path), 'utf8')))]),
  );
  const importers = Map.groupBy(
    [...modules].flatMap(([path, imports]) => imports.map((from) => ({ path, from }))),
    ({ from }) => from,
  );
  return (file) => {
    const steps = new Map([[file, 0]]);
    for (const [here, count] of steps) {
      const above = importers.get(here) ?? [];
      above.filter(({ path }) => !steps.has(path)).forEach(({ path }) => void steps.set(path, count + 1));
    }
    const tests = [...steps].filter(([path]) => TESTS.test(path));
    return tests
      .sort(([a, x], [b, y]) => x - extraNearness(a, file) - (y - extraNearness(b, file)))
      .map(([path]) => path);
  };
}

// A file that starts a thread names the entry file of the thread in a URL, and not in an import.
function valueImports({ path, imports }: Module): string[] {
  return [...imports.filter(({ typeOnly }) => !typeOnly).map(({ from }) => from), path.replace(/\.ts$/, '-entry.ts')];
}

// How much nearer a test counts if it is in the same folder, or has the same words in its name.
function extraNearness(test: string, file: string): number {
  const [, , folder = ''] = test.split('/');
  const words = new Set(file.split(/[/.-]/).slice(2, -1));
  const shared = (test.split('/').at(-1) ?? '').split(/[.-]/).filter((word) => words.has(word)).length;
  return (file.startsWith(`src/${folder}/`) ? 2 : 0) + 2 * shared;
}
