import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { EXIT } from '../../src/base/lib/errors.ts';
import { createProgram } from '../../src/cli.ts';
import type { CommandHost } from '../../src/commands/framework/invocation.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = page('README.md');
const guide = readdirSync(join(ROOT, 'docs/guide')).map((name) => page(`docs/guide/${name}`));

// The program is created, but no command runs. So streams and clock can be empty.
const program = await createProgram({
  context: { stdout: { write: () => undefined } },
  finish: () => undefined,
} as unknown as CommandHost);

describe('the documentation', () => {
  test('docs/guide/output.md names exactly the exit codes of the program', () => {
    const rows = [...page('docs/guide/output.md').matchAll(/^\| ([\d, ]+) \| (\w+) \|/gm)];
    const documented = rows.flatMap(([, codes = '', name]) => codes.split(', ').map((code) => [Number(code), name]));
    const words = { hangup: 'interrupted', terminated: 'interrupted' } as Readonly<Record<string, string>>;
    const known = Object.entries(EXIT).map(([name, code]) => [code, words[name] ?? name]);
    expect(documented).toEqual(known);
  });

  test('docs/guide/problems.md names exactly the checks of the program', () => {
    const documented = [...page('docs/guide/problems.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual([...checkNames()].sort());
  });

  test('docs/dependencies.md names exactly the dependencies of the package', () => {
    const named = [...page('docs/dependencies.md').matchAll(/^\| ([@a-z][\w@/., -]*) \| (?!why)/gm)].flatMap(
      ([, names = '']) => names.split(', '),
    );
    expect(named.sort()).toEqual(Object.keys(manifest.devDependencies).sort());
  });

  test.each([readme, ...guide, page('samples/README.md')])(
    'README and guide show only commands that the program knows',
    (text) => {
      const lines = [...text.matchAll(/(?:npx |`)svc ((?:[a-z-]+ ?)+)/g)].map(([, words = '']) =>
        words.trim().split(' '),
      );
      expect(lines.length + Number(text !== readme)).toBeGreaterThan(0);
      const known = lines
        .filter((words) => /^[a-z]+$/.test(words[0] ?? ''))
        .map((words) => [words.join(' '), find(program, words)]);
      expect(known.filter(([, command]) => command === undefined)).toEqual([]);
    },
  );
});

describe('every command', () => {
  test.each(leaves(program).map((command) => [path(command), command] as const))(
    '--help describes the command and each of its options: %s',
    (_, command) => {
      expect(command.description() || command.summary()).not.toBe('');
      expect(command.options.every((option) => option.description !== '')).toBe(true);
    },
  );
});

/** The names in findings and in the verification of a run, as literals in the code. `doctor` has its own. */
function checkNames(): ReadonlySet<string> {
  const files = globSync('src/{import,run-lifecycle,migrate,enroll}/**/*.ts', { cwd: ROOT });
  const literal = /(?:\bcheck(?::| =)|CHECK =|skippedCheck\(|orPass\(\w+,) '([a-z_]+)'/g;
  return new Set(files.flatMap((path) => [...page(path).matchAll(literal)].map(([, name = '']) => name)));
}

function find(command: Command, words: readonly string[]): Command | undefined {
  const child = command.commands.find((one) => one.name() === words[0]);
  if (!child) {
    return command === program ? undefined : command;
  }
  return find(child, words.slice(1));
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function path(command: Command): string {
  return command.parent ? `${path(command.parent)} ${command.name()}`.trim() : '';
}
