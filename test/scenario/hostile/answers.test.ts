import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { EXIT } from '../../../src/base/lib/errors.ts';
import { createRandom, type Random } from '../../simulation/random.ts';
import { stepOf } from '../../support/sweep.ts';
import type { CommandResult } from '../../support/world.ts';
import { COMMANDS, createFullWorld, type FullWorld } from './commands.ts';
import { isMcp, playMcp } from './mcp.ts';
import { spoil } from './spoil.ts';

const STATED: readonly number[] = Object.values(EXIT).filter((code) => code !== EXIT.bug);
const WRITES_A_RUN = [
  'migrate',
  'contacts import --explicit-status',
  'suppressions import',
  'migrate --create-audience',
  'automations enroll',
  'automations enroll --create-contacts',
];

/** The number of trials for each command. For more: SVC_SPOILS=50 npx vitest run test/scenario/hostile */
const TIMES = Number(process.env.SVC_SPOILS ?? 4 / stepOf(2));
const FIRST = Number(process.env.SVC_SEED ?? 1);

/** Makes one random response malformed, or a few in a row. */
function spoilingTransport(random: Random, answers: number): (inner: Transport) => Transport {
  const from = random.int(0, Math.max(0, answers - 1));
  const until = from + random.pick([1, 1, 3]);
  let number = 0;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = isMcp(request) ? playMcp(request) : await inner.send(request, signal);
      const at = number++;
      return at >= from && at < until ? spoil(response, random) : response;
    },
  });
}

/** Describes what is wrong with the end of a command after a malformed response. */
function faultsOf(name: string, { code, err, out }: CommandResult): string[] {
  const faults = STATED.includes(code) ? [] : [`exit ${code}: ${err.slice(0, 2_000)}`];
  return WRITES_A_RUN.includes(name) && out !== '' ? [...faults, ...untrue(JSON.parse(out), code)] : faults;
}

/** A report must account for every row. Only then exit code 0 is allowed (rule L5). */
function untrue({ rows }: { rows: Record<string, number> }, code: number): string[] {
  const { read = 0, ...outcomes } = rows;
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
  const wrong = sum !== read || Object.values(rows).some((count) => !(Number.isInteger(count) && count >= 0));
  const open = code === 0 && (rows.unsent ?? 0) + (rows.unknown ?? 0) + (rows.failed ?? 0) > 0;
  return wrong || open ? [`exit ${code}: ${JSON.stringify(rows)}`] : [];
}

/** Lists people who were mailed twice, and objects that were made twice. */
function duplicatesIn({ emulator: { admin }, automation }: FullWorld): string[] {
  const enrolled = admin.enrollments(automation).map(({ email }) => email);
  const hooks = admin.webhooks().map(({ url }) => url);
  const named = admin.audiences().map(({ name }) => name);
  return [enrolled, hooks, named].flatMap((all) => all.filter((one, at) => all.indexOf(one) !== at));
}

async function play(name: string, seed: number): Promise<string[]> {
  const world = await createFullWorld();
  const random = createRandom(seed);
  const line = world.line(name);
  const transport = spoilingTransport(random, random.int(1, name.startsWith('migrate') ? 24 : 8));
  const result = await world.svc(line, { transport });
  return [...faultsOf(name, result), ...duplicatesIn(world)].map((fault) => `${name}, seed ${seed}: ${fault}`);
}

describe('a malformed response of the service', () => {
  test.each(Object.keys(COMMANDS))(
    'svc %s reports what happened after malformed responses (O3, O4, O5, P4)',
    async (name) => {
      const faults: string[] = [];
      for (let time = 0; time < TIMES; time += 1) {
        faults.push(...(await play(name, FIRST + time * 7919)));
      }
      expect(faults).toEqual([]);
    },
    600_000,
  );
});
