import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, type RunnerTask, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { VARIANTS } from '../../../src/emulator/context/variants.ts';
import { csv, people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';

const wordsOf = (title: string) => title.split(/[ ,:()]+/);

/** Options of an emulator with one value of a variant. The title of the test must name both. */
function under(name: (typeof VARIANTS)[number]['name'], value: string) {
  expect(wordsOf(expect.getState().currentTestName ?? '')).toContain(`${name}=${value}`);
  return { variants: { [name]: value } };
}

const FLAGS = ['--json', '--plan', 'paid'];
const BATCH = '/contacts/batch';
const LISTS = ['ls', 'ls --all', 'ls --json', 'ls --limit 120', 'ls --output csv --all', 'count'];

async function migrate(world: World, text = people(8), ...flags: string[]) {
  return world.svc(['migrate', world.file('list.csv', text), ...FLAGS, ...flags]);
}

const keysOf = (world: World, path: string) =>
  world
    .requests()
    .filter((request) => request.method === 'POST' && request.path.endsWith(path))
    .map(({ headers }) => headers['idempotency-key'] ?? '');

describe('svc with an emulator variant of idempotency keys', () => {
  test.each([
    { value: 'yes', moved: true },
    { value: 'no', moved: false },
  ])('a resume uses a new key version: $moved, stored_errors=$value (I1)', async (row) => {
    const world = await createWorld({ ...under('stored_errors', row.value), plan: 'free' });
    world.emulator.admin.addContacts(others(500));
    const refused = await migrate(world);
    world.emulator.admin.setPlan('paid');
    world.requests();

    const { code } = await world.svc('runs resume --json');

    expect([refused.code, code]).toEqual([7, 0]);
    expect(hasMoved(keysOf(world, BATCH))).toBe(row.moved);
  });

  test.each([
    { value: 'no', moved: false },
    { value: 'yes', moved: true },
  ])('new key after a scope error: $moved, stored_scope_errors=$value (I1)', async ({ value, moved }) => {
    const world = await createWorld(under('stored_scope_errors', value));
    const { admin } = world.emulator;
    admin.addContacts([{ email: 'ana@example.com' }]);
    const line = `automations enroll ${admin.createAutomation()} --email ana@example.com --json`;
    const env = { SVC_API_KEY: admin.createKey([]) };
    const refused = await world.svc(line, { env });
    world.requests();

    const { code } = await world.svc(line);

    expect([refused.code, code]).toEqual([4, 0]);
    expect(hasMoved(keysOf(world, '/enroll'))).toBe(moved);
  });

  test.each([
    { value: 'organization', replayed: 8 },
    { value: 'key', replayed: 0 },
  ])('another API key gets $replayed replayed rows, claim_owner=$value (I7)', async (row) => {
    const world = await createWorld(under('claim_owner', row.value));
    await migrate(world);
    const env = { SVC_API_KEY: world.emulator.admin.createKey() };
    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(8)), ...FLAGS], { env });
    expect([code, json.rows_replayed]).toEqual([0, row.replayed]);
  });
});

describe('svc with an emulator variant of consent', () => {
  test.each([
    { value: 'subscribed', code: 0 },
    { value: 'pending', code: 8 },
    { value: 'unsubscribed', code: 8 },
  ])('ends an import with exit $code when omitted_status=$value (C1)', async ({ value, code }) => {
    expect((await migrate(await createWorld(under('omitted_status', value)))).code).toBe(code);
  });

  test.each([
    { value: 'keep', code: 0 },
    { value: 'subscribed', code: 8 },
  ])('keeps opt-outs, exits with $code, omitted_status_existing=$value (C1)', async ({ value, code }) => {
    const world = await createWorld(under('omitted_status_existing', value));
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
    expect((await migrate(world)).code).toBe(code);
    expect(world.emulator.admin.contact('person5@example.com')?.status).toBe('unsubscribed');
  });

  test.each([
    { value: 'ignored', kept: false },
    { value: 'honoured', kept: true },
  ])('unsubscribed_at_on_update=$value: a roll-back keeps the date: $kept (C1)', async ({ value, kept }) => {
    const { variants } = under('unsubscribed_at_on_update', value);
    const world = await createWorld({ variants: { ...variants, omitted_status_existing: 'subscribed' } });
    const date = Date.UTC(2024, 1, 3);
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: date }]);
    expect((await migrate(world)).code).toBe(8);
    expect(world.emulator.admin.contact('person5@example.com')?.unsubscribed_at === date).toBe(kept);
  });

  test.each([
    { value: 'no', status: 'subscribed' },
    { value: 'yes', status: 'unsubscribed' },
  ])('accepts a suppressed contact, suppression_marks_contacts=$value (C1)', async ({ value, status }) => {
    const world = await createWorld(under('suppression_marks_contacts', value));
    world.emulator.admin.addContacts([{ email: 'person5@example.com' }]);
    const text = csv(
      'email,status',
      8,
      (index) => `person${index}@example.com,${index === 5 ? 'complained' : 'subscribed'}`,
    );
    const { code, json } = await migrate(world, text);
    expect([code, json.verification.status]).toEqual([0, 'passed']);
    expect(world.emulator.admin.contact('person5@example.com')?.status).toBe(status);
  });
});

describe('svc with an emulator variant of contacts', () => {
  test.each([
    { value: 'unicode', stored: ['kim', 'ki\u0307m'] },
    { value: 'ascii', stored: ['kim', 'ki\u0307m'] },
    { value: 'folded', stored: ['kim'] },
  ])('sends similar addresses without a refusal, address_case=$value (F8)', async ({ value, stored }) => {
    const world = await createWorld(under('address_case', value));
    const names = ['kim', '\u212aim', 'k\u0130m'];
    const { code, json } = await migrate(
      world,
      csv('email,status', 3, (index) => `${names[index]}@example.com,subscribed`),
    );
    expect([code, json.rows.failed, json.rows.unsent, json.rows.merged]).toEqual([0, 0, 0, 1]);
    // Two addresses that the service could take for one never share a request, so it refuses none.
    const batches = world.requests().filter(({ path }) => path.endsWith(BATCH));
    expect(batches.map(({ status, body }) => [status, JSON.parse(body).contacts.length])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    const emails = world.emulator.admin.contacts().map(({ email }) => email.split('@')[0]);
    expect(emails.sort()).toEqual(stored);
  });

  test.each([
    { value: 'all', lookUps: 0 },
    { value: 'subscribed', lookUps: 8 },
  ])('svc looks $lookUps people up before it sends, contact_list=$value (C1)', async ({ value, lookUps }) => {
    const world = await createWorld(under('contact_list', value));
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed' }]);
    const { code } = await migrate(world, people(8), '--no-verify');
    const requests = world.requests();
    const first = requests.findIndex(({ path }) => path.endsWith(BATCH));
    const lookedUp = new Set(requests.slice(0, first).map(({ path }) => path.split('/contacts/')[1]));
    const probes = JSON.parse(String(requests[first]?.body)).contacts;
    expect([code, world.emulator.admin.contact('person5@example.com')?.status]).toEqual([0, 'unsubscribed']);
    expect(probes.map(({ email }: { email: string }) => email)).toContain('person5@example.com');
    expect(lookedUp.size - 1 - (value === 'all' ? probes.length : 0)).toBe(lookUps);
  });

  test.each(['full', 'sparse'])(
    'svc reports no difference for a missing field, contact_record=%s (F5)',
    async (value) => {
      const world = await createWorld(under('contact_record', value));
      const { code, json } = await migrate(
        world,
        'email,status,city\nana@example.com,subscribed,\nbo@example.com,subscribed,Oslo\n',
      );
      expect([code, json.verification.status]).toEqual([0, 'passed']);
    },
  );

  test.each([
    { value: 'total', code: 0, unsent: 0 },
    { value: 'subscribed', code: 7, unsent: 8 },
  ])('infers a paid plan from 501 contacts, exit $code, cap_counts=$value (P2)', async ({ value, code, unsent }) => {
    const world = await createWorld({ ...under('cap_counts', value), plan: value === 'total' ? 'paid' : 'free' });
    const { admin } = world.emulator;
    const other = admin.createAudience('Other');
    admin.addContacts(others(500), other);
    admin.addContacts([{ email: 'left@example.com', status: 'unsubscribed' }], other);
    const line = ['migrate', world.file('list.csv', people(8)), '--json', '--audience', world.emulator.audienceId];
    const { code: exit, json } = await world.svc(line);
    expect(json.findings).toContainEqual(expect.objectContaining({ check: 'plan_cap', level: 'pass' }));
    expect([exit, json.rows.unsent]).toEqual([code, unsent]);
  });

  test.each(['full', 'failures', 'reversed'])(
    'names the failed person, not a suppressed one, batch_results=%s (O5)',
    async (value) => {
      const world = await createWorld(under('batch_results', value));
      world.emulator.admin.suppress(['person5@example.com']);
      const { json } = await migrate(world, people(12).replace('person8@example.com', 'person8@nowhere'));
      expect(json.rows).toMatchObject({ created: 10, failed: 1, suppressed: 0, already_suppressed: 1 });
      const rejects = json.files.rejects.map((path: string) => readFileSync(path, 'utf8')).join('');
      expect(rejects.match(/person\d+@\S+?(?=,)/g)).toEqual(['person8@nowhere']);
    },
  );

  test.each([
    { value: 'row', requests: 'few' },
    { value: 'whole', requests: 'more' },
  ])('finds a bad row with $requests requests, batch_invalid_row=$value (P3)', async ({ value, requests }) => {
    const world = await createWorld(under('batch_invalid_row', value));
    const { json } = await migrate(world, people(64).replace('person21@example.com', 'person21@nowhere'));
    expect(json.rows).toMatchObject({ created: 63, failed: 1, unsent: 0 });
    expect(keysOf(world, BATCH).length > 4 ? 'more' : 'few').toBe(requests);
  });

  test.each([
    { value: 'fail', code: 0 },
    { value: 'update', code: 8 },
  ])('keeps a new opt-out, exit $code, upsert_false_existing=$value (C1)', async ({ value, code }) => {
    const world = await createWorld(under('upsert_false_existing', value));
    const transport = whenFirstBatchGoesOut(() => {
      world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed' }]);
    });
    const line = ['migrate', world.file('list.csv', people(8)), ...FLAGS, '--explicit-status'];
    expect((await world.svc(line, { transport })).code).toBe(code);
    expect(world.emulator.admin.contact('person5@example.com')?.status).toBe('unsubscribed');
  });
});

describe('svc with an emulator variant of suppressions', () => {
  const BOUNCES = csv(
    'email,status',
    8,
    (index) => `person${index}@${index === 5 ? 'nowhere' : 'example.com'},bounced`,
  );

  test.each([
    { value: 'whole', code: 3, failed: 1 },
    { value: 'skip', code: 8, failed: 0 },
  ])('ends with exit $code when suppression_invalid_email=$value (P3, L4)', async ({ value, code, failed }) => {
    const world = await createWorld(under('suppression_invalid_email', value));
    const result = await migrate(world, BOUNCES);
    expect([result.code, result.json.rows.failed]).toEqual([code, failed]);
    expect(world.emulator.admin.suppressions()).toHaveLength(7);
  });

  test.each([
    { name: 'suppressions_paging', value: 'cursor', count: 130, exact: true },
    { name: 'suppressions_paging', value: 'limit_only', count: 100, exact: false },
  ] as const)(
    'svc counts $count suppressions, exact: $exact, when $name=$value',
    async ({ name, value, count, exact }) => {
      const world = await createWorld(under(name, value));
      world.emulator.admin.suppress(Array.from({ length: 130 }, (_, index) => `s${index}@example.com`));
      expect((await world.svc('suppressions count --json')).json).toMatchObject({ count, exact });
    },
  );

  test.each([
    ...LISTS.map((line) => ({ line, stored: 130, value: 'limit_only', notes: 1 })),
    ...LISTS.map((line) => ({ line, stored: 130, value: 'cursor', notes: 0 })),
    ...LISTS.map((line) => ({ line, stored: 7, value: 'limit_only', notes: 0 })),
    ...['ls --limit 5', 'ls --all -q', 'count --json'].map((line) => ({
      line,
      stored: 130,
      value: 'limit_only',
      notes: 0,
    })),
  ])(
    '$line of $stored entries: $notes notes, suppressions_paging=$value (L1)',
    async ({ line, stored, value, notes }) => {
      const world = await createWorld(under('suppressions_paging', value));
      world.emulator.admin.suppress(Array.from({ length: stored }, (_, index) => `s${index}@example.com`));
      const { code, out, err } = await world.svc(`suppressions ${line}`);
      expect([code, err.match(/^note: .*does not say whether there are more/gm)?.length ?? 0]).toEqual([0, notes]);
      if (line.includes('--json') && line.startsWith('ls')) {
        expect(JSON.parse(out)).toHaveLength(value === 'cursor' || stored < 100 ? stored : 100);
      }
    },
  );

  test.each([
    { value: 'full', reasons: { bounced: 1 } },
    { value: 'id_only', reasons: {} },
  ])('svc counts suppressions by reason as $reasons, suppression_record=$value', async ({ value, reasons }) => {
    const world = await createWorld(under('suppression_record', value));
    world.emulator.admin.suppress(['a@example.com'], 'bounced');
    expect((await world.svc('suppressions count --json')).json.by_reason).toEqual(reasons);
  });
});

describe('svc with an emulator variant of the rate limit', () => {
  test.each([
    { name: 'rate_window', value: 'log' },
    { name: 'rate_window', value: 'weighted' },
    { name: 'rate_counts_refused', value: 'no' },
    { name: 'rate_counts_refused', value: 'yes' },
  ] as const)('svc waits at the rate limit and gets no 429 when $name=$value (P4, P5)', async (row) => {
    const world = await createWorld({ ...under(row.name, row.value), rateLimit: 60 });
    const flow = world.emulator.admin.createAutomation({});
    const line = ['automations', 'enroll', flow, world.file('list.csv', people(80)), '--json', '--reserve', '10'];
    const began = world.clock.now();
    const { code, json } = await world.svc(line);
    expect([code, json.requests.rate_limited]).toEqual([0, 0]);
    expect(world.clock.now() - began).toBeGreaterThan(30_000);
  });
});

describe('svc with an emulator variant of MCP', () => {
  // Loading the SDK takes time. During a test, its clock would move on meanwhile.
  beforeAll(async () => {
    await import('../../../src/emulator/mcp/serve.ts');
  });

  test.each([
    { name: 'mcp_errors', value: 'result', exit: 2, says: 'not_found' },
    { name: 'mcp_errors', value: 'protocol', exit: 7, says: 'mcp_error' },
    { name: 'mcp_results', value: 'structured', exit: 2, says: 'not_found' },
    { name: 'mcp_results', value: 'text', exit: 2, says: 'not_found' },
    { name: 'mcp_answers', value: 'json', exit: 2, says: 'not_found' },
    { name: 'mcp_answers', value: 'stream', exit: 2, says: 'not_found' },
  ] as const)('svc reports a refused tool as $says when $name=$value', async ({ name, value, exit, says }) => {
    const world = await createWorld(under(name, value));
    const args = ['--arguments', '{"audience_id":"aud_none"}', '--json'];
    const { code, err } = await world.svc(['mcp', 'call', 'service_get_audience', ...args], {
      env: { SVC_MCP_URL: 'https://mail.example.test/mcp' },
    });
    expect([code, JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code]).toEqual([exit, says]);
  });
});

test('svc ignores response fields that it does not know (O6)', async () => {
  const world = await createWorld();
  const line = ['migrate', world.file('list.csv', people(8)), ...FLAGS];
  const { code, json } = await world.svc(line, { transport: addUnknownFields });
  expect([code, json.rows.created, json.verification.status]).toEqual([0, 8, 'passed']);
});

test('tests svc with every value of every variant', ({ task }) => {
  const known = VARIANTS.flatMap(({ name, readings }) => readings.map((value) => `${name}=${value}`));
  const named = new Set(task.file.tasks.flatMap(titlesIn).flatMap(wordsOf));
  expect(known.filter((each) => !named.has(each))).toEqual([]);
});

/** The titles of all tests in a part of this file. */
function titlesIn(part: RunnerTask): string[] {
  return 'tasks' in part ? part.tasks.flatMap(titlesIn) : [part.name];
}

/** True if a later key version was sent. */
function hasMoved(keys: readonly string[]): boolean {
  return new Set(keys).size > 0 && keys.some((key) => /\.g[1-9]$/.test(key));
}

function others(count: number): { email: string }[] {
  return Array.from({ length: count }, (_, index) => ({ email: `other${index}@example.com` }));
}

function whenFirstBatchGoesOut(act: () => void): (inner: Transport) => Transport {
  let acted = false;
  return (inner) => ({
    close: () => inner.close(),
    send: (request, signal) => {
      if (!acted && request.url.pathname.endsWith(BATCH)) {
        acted = true;
        act();
      }
      return inner.send(request, signal);
    },
  });
}

function addUnknownFields(inner: Transport): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const surprise = { object: 'surprise', list: [null, 1] };
      const text = response.body.toString('utf8').replaceAll(/\{(?=")/g, `{"unheard_of":${JSON.stringify(surprise)},`);
      return { ...response, body: Buffer.from(text) };
    },
  };
}
