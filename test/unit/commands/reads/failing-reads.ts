import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Transport, WireRequest, WireResponse } from '../../../../src/base/context.ts';
import { everyNth } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';

/** A command whose reads fail one after the other. */
export interface Scenario {
  /** The name of the command in the table. */
  readonly title: string;
  /** Makes the state before the command. */
  prepare(): Promise<PreparedWorld>;
  /** The arguments of the command, and its options. */
  line(world: PreparedWorld): string | readonly string[];
  run?(world: PreparedWorld): RunOptions;
}

/** A test setup, and the id of its automation. */
export interface PreparedWorld extends World {
  readonly automation?: string;
}

/** A read of a command: its path without ids and cursors, and its number among the reads of this path. */
interface Read {
  readonly path: string;
  readonly number: number;
}

/** Failures of a read. After the first failure, all reads of the same path fail alike. */
const FAILURES: Readonly<Record<string, () => WireResponse>> = {
  403: () => refusal(403, 'insufficient_scope', 'The key lacks a scope.'),
  404: () => refusal(404, 'not_found', 'No such object.'),
  500: () => refusal(500, 'internal_error', 'Something went wrong.'),
  reset: () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  },
};

function refusal(status: number, code: string, message: string): WireResponse {
  const body = Buffer.from(JSON.stringify({ error: { code, message, request_id: 'req_1' } }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** The lines that a command usually prints for each error. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  403: [
    'err: svc: The key lacks a scope. (insufficient_scope)',
    'err:   a scope cannot be added to a key: create a new key with it in the app',
    'err:   request id: req_1',
  ],
  404: [
    'err: svc: No such object. (not_found)',
    'err:   the service answers the same for an id of another organization and for a wrong path in --base-url',
    'err:   request id: req_1',
  ],
  500: ['err: svc: Something went wrong. (internal_error)', 'err:   request id: req_1'],
  reset: ['err: svc: no answer from the service: read ECONNRESET'],
};

/** Lines of the output that say nothing about the failure. */
const BESIDE = /before trying again|^ +Report: |^ +Details: |checks? passed$|^<time> [a-z ]+: (done|not finished)/;

/** The path of a request without values that differ between two setups. */
function pathOf({ url }: WireRequest): string {
  return `${url.pathname}${url.search}`
    .replace(/^\/api/, '')
    .replace(/\b([a-z]{3})_[0-9a-f]{10,}/g, '$1')
    .replace(/cursor=[^&]*|after=[^&]*/, 'after=');
}

/**
 * Records the reads of a command. With `failing`, all reads of that path fail, from that number on. Then also records
 * the writes after the first failure.
 */
function spoiler(failing?: Read & { readonly failure: () => WireResponse }) {
  const reads: Read[] = [];
  const writesAfter: string[] = [];
  let failed = 0;
  const wrap = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const path = pathOf(request);
      if (request.method !== 'GET') {
        writesAfter.push(...(failed > 0 ? [`${request.method} ${path}`] : []));
        return inner.send(request, signal);
      }
      const number = reads.filter((read) => read.path === path).length + 1;
      reads.push({ path, number });
      if (failing && failing.path === path && number >= failing.number) {
        failed += 1;
        return failing.failure();
      }
      return inner.send(request, signal);
    },
  });
  return { reads, writesAfter, wrap, failed: () => failed };
}

type RunResult = Pick<CommandResult, 'code' | 'out' | 'err'> & { readonly world: World };

async function runWith(scenario: Scenario, spoil: ReturnType<typeof spoiler>): Promise<RunResult> {
  const world = await scenario.prepare();
  const { code, out, err } = await world.svc(scenario.line(world), { ...scenario.run?.(world), transport: spoil.wrap });
  return { code, out, err, world };
}

/** The visible result for users and scripts, without values that differ from run to run. */
function visibleResult({ code, out, err, world }: RunResult): string[] {
  const lines = (text: string) =>
    text
      .replaceAll(world.folder, '<folder>')
      .replace(/\S*svc-test-\w+/g, '<state>')
      .replace(/\brun_\d{8}T\d{9}_[0-9a-f]+/g, 'run_1')
      .replace(/\b([a-z]{3})_[0-9a-f]{10,}/g, '$1_1')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?/g, '<time>')
      .replace(/(?<=fingerprint\s)[0-9a-f]{16}/g, '<fingerprint>')
      .replace(/ It took [^.]*\.| \d+s$/gm, '')
      .split('\n')
      .filter((line) => line !== '' && !BESIDE.test(line));
  return [`exit ${code}`, ...lines(out).map((line) => `out: ${line}`), ...lines(err).map((line) => `err: ${line}`)];
}

/** The lines of a failure. One short line stands for the usual lines of its error. */
function withoutUsual(lines: readonly string[], failure: string): string[] {
  const usual = USUAL[failure] ?? [];
  const at = lines.indexOf(usual[0] ?? '');
  const isUsual = at >= 0 && isDeepStrictEqual(lines.slice(at, at + usual.length), usual);
  return isUsual ? [...lines.slice(0, at), 'err: as usual', ...lines.slice(at + usual.length)] : [...lines];
}

/** A command without a failure: the first lines of its table, and its reads. */
interface Undisturbed {
  readonly head: string;
  readonly reads: readonly Read[];
}

async function undisturbedOf(scenario: Scenario): Promise<Undisturbed> {
  const healthy = spoiler();
  const lines = visibleResult(await runWith(scenario, healthy)).map((line) => `    ${line}`);
  const reads = healthy.reads.map(({ path }, index) => `  ${index + 1} GET ${path}`);
  return { head: [`$ ${scenario.title}`, ...lines, ...reads].join('\n'), reads: healthy.reads };
}

/** The results of one failure, in the order of the reads. */
async function resultsOf(scenario: Scenario, reads: readonly Read[], name: string): Promise<string[]> {
  const results: string[] = [];
  for (const read of reads) {
    const spoil = spoiler({ ...read, failure: FAILURES[name]! });
    const lines = withoutUsual(visibleResult(await runWith(scenario, spoil)), name);
    results.push([...lines, ...spoil.writesAfter.map((write) => `sent: ${write}`)].join('\n    '));
  }
  return results;
}

/** The table of a command: its reads, then each distinct result with the failures and reads that lead to it. */
function tableOf({ head, reads }: Undisturbed, results: ReadonlyMap<string, readonly string[]>): string {
  const causes = new Map<string, Map<string, number[]>>();
  for (const index of reads.keys()) {
    for (const [name, texts] of results) {
      const text = texts[index]!;
      const found = causes.get(text) ?? new Map<string, number[]>();
      causes.set(text, found.set(name, [...(found.get(name) ?? []), index + 1]));
    }
  }
  const blocks = [...causes].map(([text, found]) => {
    const names = [...found].map(([name, numbers]) => `${name} of ${numbers.join(' ')}`);
    return `  ${names.join(', ')}\n    ${text}`;
  });
  return [head, ...blocks, ''].join('\n');
}

/** Reads the table: what it says about one failure, in the order of the reads. */
function expectedOf(table: string, name: string): string[] {
  const results: string[] = [];
  for (const block of table.replace(/\n$/, '').split(/\n(?= {2}\S)/)) {
    const [causes = '', ...lines] = block.split('\n');
    const numbers = new RegExp(`\\b${name} of ([\\d ]+)`).exec(causes)?.[1]?.split(' ') ?? [];
    numbers.forEach((number) => {
      results[Number(number) - 1] = lines.join('\n').trimStart();
    });
  }
  return results;
}

/**
 * Makes a test for each command and each failure of its reads: they must equal the table in `expected/`. `UPDATE=1`
 * writes it.
 */
export function testFailingReads(name: string, scenarios: readonly Scenario[]): void {
  const file = join(import.meta.dirname, 'expected', `${name}.txt`);
  const expected = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=\$ )/m) : [];
  const tables = scenarios.map((scenario) => {
    // The first test that needs it runs the command, so one test alone works too.
    let first: Promise<Undisturbed> | undefined;
    const undisturbed = () => {
      first ??= undisturbedOf(scenario);
      return first;
    };
    return {
      title: scenario.title,
      undisturbed,
      resultsOf: async (name: string, numbers: readonly number[]) => {
        const { reads } = await undisturbed();
        return resultsOf(
          scenario,
          numbers.map((number) => reads[number]!),
          name,
        );
      },
      expected: expected.find((each) => each.startsWith(`$ ${scenario.title}\n`)) ?? '',
    };
  });
  if (process.env.UPDATE === '1') {
    test(`writes the recorded tables of ${name}`, { timeout: 600_000 }, async () => {
      const written: string[] = [];
      for (const table of tables) {
        const results = new Map<string, string[]>();
        for (const failure of Object.keys(FAILURES)) {
          const { reads } = await table.undisturbed();
          results.set(failure, await table.resultsOf(failure, [...reads.keys()]));
        }
        written.push(tableOf(await table.undisturbed(), results));
      }
      writeFileSync(file, written.join(''));
    });
    return;
  }
  test.each(tables)('sends the expected GET requests when no read fails: $title', async ({ undisturbed, expected }) => {
    const { head } = await undisturbed();
    expect(expected.slice(0, head.length + 1)).toBe(`${head}\n`);
  });
  // Each failure meets every fourth read, so that each read fails in one way.
  const cases = tables.flatMap((table) => Object.keys(FAILURES).map((failure, nth) => ({ ...table, failure, nth })));
  test.each(cases)(
    'the command ends as recorded when a read gets $failure: $title (O1, O2, O8)',
    async ({ failure, nth, resultsOf, expected }) => {
      const recorded = expectedOf(expected, failure);
      const numbers = everyNth([...recorded.keys()], 4, nth);
      expect(await resultsOf(failure, numbers)).toEqual(numbers.map((number) => recorded[number]));
    },
  );
  test(`has a test for each table that is recorded in ${name}`, () => {
    const titles = expected.map((each) => each.split('\n')[0]?.slice(2));
    expect(titles).toEqual(scenarios.map(({ title }) => title));
  });
}

/** A test setup with an opted-out and a subscribed person. Its state folder is in memory, which makes runs quick. */
export async function smallWorld(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = await createWorld({
    seed: {
      account: { domains: ['example.com'] },
      contacts: [
        { email: 'lea@example.com', first_name: 'Lea', status: 'unsubscribed', unsubscribed_at: Date.UTC(2025, 0, 1) },
        { email: 'max@example.com', first_name: 'Max' },
      ],
    },
    ...options,
  });
  const env = { SVC_STATE_DIR: join(tempFolder(), 'state') };
  return { ...world, svc: (line, run = {}) => world.svc(line, { ...run, env: { ...env, ...run.env } }) };
}
