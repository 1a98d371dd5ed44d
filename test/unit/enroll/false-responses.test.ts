import { expect, test } from 'vitest';
import type { WireResponse } from '../../../src/base/context.ts';
import { openEnrollmentLedger } from '../../../src/ledgers/enrollment-ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { RunOptions } from '../../support/world.ts';
import { addresses, bare, counts, createAutomationWorld } from './support.ts';

const PEOPLE = addresses(2);

// biome-ignore lint/suspicious/noExplicitAny: the response of the service as JSON, to be changed
type Change = (got: any) => unknown;

/** Changes the first `times` responses about the first person. The service enrolled the person before. */
function falseResponses(change: Change, times: number): RunOptions {
  let left = times;
  const changed = (response: WireResponse): WireResponse => {
    left -= 1;
    const body = change(JSON.parse(response.body.toString()));
    return { ...response, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
  };
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        return left > 0 && String(request.body).includes(PEOPLE[0] as string) ? changed(response) : response;
      },
    }),
  };
}

const without = (name: string) => (got: object) =>
  Object.fromEntries(Object.entries(got).filter(([key]) => key !== name));

/** Responses from which svc cannot know the outcome. */
const UNREADABLE: Readonly<Record<string, Change>> = {
  'no outcome': without('outcome'),
  'an outcome of null': (got) => ({ ...got, outcome: null }),
  'an outcome that is a number': (got) => ({ ...got, outcome: 1 }),
  'an outcome that is a list': (got) => ({ ...got, outcome: ['enrolled'] }),
  'a list': (got) => [got],
  'a JSON string': () => '"enrolled"',
  null: () => 'null',
  'an empty body': () => '',
  'a page of HTML': () => '<h1>enrolled</h1>',
  'half of its JSON': () => '{"outcome":"enrolled"',
};

/** Responses that still state the outcome. */
const READABLE: Readonly<Record<string, Change>> = {
  'no id': without('enrollment_id'),
  'an id of null': (got) => ({ ...got, enrollment_id: null }),
  'an id that is a number': (got) => ({ ...got, enrollment_id: 7 }),
  'no type': without('object'),
  'more fields': (got) => ({ ...got, automation: { deep: [1] } }),
};

const AT_FIRST = [...Object.entries(UNREADABLE), ...Object.entries(READABLE)].map(
  ([what, change]) => [what, change, 1] as const,
);
const ALWAYS = Object.entries(UNREADABLE)
  .slice(0, 4)
  .map(([what, change]) => [what, change, 99] as const);

async function enrollWith(change: Change, times: number) {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const state = tempFolder();
  const options = { ...falseResponses(change, times), env: { SVC_STATE_DIR: state } };
  const { code, json } = await world.enroll(bare(PEOPLE), ['--concurrency', '1'], options);
  const ledger = openEnrollmentLedger(state, json.origin, world.automation);
  const outcomes = PEOPLE.map((email) => ledger.lookup(email)?.outcome);
  ledger.close();
  const keys = new Set(world.asked().map(({ headers }) => headers['idempotency-key']));
  return { code, rows: counts(json.rows), outcomes, keys: keys.size, enrolled: world.enrolled() };
}

test.each(AT_FIRST)(
  'enrolls each person once when the first response is unusual: %s (I4, O6)',
  async (_, change, times) => {
    expect(await enrollWith(change, times)).toEqual({
      code: 0,
      rows: { read: 2, enrolled: 2 },
      outcomes: ['enrolled', 'enrolled'],
      keys: 2,
      enrolled: PEOPLE,
    });
  },
);

test.each(ALWAYS)(
  'leaves an enrollment unknown when no response is readable: %s (I4, O6)',
  async (_, change, times) => {
    expect(await enrollWith(change, times)).toEqual({
      code: 3,
      rows: { read: 2, enrolled: 1, unknown: 1 },
      outcomes: ['unknown', 'enrolled'],
      keys: 2,
      enrolled: PEOPLE,
    });
  },
);
