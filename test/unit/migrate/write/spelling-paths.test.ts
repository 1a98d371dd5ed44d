import { describe, expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { afterPost } from '../../../support/after-post.ts';
import { numberedNames, rowsOf, runNight } from '../../../support/nights.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { createAutomationWorld } from '../../enroll/support.ts';

const UNICODE = 'anna@shop.bücher.example';
const PUNYCODE = 'anna@shop.xn--bcher-kva.example';
const DECOMPOSED = 'anna@shop.bu\u0308cher.example';
const TWO = [UNICODE, PUNYCODE];
const STANDARD = [...TWO, DECOMPOSED];

/** Spellings that svc converts to a standard one. */
const CONVERTED = [
  ['decomposed letters', DECOMPOSED],
  ['an ideographic dot', 'anna@shop.bücher.example'],
  ['full-width letters', 'anna@shop.ｂüｃｈｅｒ.example'],
] as const;

/** The spellings of one mailbox. One of the converted ones stands for the others in each code path. */
const SPELLINGS = [['Unicode', UNICODE] as const, ['Punycode', PUNYCODE] as const, ...everyNth(CONVERTED, 3)];

// Combines every code path that looks a person up with every spelling in the list.
describe.each(SPELLINGS)('a person whose address in the list has %s', (_, one) => {
  const others = STANDARD.filter((spelling) => spelling !== one);

  test.each(['complained', 'bounced'])(
    'suppresses a %s person under each standard spelling (F8, S1)',
    async (reason) => {
      const world = await createWorld();
      const { code, json } = await migrate(world, [`${one},${reason}`, 'ben@example.com,bounced']);
      expect([code, json.rows.suppressed, json.plan.respelled]).toEqual([0, 2, others.length]);
      expect(suppressionsOf(world)).toEqual({
        'ben@example.com': 'bounced',
        ...Object.fromEntries([one, ...others].map((email) => [email, reason])),
      });
    },
  );

  test('suppressions import suppresses a person under each spelling (F8)', async () => {
    const world = await createWorld();
    world.file('list.csv', `email\n${one}\n`);
    const { code, json } = await world.svc('suppressions import list.csv --reason unsubscribed --json');
    expect([code, json.rows, Object.keys(suppressionsOf(world)).sort()]).toEqual([
      0,
      expect.objectContaining({ read: 1, suppressed: 1, merged: 0, failed: 0, unsent: 0 }),
      [one, ...others].sort(),
    ]);
  });

  test.each(STANDARD)('suppresses each spelling of a person when the first row is %s (F8, C7)', async (first) => {
    const world = await createWorld();
    await migrate(world, [`${first},subscribed`, `${one},complained`]);
    expect([Object.keys(suppressionsOf(world)).sort(), world.emulator.admin.contacts()]).toEqual([
      [...new Set([one, ...STANDARD])].sort(),
      [],
    ]);
  });

  test.each(others)('does not sign up a person who opted out under the spelling %s (F8, C1)', async (there) => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: there, status: 'unsubscribed' }]);
    const { code } = await migrate(world, [`${one},subscribed`, 'ben@example.com,subscribed']);
    expect([code, statuses(world)]).toEqual([0, { [there]: 'unsubscribed', 'ben@example.com': 'subscribed' }]);
  });

  test.each(others)('counts one person for the plan limit when the audience has %s (F8, P2)', async (there) => {
    const world = await createWorld({ plan: 'free' });
    world.emulator.admin.addContacts([
      { email: there },
      ...numberedNames(498).map((name) => ({ email: `${name}@example.com` })),
    ]);
    world.file('list.csv', `email,status\n${one},subscribed\nben@example.com,subscribed\n`);
    const { code, json } = await world.svc('migrate list.csv --plan free --json');
    expect([code, json.rows.created, json.rows.updated]).toEqual([0, 1, 1]);
    expect([one, there].map((email) => world.emulator.admin.contact(email)?.status)).toEqual([undefined, 'subscribed']);
  });

  test.each([0, 200])('opts a person out under each spelling among %i other contacts (F8)', async (count) => {
    const world = await createWorld();
    world.emulator.admin.addContacts(STANDARD.map((email) => ({ email })));
    world.emulator.admin.addContacts(numberedNames(count).map((name) => ({ email: `${name}@example.com` })));
    const { code } = await migrate(world, [`${one},unsubscribed`, 'ben@example.com,subscribed']);
    const found = STANDARD.map((email) => world.emulator.admin.contact(email)?.status);
    expect([code, ...found]).toEqual([0, ...STANDARD.map(() => 'unsubscribed')]);
  });

  test('exits with 3 when the opt-out of a spelling is refused (F8, G6)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts(TWO.map((email) => ({ email })));
    // The first batch after the canary opts out the contact with the other spelling.
    world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
    const rows = [`${one},unsubscribed`, 'ben@example.com,subscribed'];
    const { code, json } = await migrate(world, rows);
    expect([code, json.error]).toMatchObject([
      3,
      { code: 'opt_out_refused', message: expect.stringMatching(/refused to unsubscribe 1 address: anna@/) },
    ]);
    expect([(await migrate(world, rows)).code, Object.values(statuses(world)).sort()]).toEqual([
      0,
      ['subscribed', ...TWO.map(() => 'unsubscribed')],
    ]);
  });

  test('--only-changed sends a person until each spelling is opted out (F8, G2)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts(TWO.map((email) => ({ email })));
    const night = async () => {
      await world.clock.advance(24 * 3_600_000);
      world.file('list.csv', `email,status\n${one},unsubscribed\nben@example.com,subscribed\n`);
      const { code, json } = await world.svc('contacts import list.csv --only-changed --json');
      return [code, json.rows.unchanged];
    };
    world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
    expect((await night())[0]).toBe(3);
    world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
    expect((await night())[0]).toBe(3);
    expect([(await night())[0], TWO.map((email) => world.emulator.admin.contact(email)?.status)]).toEqual([
      0,
      TWO.map(() => 'unsubscribed'),
    ]);
    expect((await night())[0]).toBe(0);
  });

  test('--gone unsubscribes a missing person under each spelling (F8, G6)', async () => {
    const world = await createWorld();
    await runNight(world, [...rowsOf(numberedNames(30)), `${one},Anna,Lisbon`]);
    world.emulator.admin.addContacts(others.map((email) => ({ email })));
    const { code, json } = await runNight(world, rowsOf(numberedNames(30)), { flags: '--gone unsubscribe' });
    const found = [one, ...others].map((email) => world.emulator.admin.contact(email)?.status);
    expect([code, json.gone, new Set(found)]).toEqual([
      0,
      expect.objectContaining({ missing: 1, unsubscribed: 1 }),
      new Set(['unsubscribed']),
    ]);
  });

  // A request takes one spelling of a person, so `others` need further requests.
  test.each([1, 2])('a resume opts out the other spellings after request %i (F8, G6)', async (nth) => {
    const world = await createWorld();
    await runNight(world, [...rowsOf(numberedNames(30)), `${one},Anna,Lisbon`]);
    world.emulator.admin.addContacts(others.map((email) => ({ email })));
    const stopped = afterPost(nth, (stopper) => stopper.abort(createInterruption('SIGINT')));
    await runNight(world, rowsOf(numberedNames(30)), { flags: '--gone unsubscribe', ...stopped });
    const { code, json } = await world.svc('runs resume --json');
    const found = [one, ...others].map((email) => world.emulator.admin.contact(email)?.status);
    expect([code, json.gone, new Set(found)]).toEqual([
      0,
      expect.objectContaining({ missing: 1, unsubscribed: 1 }),
      new Set(['unsubscribed']),
    ]);
  });

  test.each(others)('does not enroll a person who opted out under the spelling %s (F8, M1)', async (there) => {
    const world = await createAutomationWorld([one, 'ben@example.com']);
    world.emulator.admin.addContacts([{ email: there, status: 'unsubscribed' }]);
    const { json } = await world.enroll(`email\n${one}\nben@example.com\n`);
    expect([world.enrolled(), json.rows.enrolled, json.rows.not_subscribed]).toEqual([['ben@example.com'], 1, 1]);
  });

  test.each(others)('does not enroll a person again under the spelling %s (F8)', async (there) => {
    const world = await createAutomationWorld([one, there]);
    await world.enroll(`email\n${one}\n`);
    await world.enroll(`email\n${there}\n`);
    expect(world.enrolled()).toEqual([one]);
  });

  test.each(others)('contacts check finds no difference when the audience has %s (F8)', async (there) => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: there }]);
    world.file('list.csv', `email,status\n${one},subscribed\n`);
    const { code, out } = await world.svc('contacts check list.csv --json');
    expect([code, out]).toEqual([0, expect.stringMatching(/"same": 1\b/)]);
  });
});

test.each([
  ['an accent is one letter or two', 'jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['the letters of the domain are full-width', 'jo@ｅｘａｍｐｌｅ.com', 'jo@example.com'],
])('treats two addresses as one person when %s (F8, C1)', async (_, unusual, usual) => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: usual, status: 'unsubscribed' }, { email: 'ben@example.com' }]);
  await migrate(world, [`${unusual},subscribed`, 'ben@example.com,subscribed']);
  expect(statuses(world)).toEqual({ [usual]: 'unsubscribed', 'ben@example.com': 'subscribed' });
  await migrate(world, [`${usual},subscribed`, `${unusual},complained`, 'ren\u00e9@example.com,bounced']);
  expect(Object.keys(suppressionsOf(world)).sort()).toEqual([usual, unusual, 'ren\u00e9@example.com'].sort());
});

describe.each([
  ['one character', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
  ['two characters', 'jose\u0301@example.com', 'jos\u00e9@example.com'],
])('an accent that is %s in the list, and has another form in the audience', (_, one, there) => {
  test.each(['unsubscribed', 'subscribed'])(
    'a person who was %s in the audience ends opted out (F8, C1)',
    async (status) => {
      const world = await createWorld();
      world.emulator.admin.addContacts([{ email: there, status: status as 'subscribed' }]);
      await migrate(world, [
        `${one},${status === 'subscribed' ? 'unsubscribed' : 'subscribed'}`,
        'ben@example.com,subscribed',
      ]);
      expect(statuses(world)).toEqual({ [there]: 'unsubscribed', 'ben@example.com': 'subscribed' });
    },
  );

  test('enrolls no person who opted out under another spelling (F8, M1)', async () => {
    const world = await createAutomationWorld([one]);
    world.emulator.admin.addContacts([{ email: there, status: 'unsubscribed' }]);
    await world.enroll(`email\n${one}\n`);
    expect(world.enrolled()).toEqual([]);
  });

  test('--gone unsubscribes both spellings of a missing person (F8, G6)', async () => {
    const world = await createWorld();
    await runNight(world, [...rowsOf(numberedNames(30)), `${one},Anna,Lisbon`]);
    world.emulator.admin.addContacts([{ email: there }]);
    await runNight(world, rowsOf(numberedNames(30)), { flags: '--gone unsubscribe' });
    expect([one, there].map((email) => world.emulator.admin.contact(email)?.status)).toEqual([
      'unsubscribed',
      'unsubscribed',
    ]);
  });
});

test('signs up no person when a look-alike in Punycode opted out (F8, C1)', async () => {
  const world = await createWorld({ variants: { address_case: 'folded' } });
  world.emulator.admin.addContacts([{ email: 'bo@xn--mnchen-3ya.example', status: 'unsubscribed' }]);
  await migrate(world, ['b\uff4f@m\u00fcnchen.example,subscribed', `${UNICODE},subscribed`]);
  expect(statuses(world)).toEqual({ 'bo@xn--mnchen-3ya.example': 'unsubscribed', [UNICODE]: 'subscribed' });
});

test('writes to the contact when its spelling changed after a stop (F8, D1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: PUNYCODE }]);
  const line = 'migrate list.csv --plan paid --explicit-status --json';
  world.file('list.csv', `email,status\n${UNICODE},subscribed\nben@example.com,subscribed\n`);
  await world.svc(line, stoppedAtLookUp('ben@example.com', 2));
  world.emulator.admin.deleteContact(PUNYCODE);
  world.emulator.admin.addContacts([{ email: UNICODE }]);

  const { code } = await world.svc(line);

  expect([code, statuses(world)]).toEqual([0, { [UNICODE]: 'subscribed', 'ben@example.com': 'subscribed' }]);
});

test('adds no contact when a person joins under another spelling (F8, C1)', async () => {
  const world = await createWorld();
  const join = () => world.emulator.admin.addContacts([{ email: PUNYCODE }]);
  world.file('list.csv', `email,status\n${UNICODE},subscribed\n`);

  const { code, json } = await world.svc('migrate list.csv --plan paid --explicit-status --json', {
    onEvent: (event) => event.type === 'phase' && event.phase === 'first_batch' && join(),
  });

  expect([code, json.error.code, statuses(world)]).toEqual([7, 'in_doubt', { [PUNYCODE]: 'subscribed' }]);
});

/** Stops a run at this look-up of a person. The first look-up chooses the people of the canary. */
function stoppedAtLookUp(email: string, number: number): RunOptions {
  const stopper = new AbortController();
  let lookUps = 0;
  return {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        lookUps += request.url.pathname.endsWith(`/contacts/${encodeURIComponent(email)}`) ? 1 : 0;
        if (lookUps === number) {
          stopper.abort(createInterruption('SIGINT'));
        }
        return inner.send(request, signal);
      },
    }),
  };
}

test('repeats no enrollment after an opt-out under another spelling (F8, M5)', async () => {
  const world = await createAutomationWorld([UNICODE]);
  const stopper = new AbortController();
  await world.enroll(`email\n${UNICODE}\n`, [], {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (request.method !== 'POST') {
          return inner.send(request, signal);
        }
        stopper.abort(createInterruption('SIGINT'));
        return Promise.reject(new Error('no response'));
      },
    }),
  });
  world.emulator.admin.addContacts([{ email: PUNYCODE, status: 'unsubscribed' }]);
  const { json } = await world.svc('runs resume --json');
  expect([world.enrolled(), json.rows.unknown, json.rows.not_subscribed]).toEqual([[], 1, 0]);
});

describe('the suppression of a person under another spelling', () => {
  const ROWS = ['ben@example.com,bounced', `${UNICODE},bounced`, `${PUNYCODE.replace('anna', 'cyd')},complained`];

  test('suppresses other spellings after all addresses of the list (F8, I8)', async () => {
    const world = await createWorld();
    await migrate(world, ROWS);
    expect(suppressionBodies(world)).toEqual([
      '{"reason":"complained","emails":["cyd@shop.xn--bcher-kva.example"]}',
      '{"reason":"bounced","emails":["ben@example.com","anna@shop.bücher.example"]}',
      '{"reason":"complained","emails":["cyd@shop.bücher.example"]}',
      '{"reason":"complained","emails":["cyd@shop.bu\u0308cher.example"]}',
      '{"reason":"bounced","emails":["anna@shop.xn--bcher-kva.example"]}',
      '{"reason":"bounced","emails":["anna@shop.bu\u0308cher.example"]}',
    ]);
  });

  test('a resume repeats the suppression of another spelling unchanged (F8, D1)', async () => {
    const world = await createWorld();
    const stopper = new AbortController();
    let posts = 0;
    world.file('list.csv', `email,status\n${ROWS.join('\n')}\n`);
    const cut = await world.svc('migrate list.csv --plan paid --json', {
      signal: stopper.signal,
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const response = await inner.send(request, signal);
          posts += request.method === 'POST' ? 1 : 0;
          if (posts < 3) {
            return response;
          }
          stopper.abort(createInterruption('SIGINT'));
          throw new Error('the response is lost');
        },
      }),
    });
    const lost = world.requests().filter(isSuppression)[2];
    const { code, json } = await world.svc('runs resume --json');
    const again = world.requests().filter(isSuppression);
    expect([cut.code, code, json.rows.suppressed, again.length]).toEqual([130, 0, 3, 4]);
    expect([again[0]?.body, again[0]?.headers['idempotency-key']]).toEqual([
      lost?.body,
      lost?.headers['idempotency-key'],
    ]);
    expect(Object.keys(suppressionsOf(world)).length).toBe(7);
  });

  test('counts a suppression once when both spellings have it already (F8, S3)', async () => {
    const world = await createWorld();
    world.emulator.admin.suppress([PUNYCODE.replace('anna', 'cyd'), UNICODE, PUNYCODE], 'bounced');
    const { code, json } = await migrate(world, ROWS);
    expect([code, json.rows.suppressed, json.verification.status]).toEqual([0, 3, 'passed']);
  });

  test('suppresses accepted spellings when the service refuses others (F8, P3)', async () => {
    const world = await createWorld();
    const people = numberedNames(70).map((name) => `${name}@shop.xn--bcher-kva.example`);
    world.file('list.csv', `email\n${people.join('\n')}\n`);
    const { code, json } = await world.svc('suppressions import list.csv --reason bounced --json', {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) =>
          /"p\d*[37]@shop.bü/.test(String(request.body)) ? REFUSED : inner.send(request, signal),
      }),
    });
    expect([code, json.rows.failed, json.rows.suppressed]).toEqual([0, 0, 70]);
    const reached = Object.keys(suppressionsOf(world)).filter((email) => email.includes('ü'));
    expect(reached.sort()).toEqual(
      numberedNames(70)
        .filter((name) => !/[37]$/.test(name))
        .map((name) => `${name}@shop.bücher.example`)
        .sort(),
    );
  });

  test('the plan counts other spellings that svc suppresses (F8, C5)', async () => {
    const world = await createWorld();
    world.file('list.csv', `email,status\n${ROWS.join('\n')}\n`);
    const { out } = await world.svc('migrate list.csv --plan paid --dry-run --details');
    expect(out).toContain('also suppressed: 4 other spellings of these addresses');
  });
});

const REFUSED = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":{"code":"invalid_email","message":"no","request_id":"req_1"}}'),
};

/** Imports a list of addresses and statuses. */
function migrate(world: World, rows: readonly string[]) {
  world.file('list.csv', `email,status\n${rows.join('\n')}\n`);
  return world.svc('migrate list.csv --plan paid --json');
}

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(world.emulator.admin.contacts().map(({ email, status }) => [email, status]));
}

function suppressionsOf(world: World): Record<string, string> {
  return Object.fromEntries(world.emulator.admin.suppressions().map(({ email, reason }) => [email, reason]));
}

function isSuppression({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && path.endsWith('/suppressions');
}

function suppressionBodies(world: World): string[] {
  return world
    .requests()
    .filter(isSuppression)
    .map(({ body }) => body);
}
