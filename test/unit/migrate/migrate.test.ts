import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csv, people } from '../../support/lists.ts';
import { BATCH, createWorld, type SeenRequest } from '../../support/world.ts';

const STATUSES = ['subscribed', 'unsubscribed', 'bounced', 'complained', 'pending'];

/**
 * 1,000 people with different states. The first ten occur twice, the second time in capitals. Five have an impossible
 * address.
 */
function mixedList(): string {
  const rows = Array.from({ length: 1_000 }, (_, index) => {
    const state = STATUSES[index % STATUSES.length];
    return `person${index}@example.com,Name ${index},${state},${state === 'unsubscribed' ? '2024-02-01T10:00:00Z' : ''}`;
  });
  const doubles = rows
    .slice(0, 10)
    .map((row) => row.replace('person', 'PERSON').replace(/,(subscribed|pending),/, ',subscribed,'));
  const bad = Array.from({ length: 5 }, (_, index) => `nobody ${index},Name,subscribed,`);
  return `email,first_name,status,unsubscribed_at\n${[...rows, ...doubles, ...bad].join('\n')}\n`;
}

const writes = (requests: readonly SeenRequest[]) => requests.filter((request) => request.method !== 'GET');

test('writes each person of a list as a contact and counts every row', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(2_500));

  const { code, json, err } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(json.rows).toEqual({
    read: 2_500,
    created: 2_500,
    updated: 0,
    suppressed: 0,
    already_suppressed: 0,
    merged: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unsent: 0,
    unknown: 0,
  });
  expect(json.verification.status).toBe('passed');
  expect(json.phase).toBe('done');
  expect(world.emulator.admin.contacts()).toHaveLength(2_500);
});

test('gives contacts the status and the dates of the old platform', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', mixedList());

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect(code).toBe(3);
  expect(json.rows).toMatchObject({
    read: 1_015,
    created: 400,
    suppressed: 400,
    merged: 10,
    skipped: 200,
    rejected: 5,
  });
  const { admin } = world.emulator;
  const byStatus = (status: string) => admin.contacts().filter((contact) => contact.status === status).length;
  expect([byStatus('subscribed'), byStatus('unsubscribed')]).toEqual([200, 200]);
  expect(admin.contact('person1@example.com')?.unsubscribed_at).toBe(Date.UTC(2024, 1, 1, 10));
  const reasons = admin.suppressions().map((suppression) => suppression.reason);
  expect(reasons.filter((reason) => reason === 'bounced')).toHaveLength(200);
  expect(reasons.filter((reason) => reason === 'complained')).toHaveLength(200);
});

test('imports a corrected rejects file with the flags of the first import', async () => {
  const world = await createWorld();
  const first = await world.svc(['migrate', world.file('list.csv', mixedList()), '--json', '--plan', 'paid']);
  const [rejects] = first.json.files.rejects;

  const corrected = readFileSync(rejects, 'utf8')
    .replaceAll('nobody ', 'somebody')
    .replaceAll(/(somebody\d)/g, '$1@example.com');
  const second = await world.svc(['migrate', world.file('corrected.csv', corrected), '--json', '--plan', 'paid']);

  expect(second.code).toBe(0);
  expect(second.json.rows).toMatchObject({ read: 5, created: 5 });
  expect(world.emulator.admin.contact('somebody3@example.com')?.status).toBe('subscribed');
});

test('sends requests that follow the service document (F5, C1, I8, I9)', async () => {
  const world = await createWorld();
  await world.svc(['migrate', world.file('list.csv', mixedList()), '--json', '--plan', 'paid']);

  const posts = writes(world.requests());
  const keys = posts.map((request) => request.headers['idempotency-key']);
  expect(new Set(keys).size).toBe(posts.length);
  for (const post of posts) {
    expect(post.headers['idempotency-key']).toMatch(/^svc1\.[a-z0-9.]{1,75}$/);
    expect(post.headers['content-type']).toBe('application/json');
    const body = JSON.parse(post.body);
    if (post.path.endsWith('/batch')) {
      expect(Object.keys(body)).toEqual(['upsert', 'contacts']);
      expect(body.contacts.length).toBeLessThanOrEqual(1_000);
      expect(body.contacts.every((contact: { status?: string }) => contact.status !== 'subscribed')).toBe(true);
      const addresses = body.contacts.map((contact: { email: string }) => contact.email);
      expect(new Set(addresses).size).toBe(addresses.length);
    }
  }
});

test('writes suppressions before any contact (S1)', async () => {
  const world = await createWorld();
  await world.svc(['migrate', world.file('list.csv', mixedList()), '--json', '--plan', 'paid']);

  const paths = writes(world.requests()).map((request) => request.path.replace(/aud_\w+/, 'aud'));
  const batch = '/v1/audiences/aud/contacts/batch';
  expect(paths).toEqual(['/v1/suppressions', '/v1/suppressions', batch, batch]);
  const { admin } = world.emulator;
  const suppressed = admin.suppressions().map(({ email }) => email);
  expect(suppressed.length).toBeGreaterThan(0);
  expect(suppressed.filter((email) => admin.contact(email) !== undefined)).toEqual([]);
});

test('changes nothing and counts replays when a command is repeated (I7)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', mixedList());
  const first = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  const before = world.emulator.admin.contacts();

  const second = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect(second.code).toBe(3);
  expect(second.json.rows).toEqual(first.json.rows);
  // Only contacts: suppressions are sent once more, because a person may have been taken off the list since.
  expect(second.json.rows_replayed).toBe(400);
  expect(second.json.requests.replayed).toBe(3);
  expect(world.emulator.admin.contacts()).toEqual(before);
});

test('updates only the batch of an edited name when a list is sent again', async () => {
  const world = await createWorld();
  await world.svc(['migrate', world.file('list.csv', people(3_000)), '--json', '--plan', 'paid']);

  const edited = people(3_000).replace('Name 1500,', 'Renamed,');
  const { json } = await world.svc(['migrate', world.file('list.csv', edited), '--json', '--plan', 'paid']);

  expect(json.rows).toMatchObject({ created: 2_000, updated: 1_000 });
  expect(json.rows_replayed).toBe(2_000);
  expect(world.emulator.admin.contact('person1500@example.com')?.first_name).toBe('Renamed');
});

test('does not sign up a person who opted out of the audience (C1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'person7@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);

  const { code } = await world.svc(['migrate', world.file('list.csv', people(20)), '--json']);

  expect(code).toBe(0);
  expect(world.emulator.admin.contact('person7@example.com')).toMatchObject({
    status: 'unsubscribed',
    unsubscribed_at: 1,
  });
});

test('opts people out again when the service signed them up (C1)', async () => {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  world.emulator.admin.addContacts([{ email: 'person1234@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);

  const { code, json } = await world.svc([
    'migrate',
    world.file('list.csv', people(3_000)),
    '--json',
    '--plan',
    'paid',
  ]);

  expect(code).toBe(8);
  expect(json.phase).toBe('first_batch');
  expect(json.rows).toMatchObject({ created: 3, updated: 1, unsent: 2_996 });
  expect(world.emulator.admin.contact('person1234@example.com')?.status).toBe('unsubscribed');
});

test('stops when new people stay unconfirmed without --explicit-status (C1)', async () => {
  const world = await createWorld({ variants: { omitted_status: 'pending' } });
  const list = world.file('list.csv', people(1_500));

  const stopped = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  expect({ code: stopped.code, phase: stopped.json.phase, unsent: stopped.json.rows.unsent }).toEqual({
    code: 8,
    phase: 'first_batch',
    unsent: 1_496,
  });
  expect(stopped.err).toContain('--explicit-status');

  world.emulator.admin.contacts().forEach((contact) => world.emulator.admin.deleteContact(contact.email));
  world.emulator.admin.addContacts([{ email: 'person3@example.com', status: 'unsubscribed' }]);
  const explicit = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--explicit-status']);
  expect(explicit.code).toBe(0);
  expect(world.emulator.admin.contact('person2@example.com')?.status).toBe('subscribed');
  expect(world.emulator.admin.contact('person3@example.com')?.status).toBe('unsubscribed');
});

test('finds rows that the service dropped and reported as written (L4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({
    kind: 'drop_rows',
    rows: 1,
    match: { route: BATCH },
    after: 1,
    times: 1,
  });

  const { code, json } = await world.svc([
    'migrate',
    world.file('list.csv', people(1_500)),
    '--json',
    '--plan',
    'paid',
  ]);

  expect(code).toBe(8);
  expect(json.verification.checks[0]).toMatchObject({ check: 'contact_counts', status: 'failed' });
});

test('refuses 501 new people on a free account and writes nothing (P1, P2)', async () => {
  const world = await createWorld({ plan: 'free' });

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(501)), '--json']);

  expect({ code, status: json.status, unsent: json.rows.unsent }).toEqual({ code: 5, status: 'refused', unsent: 501 });
  expect(writes(world.requests())).toEqual([]);
});

test('counts the people of all audiences against the plan limit (P2)', async () => {
  const world = await createWorld({ plan: 'free' });
  const other = world.emulator.admin.createAudience('Other');
  world.emulator.admin.addContacts(
    Array.from({ length: 300 }, (_, index) => ({ email: `other${index}@example.com` })),
    other,
  );
  const line = ['migrate', world.file('list.csv', people(300)), '--json', '--audience', world.emulator.audienceId];

  expect((await world.svc(line)).code).toBe(5);
  expect(writes(world.requests())).toEqual([]);
});

test('counts people of the audience once against the plan limit (P2)', async () => {
  const world = await createWorld({ plan: 'free' });
  world.emulator.admin.addContacts(
    Array.from({ length: 300 }, (_, index) => ({ email: `person${index}@example.com` })),
  );

  const fits = await world.svc(['migrate', world.file('list.csv', people(500)), '--json']);
  expect({ code: fits.code, created: fits.json.rows.created }).toEqual({ code: 0, created: 200 });
});

test('does not bisect a batch when the plan limit refuses it (P1)', async () => {
  const world = await createWorld();
  world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', message: 'Only 12 more.', when: 'effect', after: 3 });

  const { code, json, err } = await world.svc([
    ...['migrate', world.file('list.csv', people(5_500)), '--json', '--plan', 'paid', '--concurrency', '1'],
  ]);

  expect(code).toBe(7);
  expect(json.rows).toMatchObject({ created: 2_000, unsent: 3_500, failed: 0, unknown: 0 });
  expect(JSON.parse(err).error).toMatchObject({ code: 'plan_limit_reached', exit_code: 7 });
  expect(err).toContain('Only 12 more.');
  const batches = world.requests().filter((request) => request.path.endsWith('/batch'));
  expect(batches.map((batch) => JSON.parse(batch.body).contacts.length)).toEqual([4, 1_000, 1_000, 1_000]);
});

test('stops at a key collision only when a person has two values (F3)', async () => {
  const world = await createWorld();
  const differ = csv(
    'email,status,Company / Org,company_org',
    3,
    (i) => `p${i}@example.com,subscribed,Acme,${i === 2 ? 'Beta' : 'Acme'}`,
  );
  const same = csv(
    'email,status,Company / Org,company_org',
    3,
    (i) => `p${i}@example.com,subscribed,Acme,${i === 2 ? '' : 'Acme'}`,
  );

  const stopped = await world.svc(['migrate', world.file('differ.csv', differ), '--json']);
  expect(stopped.code).toBe(5);
  expect(stopped.err).toContain('Company / Org');
  expect(stopped.err).toContain('company_org');
  expect(writes(world.requests())).toEqual([]);

  const passed = await world.svc(['migrate', world.file('same.csv', same), '--json']);
  expect(passed.code).toBe(0);
  expect(passed.json.findings).toContainEqual(expect.objectContaining({ check: 'attribute_collision', level: 'warn' }));
});

test('stops a list without any status until --default-status is given (C4)', async () => {
  const world = await createWorld();
  const list = world.file(
    'list.csv',
    csv('email,first_name', 3, (i) => `p${i}@example.com,Ana`),
  );

  const stopped = await world.svc(['migrate', list, '--json']);
  expect({ code: stopped.code, check: JSON.parse(stopped.err).error.code }).toEqual({ code: 5, check: 'no_status' });

  expect((await world.svc(['migrate', list, '--json', '--default-status', 'subscribed'])).code).toBe(0);
});

test.each(['active', 'paused'])('stops when an audience_join automation is %s, also on page 2 (M3)', async (status) => {
  const world = await createWorld();
  const automation = world.emulator.admin.createAutomation({ trigger: 'audience_join', status, name: 'Welcome' });
  for (let index = 0; index < 120; index += 1) {
    world.clock.set(world.clock.now() + 1);
    world.emulator.admin.createAutomation({ trigger: 'api' });
  }
  const list = world.file('list.csv', people(3));

  const stopped = await world.svc(['migrate', list, '--json']);
  expect({ code: stopped.code, check: JSON.parse(stopped.err).error.code }).toEqual({
    code: 5,
    check: 'automations',
  });
  expect(writes(world.requests())).toEqual([]);

  expect((await world.svc(['migrate', list, '--json', '--allow-automation', automation])).code).toBe(0);
});

test('sends nothing before the time of a Retry-After ends (P4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({
    kind: 'rate_limited',
    retry_after: '2',
    match: { route: BATCH },
    after: 3,
    times: 1,
  });

  const { code, json } = await world.svc([
    'migrate',
    world.file('list.csv', people(12_000)),
    '--json',
    '--plan',
    'paid',
  ]);

  expect({ code, limited: json.requests.rate_limited }).toEqual({ code: 0, limited: 1 });
  const requests = world.requests();
  const at = requests.findIndex((request) => request.status === 429);
  const earliest = Math.min(...requests.slice(at + 1).map((request) => request.at));
  expect(earliest).toBeGreaterThanOrEqual(requests[at]!.at + 2_000);
});

test('repeats a request with the same key when its response was lost (O3, I5)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' }, times: 2 });

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(10)), '--json']);

  expect({ code, created: json.rows.created, replayed: json.rows_replayed }).toEqual({
    code: 0,
    created: 10,
    replayed: 4,
  });
  // The response to the canary is lost twice.
  const keys = writes(world.requests()).map((request) => request.headers['idempotency-key']);
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 3]);
});

test.each(['row', 'whole'] as const)(
  'writes all people but one with a bad address, batch_invalid_row=%s (P3)',
  async (value) => {
    const world = await createWorld({ variants: { batch_invalid_row: value } });
    const list = world.file('list.csv', people(1_000).replace('person321@example.com', 'person321@exa_mple..com'));

    const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

    expect({ code, rows: json.rows }).toMatchObject({ code: 3, rows: { created: 999, failed: 1, unsent: 0 } });
    expect(readFileSync(json.files.rejects[0], 'utf8')).toMatch(/^[^\n]*\n[^\n]*person321@exa_mple\.\.com[^\n]*\n$/);
    expect(world.emulator.admin.contacts()).toHaveLength(999);
    // The last refusal of the service is about this row alone.
    const refused = world.requests().filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => JSON.parse(body).contacts.length).at(-1)).toBe(value === 'whole' ? 1 : undefined);
  },
);

test('skips the account checks in a dry run without URL and key', async () => {
  const world = await createWorld();
  const env = { SVC_BASE_URL: '', SVC_API_KEY: '' };

  const { code, json } = await world.svc(['migrate', world.file('list.csv', mixedList()), '--dry-run', '--json'], {
    env,
  });

  expect({ code, status: json.status, unsent: json.rows.unsent }).toEqual({ code: 0, status: 'planned', unsent: 800 });
  expect(json.findings.filter((finding: { level: string }) => finding.level === 'skipped').length).toBeGreaterThan(0);
  expect(world.requests()).toEqual([]);
});

test('sends nothing when the user answers no to the plan at a terminal', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));

  const no = await world.svc(['migrate', list], { answers: ['n'] });
  expect(no.code).toBe(5);
  expect(no.err).toContain('Import 3 contacts? About 2 s.');
  expect(writes(world.requests())).toEqual([]);

  expect((await world.svc(['migrate', list], { answers: ['y'] })).code).toBe(0);
});

test('asks at a terminal for a status when the list has none (C4)', async () => {
  const world = await createWorld();
  const list = world.file(
    'list.csv',
    csv('email,first_name', 3, (i) => `p${i}@example.com,Ana`),
  );

  expect((await world.svc(['migrate', list], { answers: [''] })).code).toBe(5);
  expect((await world.svc(['migrate', list], { answers: ['unsubscribed', 'no', 'y'] })).code).toBe(0);
  expect(world.emulator.admin.contact('p1@example.com')?.status).toBe('unsubscribed');
});

test('reads a corrected rejects file with the options of its run', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'Mail,Left on,Was\nbroken,03/04/2024,gone\nb@example.com,05/04/2024,gone\n');
  const answers = [
    '--map',
    'Mail=email',
    '--map',
    'Left on=unsubscribed_at',
    '--map',
    'Was=status',
    '--status-map',
    'gone=unsubscribed',
    '--date-order',
    'dmy',
  ];
  const first = await world.svc(['migrate', list, '--json', ...answers]);
  expect(first.code).toBe(3);

  const [rejects] = first.json.files.rejects;
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('broken,03', 'a@example.com,03'));
  const second = await world.svc(['migrate', rejects, '--json']);

  expect({ code: second.code, created: second.json.rows.created }).toEqual({ code: 0, created: 1 });
  expect(world.emulator.admin.contact('a@example.com')).toMatchObject({
    status: 'unsubscribed',
    unsubscribed_at: Date.UTC(2024, 3, 3),
  });
});

test('suppressions import sends no request for contacts (K4)', async () => {
  const world = await createWorld();
  const list = world.file(
    'bounces.csv',
    csv('email', 1_200, (i) => `p${i}@example.com`),
  );

  const { code, json } = await world.svc(['suppressions', 'import', list, '--reason', 'bounced', '--json']);

  expect({ code, suppressed: json.rows.suppressed, contacts: json.plan.contacts }).toEqual({
    code: 0,
    suppressed: 1_200,
    contacts: 0,
  });
  const paths = world.requests().map((request) => request.path);
  expect(paths.sort()).toEqual([
    '/v1/audiences?limit=1',
    '/v1/suppressions',
    '/v1/suppressions',
    '/v1/suppressions?limit=1',
  ]);
});

test('contacts import writes no suppression', async () => {
  const world = await createWorld();

  const { code, json } = await world.svc([
    'contacts',
    'import',
    world.file('list.csv', mixedList()),
    '--json',
    '--plan',
    'paid',
  ]);

  expect(code).toBe(3);
  expect(json.skipped).toMatchObject({ bounced: 200, complained: 200, pending: 200 });
  expect(json.rows).toMatchObject({ created: 400, suppressed: 0, skipped: 600 });
  expect(world.emulator.admin.suppressions()).toEqual([]);
});

test('creates an audience only once with --create-audience', async () => {
  const world = await createWorld();
  const line = [
    'migrate',
    world.file('list.csv', people(3)),
    '--json',
    '--audience-name',
    'Readers',
    '--create-audience',
  ];

  const first = await world.svc(line);
  const second = await world.svc(line);

  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.json.audience).toEqual(second.json.audience);
  expect(world.emulator.admin.contacts(first.json.audience.id)).toHaveLength(3);
  const created = world.requests().filter((request) => request.method === 'POST' && request.path === '/v1/audiences');
  expect(created).toHaveLength(1);
});

test('exits with 6 when another run has the same destination (I11)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  world.emulator.admin.addFault({ kind: 'slow', ms: 60_000, when: 'before', match: { route: 'POST *' }, times: 1 });

  const [first, second] = await Promise.all([
    world.svc(['migrate', list, '--json']),
    world.svc(['migrate', list, '--json']),
  ]);

  expect([first.code, second.code].sort()).toEqual([0, 6]);
  const busy = [first, second].find(({ code }) => code === 6);
  expect([busy?.out, JSON.parse(busy?.err ?? '').error.code]).toEqual(['', 'busy']);
  const batches = world.requests().filter(({ path }) => path.endsWith('/batch'));
  expect([batches.length, world.emulator.admin.contacts().length]).toEqual([1, 3]);
});

test('rejects the same rows again when a rejects file was not corrected', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,first_name,status\nnobody,Ana,subscribed\nnowhere,Bo,subscribed\n');
  const first = await world.svc(['migrate', list, '--json']);

  const second = await world.svc(['migrate', first.json.files.rejects[0], '--json']);

  expect({ code: second.code, rows: second.json.rows }).toEqual({ code: first.code, rows: first.json.rows });
});

test('sends an unusual address, and the service refuses only that row (F8)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\nana@,subscribed\nana@example.com,subscribed\n');

  const { code, json } = await world.svc(['migrate', list, '--json']);

  expect({ code, created: json.rows.created, failed: json.rows.failed }).toEqual({ code: 3, created: 1, failed: 1 });
});

test('ends with a usage error when an input is a folder', async () => {
  const world = await createWorld();
  expect((await world.svc(['migrate', world.folder])).code).toBe(2);
});

test('applies an opt-out when a NUL character is beside the address (C9)', async () => {
  for (const cell of ['a@example.com\0', '\0a@example.com']) {
    const world = await createWorld();
    const list = world.file('list.csv', `email,status\n${cell},unsubscribed\na@example.com,subscribed\n`);

    await world.svc(['migrate', list, '--json']);

    expect(world.emulator.admin.contact('a@example.com')?.status).toBe('unsubscribed');
  }
});
