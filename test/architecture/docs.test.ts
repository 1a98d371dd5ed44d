import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { EXIT } from '../../src/base/lib/exit.ts';
import { createProgram } from '../../src/cli.ts';
import type { Host } from '../../src/commands/framework/invocation.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

// Only the tree is looked at; nothing is run, so nothing of the outside is needed.
const program = await createProgram({
  context: { stdout: { write: () => undefined } },
  finish: () => undefined,
} as unknown as Host);

describe('the README and the program agree', () => {
  test('on the exit codes, both ways', () => {
    const rows = [...readme.matchAll(/^\| ([\d, ]+) \| (\w+) \|/gm)];
    const documented = rows.flatMap(([, codes = '', name]) => codes.split(', ').map((code) => [Number(code), name]));
    const words = { hangup: 'interrupted', terminated: 'interrupted' } as Readonly<Record<string, string>>;
    const known = Object.entries(EXIT).map(([name, code]) => [code, words[name] ?? name]);
    expect(documented).toEqual(known);
  });

  test('on the dependencies, both ways', () => {
    const named = [...section('Dependencies').matchAll(/^\| ([@a-z][\w@/., -]*) \| (?!why)/gm)].flatMap(
      ([, names = '']) => names.split(', '),
    );
    expect(named.sort()).toEqual(Object.keys(manifest.devDependencies).sort());
  });

  test('on every command that the README types', () => {
    const lines = [...readme.matchAll(/(?:npx |`)svc ((?:[a-z-]+ ?)+)/g)].map(([, words = '']) =>
      words.trim().split(' '),
    );
    expect(lines.length).toBeGreaterThan(5);
    const known = lines
      .filter((words) => /^[a-z]+$/.test(words[0] ?? ''))
      .map((words) => [words.join(' '), find(program, words)]);
    expect(known.filter(([, command]) => command === undefined)).toEqual([]);
  });
});

describe('every command', () => {
  test.each(leaves(program).map((command) => [path(command), command] as const))(
    '%s says what it does',
    (_, command) => {
      expect(command.description() || command.summary()).not.toBe('');
      expect(command.options.every((option) => option.description !== '')).toBe(true);
    },
  );
});

/** The text under a heading, up to the next one. */
function section(title: string): string {
  return readme.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
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
