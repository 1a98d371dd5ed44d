import { describe, expect, test } from 'vitest';
import type { Transport, WireResponse } from '../../../../src/base/context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld } from '../../../support/world.ts';

const TOPIC = 'top_1';
const LEFT_AT = '2024-05-01T10:00:00.000Z';
const NEXT_DAY = '2024-05-02T10:00:00.000Z';

const LIST = [
  'email,first_name,last_name,status,unsubscribed_at,City,Plan,News',
  'ana@example.com,Ana,Ash,subscribed,,Bonn,gold,x',
  `dan@example.com,Dan,Dahl,unsubscribed,${LEFT_AT},Dover,red,`,
  'eve@example.com,Eve,Elm,subscribed,,Essen,blue,x',
  'fay@example.com,Fay,Fox,subscribed,,Faro,gold,',
  'gil@example.com,Gil,Gray,subscribed,,Genoa,red,',
  'hal@example.com,Hal,Hill,subscribed,,Hull,red,',
  '',
].join('\n');

const LINE = `migrate list.csv --plan paid --json --map News=topics.${TOPIC} --topic-value News=yes`;

// biome-ignore lint/suspicious/noExplicitAny: the response of the service as JSON, to be changed
type Change = (got: any) => unknown;

interface Lie {
  /** Matches method and path of the changed responses. */
  readonly of: RegExp;
  readonly change: Change;
  /** After this number of contact batches the responses are false. Batch 1 is the canary, batch 2 holds all rows. */
  readonly after: number;
}

/** Changes the responses of the service. If `change` returns undefined, the response is a 404. */
function falseResponses({ of, change, after }: Lie): (inner: Transport) => Transport {
  let batches = 0;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      batches += request.method === 'POST' && request.url.pathname.endsWith('/contacts/batch') ? 1 : 0;
      const isMeant = of.test(`${request.method} ${decodeURIComponent(request.url.pathname)}`);
      return isMeant && batches >= after ? changeResponse(response, change) : response;
    },
  });
}

function changeResponse(response: WireResponse, change: Change): WireResponse {
  const got = change(JSON.parse(response.body.toString('utf8')));
  return got === undefined
    ? { ...response, status: 404, body: Buffer.from('{"error":{"code":"not_found","message":"No."}}') }
    : { ...response, body: Buffer.from(JSON.stringify(got)) };
}

async function lieTo(lie: Lie, list = LIST) {
  const world = await createWorld();
  world.file('list.csv', list);
  const { code, out, err } = await world.svc(list === LIST ? LINE : 'migrate list.csv --json --plan paid', {
    transport: falseResponses(lie),
    env: { SVC_STATE_DIR: tempFolder() },
  });
  const batches = world.requests().filter(({ path }) => path.endsWith('/contacts/batch')).length;
  return { code, err, json: out === '' ? undefined : JSON.parse(out), batches };
}

function withAttributes<T extends { attributes: object }>(got: T, values: object): T {
  return { ...got, attributes: { ...got.attributes, ...values } };
}

const was = (field: string, sent: string, got: string) => `: ${field} was sent as "${sent}" and reads "${got}"`;

/**
 * Each field of a person with a false value: the person, the false response, and the finding. Undefined if svc accepts
 * the response.
 */
const LIES: readonly (readonly [what: string, who: 'ana' | 'dan', change: Change, says: string | undefined])[] = [
  [
    'another address',
    'ana',
    (got) => ({ ...got, email: 'zoe@example.com' }),
    was('email', 'ana@example.com', 'zoe@example.com'),
  ],
  ['another first name', 'ana', (got) => ({ ...got, first_name: 'Zoe' }), was('first_name', 'Ana', 'Zoe')],
  ['no first name', 'ana', (got) => ({ ...got, first_name: null }), was('first_name', 'Ana', '(null)')],
  ['a first name in capitals', 'ana', (got) => ({ ...got, first_name: 'ANA' }), was('first_name', 'Ana', 'ANA')],
  ['another last name', 'ana', (got) => ({ ...got, last_name: 'Zorn' }), was('last_name', 'Ash', 'Zorn')],
  ['an empty last name', 'ana', (got) => ({ ...got, last_name: '' }), was('last_name', 'Ash', '')],
  ['another attribute', 'ana', (got) => withAttributes(got, { city: 'Zug' }), was('attributes.city', 'Bonn', 'Zug')],
  ['an empty attribute', 'ana', (got) => withAttributes(got, { plan: '' }), was('attributes.plan', 'gold', '')],
  [
    'a lost attribute',
    'ana',
    (got) => ({ ...got, attributes: { city: 'Bonn' } }),
    was('attributes.plan', 'gold', '(missing)'),
  ],
  ['another topic', 'ana', (got) => ({ ...got, topics: { [TOPIC]: 'no' } }), was(`topics.${TOPIC}`, 'yes', 'no')],
  ['a lost topic', 'ana', (got) => ({ ...got, topics: {} }), was(`topics.${TOPIC}`, 'yes', '(missing)')],
  [
    'an opt-out a day later',
    'dan',
    (got) => ({ ...got, unsubscribed_at: NEXT_DAY }),
    was('unsubscribed_at', LEFT_AT, NEXT_DAY),
  ],
  [
    'an opt-out without a date',
    'dan',
    (got) => ({ ...got, unsubscribed_at: null }),
    was('unsubscribed_at', LEFT_AT, '(null)'),
  ],
  // Variations that a service may have: fewer fields, more fields, more attributes, or another form of a date.
  ['fewer fields', 'ana', ({ id, email, status }) => ({ id, email, status }), undefined],
  ['more fields', 'ana', (got) => ({ ...withAttributes(got, { more: 'x' }), score: 7 }), undefined],
  ['a date without milliseconds', 'dan', (got) => ({ ...got, unsubscribed_at: '2024-05-01T10:00:00Z' }), undefined],
  // A person may opt out between the request and the read.
  ['a person who opted out since', 'ana', (got) => ({ ...got, status: 'unsubscribed' }), undefined],
];

describe('the read-back of the canary, the first people of a run', () => {
  test.each([
    ...LIES.filter(([, , , says]) => says !== undefined),
    ['no such person', 'ana', () => undefined, ' is not in the audience'],
    [
      'a subscription of an opted-out person',
      'dan',
      (got: object) => ({ ...got, status: 'subscribed' }),
      was('status', 'unsubscribed', 'subscribed'),
    ],
  ] as typeof LIES)('stops after a false response about the canary: %s (F5, C2)', async (_, who, change, says) => {
    const { code, json, batches } = await lieTo({ of: new RegExp(`GET .*/${who}@`), change, after: 1 });
    expect([code, batches, json.status]).toEqual([8, 1, 'unverified']);
    expect(json.error).toMatchObject({
      code: 'first_batch',
      message: `svc read the first 4 people back and found differences: ${who}@example.com${says}`,
    });
  });

  test.each(LIES.filter(([, , , says]) => says === undefined))(
    'continues after a harmless difference in the canary: %s (F5, C2)',
    async (_, who, change) => {
      const { code, batches } = await lieTo({ of: new RegExp(`GET .*/${who}@`), change, after: 1 });
      expect([code, batches]).toEqual([0, 2]);
    },
  );

  test('stops the run when no new person of the canary is subscribed (C1)', async () => {
    const { code, json, batches } = await lieTo({
      of: /GET .*@/,
      change: (got) => ({ ...got, status: got.status === 'subscribed' ? 'pending' : got.status }),
      after: 1,
    });
    expect([code, batches]).toEqual([8, 1]);
    expect(json.error.message).toContain(
      'ana@example.com: was sent without a status and is "pending", not "subscribed"',
    );
    const [advice, command] = json.error.hint.split('\n');
    expect(advice).toBe(
      'Nothing more is sent. Someone who left since must stay unsubscribed. If the service does not subscribe new people:',
    );
    expect(command).toMatch(/^svc (--yes )?migrate .*list\.csv .*--explicit-status$/);
  });
});

describe('the verification at the end of a run', () => {
  test.each([
    ...LIES,
    ['no such person', 'ana', () => undefined, ' is not there'],
    [
      'a subscription of an opted-out person',
      'dan',
      (got: object) => ({ ...got, status: 'subscribed' }),
      ' opted out, but is subscribed',
    ],
  ] as typeof LIES)('exits with 8 only when a read-back person differs: %s (L4, C2)', async (_, who, change, says) => {
    const { code, json, batches } = await lieTo({ of: new RegExp(`GET .*/${who}@`), change, after: 2 });
    expect(batches).toBe(2);
    const sample = json.verification.checks.find(({ check }: { check: string }) => check === 'sample');
    expect([code, json.verification.status, sample]).toEqual(
      says === undefined
        ? [0, 'passed', { check: 'sample', status: 'passed', message: '6 contacts read back as sent' }]
        : [8, 'failed', { check: 'sample', status: 'failed', message: `${who}@example.com${says}` }],
    );
  });
});

test('names a command to compare all people when verification fails (L4, D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const change: Change = (got) => ({ ...got, first_name: 'Zoe' });
  const failed = await world.svc(LINE, { transport: falseResponses({ of: /GET .*\/ana@/, change, after: 2 }) });
  const command = /svc (runs verify \S+)$/.exec(JSON.parse(failed.err).error.hint)?.[1] ?? 'none';
  expect([failed.code, failed.json.next]).toEqual([8, [expect.stringContaining(command)]]);

  const verified = await world.svc(command);

  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('same')]);
});

const AUDIENCE = /GET .*\/audiences\/aud_\w+$/;
const CONTACTS = /GET .*\/contacts$/;

/** The response with other counts. */
function withCounts(counts: (real: { total: number }) => unknown): Change {
  return (got) => ({ ...got, contact_counts: counts(got.contact_counts) });
}

describe('the count of an audience', () => {
  test.each([
    ['none', withCounts(() => undefined)],
    ['null', withCounts(() => null)],
    ['a list', withCounts(() => [])],
    ['no total', withCounts(() => ({ subscribed: 1, unsubscribed: 0 }))],
    ['a total that is null', withCounts((real) => ({ ...real, total: null }))],
    ['a total that is a text', withCounts((real) => ({ ...real, total: '12' }))],
    ['a total that is no number', withCounts((real) => ({ ...real, total: 'NaN' }))],
  ])('stops before any write after a false count of the audience: %s (O4, P2)', async (_, change) => {
    const { code, json, err, batches } = await lieTo({ of: AUDIENCE, change, after: 0 });
    expect([code, batches, json]).toEqual([1, 0, undefined]);
    expect(JSON.parse(err).error).toMatchObject({ code: 'unexpected_answer', exit_code: 1 });
  });

  test.each([
    ['as many as were created', 6, 'the audience grew by 6; the run created 6'],
    ['one more', 7, 'the audience grew by 7; the run created 6'],
    ['one fewer', 5, 'the audience grew by 5; the run created 6; every person of the list was looked up and is there'],
  ])('passes verification when the service counts %s and has all people (L2)', async (_, total, message) => {
    const change = withCounts((real) => ({ ...real, total }));
    const { code, json } = await lieTo({ of: AUDIENCE, change, after: 2 });
    expect([code, json.verification.checks[0]]).toEqual([0, { check: 'contact_counts', status: 'passed', message }]);
  });

  test('fails the verification when the audience lacks a person (L2, L4)', async () => {
    const isOther = ({ email }: { email: string }) => email !== 'gil@example.com';
    const change: Change = ({ contact_counts: counts, data, ...got }) => {
      const contact = isOther(got) ? got : undefined;
      const page = data && { ...got, data: data.filter(isOther) };
      return counts ? { ...got, contact_counts: { ...counts, total: 5 } } : (page ?? contact);
    };
    const of = new RegExp(`${AUDIENCE.source}|${CONTACTS.source}|GET .*/gil@`);
    const { code, json } = await lieTo({ of, change, after: 2 });
    expect([code, json.verification.checks[0]]).toEqual([
      8,
      {
        check: 'contact_counts',
        status: 'failed',
        message: 'the audience grew by 5; the run created 6; 1 person of the list is not there: gil@example.com',
      },
    ]);
  });
});

describe('the suppression list', () => {
  const BOUNCED = 'email,status\nben@example.com,bounced\nkim@example.com,bounced\n';
  const NONE = /none of these/;

  test.each([
    [
      'both addresses',
      NONE,
      (got: object) => got,
      0,
      'passed',
      '2 addresses suppressed in the account, 2 of them sent',
    ],
    [
      'one more address, which others suppressed',
      /POST .*suppressions/,
      (got: object) => ({ ...got, total_suppressed_after: 3 }),
      0,
      'passed',
      '3 addresses suppressed in the account, 2 of them sent',
    ],
    [
      'only one',
      /POST .*suppressions/,
      (got: object) => ({ ...got, total_suppressed_after: 1 }),
      8,
      'failed',
      '2 addresses were sent, but only 1 are suppressed',
    ],
    [
      'none',
      /GET .*suppressions/,
      (got: object) => ({ ...got, data: [] }),
      8,
      'failed',
      '2 addresses were suppressed, but the service lists none',
    ],
  ])('exits with 8 only for missing suppressions: %s (S3, L4)', async (_, of, change, exit, status, message) => {
    const { code, json } = await lieTo({ of, change, after: 0 }, BOUNCED);
    const { checks } = json.verification;
    expect([code, checks.at(-1)]).toEqual([exit, { check: 'suppressions', status, message }]);
  });

  test.each([
    [
      'can be read',
      NONE,
      'passed',
      'the service only replayed stored responses to suppressions; the service lists suppressions',
    ],
    [
      'cannot be read',
      /GET .*suppressions/,
      'skipped',
      'the service only replayed stored responses to suppressions, and the list of suppressions cannot be read',
    ],
  ])('passes or skips the check of replayed suppressions: list %s (S3, I7)', async (_, of, status, message) => {
    const world = await createWorld();
    world.file('list.csv', BOUNCED);
    // The request takes effect, but its response is HTML. So svc repeats it and gets a replay.
    const match = { route: 'POST /v1/suppressions' };
    world.emulator.admin.addFault({ kind: 'html', status: 502, when: 'after', match, times: 1 });
    const transport = falseResponses({ of, change: () => undefined, after: 0 });
    const { code, json } = await world.svc('migrate list.csv --json --plan paid', { transport });
    expect([code, json.verification.checks.at(-1)]).toEqual([0, { check: 'suppressions', status, message }]);
  });
});
