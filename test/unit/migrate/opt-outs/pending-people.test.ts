import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import type { Finding } from '../../../../src/base/finding.ts';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../support/world.ts';
import { addressOf, FLAGS, SIGNS_UP, statusesOf, withoutListedOptOuts } from './support.ts';

// svc would look up the first four people of the list without any reason. These people are others.
const PENDING = [7, 9, 12];

/** People of a list with this status in the audience of a service that signs people up. */
async function createPeople(status: string, numbers: readonly number[], variants: Variants = SIGNS_UP) {
  const world = await createWorld({ variants });
  world.emulator.admin.addContacts(numbers.map((number) => ({ email: addressOf(number), status })));
  await world.clock.advance(60_000);
  return { world, line: ['migrate', world.file('list.csv', people(40)), ...FLAGS] };
}

type Variants = Readonly<Record<string, string>>;

/** A service whose counts leave out people who are pending or bounced. */
const COUNTS_CONFIRMED = withTraffic({
  of: /^GET .*audiences\/[^/]+$/,
  response: (body) => {
    const { subscribed, unsubscribed } = body.contact_counts;
    return { ...body, contact_counts: { subscribed, unsubscribed, total: subscribed + unsubscribed } };
  },
});

describe.each(['pending', 'bounced'])(
  'an audience of only %s people, none of them counted by the service',
  (status) => {
    test('stops when the service signs up people whom it does not count (C1, L2)', async () => {
      const { world, line } = await createPeople(status, PENDING);
      const { code, json } = await world.svc(line, COUNTS_CONFIRMED);
      expect([code, json.error?.code]).toEqual([8, 'first_batch']);
      expect(statusesOf(world, PENDING).includes('subscribed')).toBe(false);
    });

    test('makes no second contact when the list has another spelling (C1, F8)', async () => {
      const world = await createWorld();
      world.emulator.admin.addContacts([{ email: 'zoë@xn--bcher-kva.test', status }]);
      await world.clock.advance(60_000);
      const list = csv('email,status', 1, () => 'zoë@bücher.test,subscribed');
      const { code } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS], COUNTS_CONFIRMED);
      const contacts = world.emulator.admin.contacts().map((contact) => [contact.email, contact.status]);
      expect([code, contacts]).toEqual([0, [['zoë@xn--bcher-kva.test', status]]]);
    });
  },
);

const ANOTHER_LIST = 'email,status\nann@b.test,subscribed\n';
const warnings = ({ json }: CommandResult): string[] =>
  json.findings.flatMap(({ check, message }: Finding) => (check === 'subscribed_since' ? [message] : []));

describe('after a stopped run, pending people who are subscribed', () => {
  test.each(['--json', '--quiet'])(
    'a resume with %s names people who were pending and are subscribed (C1)',
    async (flag) => {
      const { world, line } = await createPeople('pending', [7]);
      await world.svc(line, stoppedAfterPost(1));
      const resumed = await world.svc(`runs resume ${flag}`);
      const named = flag === '--json' ? warnings(resumed).join('') : resumed.err;
      expect([resumed.code, named]).toEqual([0, expect.stringContaining('they are subscribed: person7@example.com.')]);
    },
  );

  test('the next import names people who were pending and are subscribed (C1)', async () => {
    const { world, line } = await createPeople('pending', [7]);
    await world.svc(line, stoppedAfterPost(1));
    const other = await world.svc(['migrate', world.file('other.csv', ANOTHER_LIST), ...FLAGS]);
    expect([other.code, warnings(other)]).toEqual([0, [expect.stringContaining('person7@example.com')]]);
  });

  test('names all 12 people who were pending and are subscribed now (C1)', async () => {
    const many = Array.from({ length: 13 }, (_, index) => index + 20);
    const { world, line } = await createPeople('pending', many);
    // The pending person in the canary is refused, which shows nothing. So the first batch goes alone.
    world.emulator.admin.suppress([addressOf(20)], 'complained');
    await world.svc(line, stoppedAfterPost(2));
    const resumed = await world.svc(line);
    const named = warnings(resumed)
      .join()
      .match(/person\d+@example.com/g);
    expect([resumed.code, named]).toEqual([0, many.slice(1).map(addressOf)]);
  });
});

// The service shows the effect of the canary too late, or it ignored the row of the canary and wrote it later (F5).
test('names pending people whom a later batch signs up (C1, F5)', async () => {
  const { world, line } = await createPeople('pending', PENDING, {});
  const { admin } = world.emulator;
  admin.setStatus(addressOf(12), 'unsubscribed');
  const late = afterPost(2, () => [7, 9].forEach((number) => admin.setStatus(addressOf(number), 'subscribed')));
  const ended = await world.svc(line, late);
  expect([ended.code, warnings(ended)]).toEqual([0, [expect.stringContaining('person7@example.com, person9@')]]);
});

// The canary shows people as they were before: the service ignored its rows, and wrote them with the batch.
test.each(['unsubscribed', 'pending'])(
  'the next import names %s people whom a run signed up late (C1, F5)',
  async (status) => {
    const { world, line } = await createPeople(status, PENDING, {});
    const { admin } = world.emulator;
    const late = afterPost(2, (stopper) => {
      PENDING.forEach((number) => admin.setStatus(addressOf(number), 'subscribed'));
      stopper.abort();
    });
    await world.svc(line, late);
    const other = ['migrate', world.file('other.csv', ANOTHER_LIST), ...FLAGS];
    const named = [await world.svc(other), await world.svc([...other, '--again'])].map(warnings);
    expect(named).toEqual([[expect.stringContaining('person7@example.com. ')], []]);
  },
);

test('names signed-up people when the service refuses to opt them out (C1)', async () => {
  const { world, line } = await createPeople('unsubscribed', PENDING);
  const refusal = { status: 403, code: 'plan_limit_reached', after: 1, times: 1 };
  world.refuse(BATCH, refusal);
  const stopped = await world.svc(line);
  const named = warnings(stopped)
    .join('')
    .match(/person\d+/g);
  const resumed = await world.svc('runs resume --json');
  expect([stopped.code, named, resumed.code]).toEqual([7, ['person7'], 8]);
  expect(statusesOf(world, PENDING).includes('subscribed')).toBe(false);
});

/** A service that asks each person who left to confirm (`pending`), if it gets them without a status. */
function asksToConfirm({ emulator: { admin } }: World) {
  const asked: string[] = [];
  return withTraffic({
    of: /^POST .*batch$/,
    before: ({ body }) => {
      const contacts: { email: string; status?: string }[] = JSON.parse(String(body)).contacts;
      const left = contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
      asked.push(...left.filter((email) => ['unsubscribed', 'bounced'].includes(admin.contact(email)?.status ?? '')));
    },
    response: (body) => {
      asked.splice(0).forEach((email) => admin.setStatus(email, 'pending'));
      return body;
    },
  });
}

describe.each(['unsubscribed', 'bounced'])('a service that asks %s people to confirm', (status) => {
  test('stops the run, and opts the person of the canary out again (C1)', async () => {
    const { world, line } = await createPeople(status, PENDING, {});
    const { code, json } = await world.svc(line, asksToConfirm(world));
    expect([code, json.error?.message]).toEqual([8, expect.stringMatching(/person7@.* is "pending" now$/)]);
    expect(statusesOf(world, PENDING)).toEqual(['unsubscribed', status, status]);
  });

  test('stops the next run when the first one was killed (C1)', async () => {
    const { world, line } = await createPeople(status, PENDING, {});
    const service = asksToConfirm(world);
    const stopped = stoppedAfterPost(1);
    const both = (inner: Transport) => stopped.transport?.(service.transport(inner)) ?? inner;
    await world.svc(line, { ...stopped, transport: both });
    const other = await world.svc(['migrate', world.file('other.csv', ANOTHER_LIST), ...FLAGS], service);
    expect([other.code, statusesOf(world, PENDING)]).toEqual([8, ['unsubscribed', status, status]]);
  });
});

// The lists show subscribed people only, and the counts leave pending ones out. So svc can't know of them before.
test('names pending people as a reason for too many new contacts (L2)', async () => {
  const { world, line } = await createPeople('pending', PENDING);
  const { code, json } = await world.svc(line, withoutListedOptOuts(COUNTS_CONFIRMED));
  const message =
    'the audience grew by 40; the run created 37; 3 other people joined meanwhile, or were pending and not counted before';
  expect([code, json.verification.checks[0]]).toEqual([0, { check: 'contact_counts', status: 'passed', message }]);
});
