import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Transport, WireRequest, WireResponse } from '../../../../src/base/context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { type Answer, createWorld, type RunOptions, type World } from '../../../support/world.ts';

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

/** A world, and the id of its automation. */
export interface PreparedWorld extends World {
  readonly flow?: string;
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

/** The path of a request without values that differ between two worlds. */
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

type RunResult = Pick<Answer, 'code' | 'out' | 'err'> & { readonly world: World };

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

/** The table of a command: its reads, then each distinct result with the reads and failures that lead to it. */
async function tableOf(scenario: Scenario): Promise<string> {
  const healthy = spoiler();
  const undisturbed = await runWith(scenario, healthy);
  const results = new Map<string, Map<string, number[]>>();
  for (const [index, read] of healthy.reads.entries()) {
    for (const [name, failure] of Object.entries(FAILURES)) {
      const spoil = spoiler({ ...read, failure });
      const lines = withoutUsual(visibleResult(await runWith(scenario, spoil)), name);
      const text = [...lines, ...spoil.writesAfter.map((write) => `sent: ${write}`)].join('\n    ');
      const causes = results.get(text) ?? new Map<string, number[]>();
      results.set(text, causes.set(name, [...(causes.get(name) ?? []), index + 1]));
    }
  }
  const blocks = [...results].map(([text, causes]) => {
    const names = [...causes].map(([name, reads]) => `${name} of ${reads.join(' ')}`);
    return `  ${names.join(', ')}\n    ${text}`;
  });
  const reads = healthy.reads.map(({ path }, index) => `  ${index + 1} GET ${path}`);
  return [
    `$ ${scenario.title}`,
    ...visibleResult(undisturbed).map((line) => `    ${line}`),
    ...reads,
    ...blocks,
    '',
  ].join('\n');
}

/**
 * Makes one test for each command: its reads and failures must equal the table in `expected/`. `UPDATE=1` writes it.
 */
export function testFailingReads(name: string, scenarios: readonly Scenario[]): void {
  const file = join(import.meta.dirname, 'expected', `${name}.txt`);
  const expected = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=\$ )/m) : [];
  const written: string[] = [];
  test.each(scenarios.map((scenario) => ({ ...scenario })))(
    'reports the failure and sends nothing more when a read of $title fails (O1, O2, O8)',
    async (scenario) => {
      const table = await tableOf(scenario);
      if (process.env.UPDATE === '1') {
        written.push(table);
        writeFileSync(file, written.join(''));
        return;
      }
      expect(table).toBe(expected.find((each) => each.startsWith(`$ ${scenario.title}\n`)));
    },
  );
  test(`has a command for each table in ${name}`, () => {
    const titles = expected.map((each) => each.split('\n')[0]?.slice(2));
    expect(process.env.UPDATE === '1' ? [] : titles).toEqual(
      process.env.UPDATE === '1' ? [] : scenarios.map(({ title }) => title),
    );
  });
}

/** A world with an opted-out person and a subscribed one. Its state folder is in memory, which makes runs quick. */
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
