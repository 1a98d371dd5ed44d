import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli.ts';
import { openGolden } from '../../../support/golden.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';

/** A command line without `--json`, its options, and the preparation. */
export interface Step {
  readonly line: string;
  readonly before?: (world: World) => unknown;
  readonly run?: (world: World) => RunOptions;
  /** What the line doesn't show: the reason for its result. */
  readonly when?: string;
}

/** Commands that run one after the other on one service. */
export interface Story {
  readonly title: string;
  readonly options?: Parameters<typeof createWorld>[0];
  readonly steps: readonly (string | Step)[];
}

/** Placeholders of the lines, with their values. */
const NAMES: Readonly<Record<string, (world: World) => string>> = {
  aud: ({ emulator }) => emulator.audienceId,
  hook: ({ emulator }) => emulator.admin.webhooks()[0]?.id ?? '',
  run: ({ folder }) => readdirSync(join(folder, 'state/svc/runs')).sort().at(-1) ?? '',
};

/**
 * Makes one test for each story: its documents must equal `expected/<name>.txt`. `$` begins a command, `!` a line on
 * stderr.
 */
export function testStories(name: string, stories: readonly Story[]): void {
  const golden = openGolden(join(import.meta.dirname, 'expected', `${name}.txt`));
  test.each(stories.map((story) => ({ story, title: story.title })))(
    'prints the recorded JSON documents for $title',
    async ({ story }) => golden.check(story.title, await play(story)),
  );
  test(`has a test for each document that is recorded in ${name}`, () => {
    expect(golden.titles()).toEqual(stories.map(({ title }) => title));
  });
}

async function play({ options, steps }: Story): Promise<string[]> {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } }, ...options });
  const steady = createSteady(world);
  const out: string[] = [];
  let before: readonly string[] = [];
  for (const given of steps) {
    const step: Step = typeof given === 'string' ? { line: given } : given;
    await step.before?.(world);
    const words = wordsOf(step.line).map((word) =>
      word.replaceAll(/\{(\w+)\}/g, (_, key) => NAMES[key]?.(world) ?? key),
    );
    const result = await world.svc([...words, '--json'], step.run?.(world));
    const when = step.when === undefined ? '' : `   (${step.when})`;
    // Run ids begin with their time, so the newest run has the last id.
    await world.clock.advance(1_000);
    const lines = answerOf(result).map(steady);
    out.push(`$ ${step.line}${when}`, ...withoutKnown(lines, before));
    before = lines.length > SHORT ? lines : before;
  }
  return [...out, ''];
}

/** Words in double quotes stay together. */
function wordsOf(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

function answerOf({ code, out, err }: CommandResult): string[] {
  const errors = err.split('\n').filter((line) => line !== '' && !WAITING.test(line));
  return [...documentOf(out), ...errors.map((line) => `! ${line}`), `exit ${code}`];
}

/** Longer documents are shortened. */
const SHORT = 20;

/** Replaces lines that the previous long document also had with the number of these lines. */
function withoutKnown(lines: readonly string[], before: readonly string[]): string[] {
  const shown: string[] = [];
  let known = 0;
  for (const line of [...lines, undefined]) {
    if (line !== undefined && lines.length > SHORT && before.includes(line) && line !== lines.at(-1)) {
      known += 1;
    } else {
      shown.push(...(known > 0 ? [`  … ${known} as above`] : []), ...(line === undefined ? [] : [line]));
      known = 0;
    }
  }
  return shown;
}

/** A line about a wait of random length. */
const WAITING = /waiting \d+ (s|min)/;

/** A document, with a line for each field and for each object of a list. */
function documentOf(out: string): string[] {
  if (out === '') {
    return [];
  }
  expect(out.endsWith('\n'), 'a document ends its line').toBe(true);
  const document: unknown = JSON.parse(out);
  if (Array.isArray(document)) {
    return document.length === 0 ? ['[]'] : ['[', ...document.map((each) => `  ${JSON.stringify(each)}`), ']'];
  }
  const fields = Object.entries(document as object).flatMap(([key, value]) => fieldLines(key, value));
  return ['{', ...fields, '}'];
}

function fieldLines(key: string, value: unknown): string[] {
  const isList = Array.isArray(value) && value.some((each) => typeof each === 'object');
  return isList
    ? [`  ${key}: [`, ...value.map((each) => `    ${JSON.stringify(each)}`), '  ]']
    : [`  ${key}: ${JSON.stringify(value)}`];
}

/** Replaces values that differ from run to run by names. An id keeps its name within a story. */
function createSteady({ folder, emulator }: World): (line: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (id: string, kind: string) => {
    if (!names.has(id)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      names.set(id, `<${kind}_${counts.get(kind)}>`);
    }
    return names.get(id) ?? '';
  };
  return (line) =>
    line
      .replaceAll(folder, '~')
      .replaceAll(emulator.apiKey, '<key>')
      .replace(/svc_emulator_[0-9a-f]+/g, '<key>')
      .replace(/(?<="waits":\[)\{[^\]]+/, '<waits>')
      // Waits before retries are random, and long ones lead to another check for new automations.
      .replace(/(?<="sent":)\d+(?=,"retried":[1-9])/, '<sent>')
      .replace(/(?<=127\.0\.0\.1:)\d+/g, '<port>')
      .replace(/(?<=fingerprint\W+)[0-9a-f]{16}/g, '<fingerprint>')
      .replace(/\brun_\d{8}T\d{9}_[0-9a-f]+/g, (id) => nameOf(id, 'run'))
      .replace(/\b(whsec)_[0-9A-Za-z+/=]+/g, '<secret>')
      .replace(/\b([a-z]{3})_[0-9a-f]{10,}/g, nameOf)
      .replace(/\b20(?:25|26)-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?/g, '<time>');
}

/** Fails for a command that no story runs. */
export function testEveryCommand(): void {
  test('the recorded JSON documents cover every command', async () => {
    const folder = join(import.meta.dirname, 'expected');
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const host = { context: { stdout: { write: () => undefined } }, finish: () => undefined } as never;
    const missing = pathsOf(await createProgram(host)).filter((path) => !text.join('').includes(`\n$ ${path}`));
    expect(missing).toEqual([]);
  });
}

function pathsOf(command: Command, path: readonly string[] = []): string[] {
  const verbs = command.commands.filter((child) => !child.name().startsWith('_'));
  return verbs.length === 0 ? [path.join(' ')] : verbs.flatMap((child) => pathsOf(child, [...path, child.name()]));
}
