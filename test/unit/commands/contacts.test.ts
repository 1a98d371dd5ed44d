import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { createWorld, type World } from '../../support/world.ts';

function contactSeeds(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    email: `person${index}@example.com`,
    first_name: `N${index}`,
  }));
}

function read(world: World, name: string): string {
  return readFileSync(join(world.folder, name), 'utf8');
}

describe('contacts ls and get', () => {
  test('contacts ls lists all contacts, the first n, or those of one status', async () => {
    const world = await createWorld({
      seed: { contacts: [...contactSeeds(120), { email: 'left@example.com', status: 'unsubscribed' }] },
    });
    const counts: number[] = [];
    for (const flags of ['', '--limit 3', '--limit 110', '--status unsubscribed', '--status subscribed --limit 5']) {
      counts.push((await world.svc(`contacts ls ${flags} --json`)).json.length);
    }
    expect(counts).toEqual([121, 3, 110, 1, 5]);
  });

  test('contacts ls prints a long list as one JSON document and leaves no file', async () => {
    const contacts = contactSeeds(220).map((contact) => ({ ...contact, attributes: { note: 'ü'.repeat(8_000) } }));
    const world = await createWorld({ seed: { contacts } });
    const { out, json } = await world.svc('contacts ls --json');
    expect(out).toBe(`${JSON.stringify(json, null, 2)}\n`);
    expect(json).toHaveLength(220);
    const fault = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
    world.emulator.admin.addFault({ ...fault, after: 2, match: { route: 'GET /v1/audiences/*/contacts' } });
    const cut = await world.svc('contacts ls --json');
    expect([cut.code, cut.out]).toEqual([4, '']);
    expect(readdirSync(join(world.folder, 'state', 'svc')).filter((name) => name.startsWith('list'))).toEqual([]);
    expect((await world.svc('contacts ls --json --status bounced')).out).toBe('');
  });

  test('contacts ls prints a long list block by block', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(1_100) } });
    const piped = await world.svc('contacts ls --all');
    const shown = await world.svc('contacts ls --all', { columns: 100 });
    expect(piped.out.trim().split('\n')).toHaveLength(1_100);
    expect(shown.out.match(/EMAIL/g)).toHaveLength(2);
  });

  test('contacts ls escapes control characters in names (K5)', async () => {
    const world = await createWorld({
      seed: { contacts: [{ email: 'a@example.com', first_name: '\u001b[2J\tAna\n' }] },
    });
    const outputs = [
      await world.svc('contacts ls'),
      await world.svc('contacts ls', { columns: 100 }),
      await world.svc('contacts ls --json'),
    ];
    expect(outputs.map(({ out }) => out.includes('\u001b[2J'))).toEqual([false, false, false]);
    expect(outputs[0]?.out.split('\t')).toHaveLength(5);
    expect(outputs[2]?.json[0].first_name).toBe('\u001b[2J\tAna\n');
  });

  test('contacts get shows one contact by address or id with all fields', async () => {
    const world = await createWorld({
      seed: { contacts: [{ email: 'ana+x@example.com', attributes: { plan: '00123' } }] },
    });
    const byAddress = await world.svc('contacts get ana+x@example.com --json');
    const byId = await world.svc(`contacts get ${byAddress.json.id} --json --topics`);
    expect(byAddress.json).toMatchObject({ email: 'ana+x@example.com', attributes: { plan: '00123' } });
    expect(byId.json.id).toBe(byAddress.json.id);
  });

  test.each(['..', 'sub_../..', 'aud_123', 'sub_a/b', 'x@y/../../z@', ''])(
    'contacts get refuses %j as an id (K2)',
    async (id) => {
      const world = await createWorld();
      const { code } = await world.svc(['contacts', 'get', id]);
      expect(code).toBe(2);
      expect(world.requests().filter(({ path }) => path.includes('contacts'))).toEqual([]);
    },
  );

  test('contacts get exits with 2 for an unknown contact or a wrong audience', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('contacts get bea@example.com');
    expect([code, err]).toEqual([2, expect.stringMatching(/^svc: Newsletter \(aud_\w+\) has no contact bea@example/)]);
    expect(err).toContain('request id: req_');
    expect((await world.svc('contacts ls --audience aud_nothere')).code).toBe(2);
    expect((await world.svc('contacts ls --audience-name Nothing')).code).toBe(2);
  });

  test('asks which audience is meant, or lists the audiences without a terminal', async () => {
    const world = await createWorld({ seed: { audiences: [{ name: 'Shop', contacts: contactSeeds(2) }] } });
    const piped = await world.svc('contacts ls --json');
    expect([piped.code, piped.err.includes('svc contacts ls --json --audience Shop')]).toEqual([2, true]);
    expect((await world.svc('contacts ls --json --audience-name Shop')).json).toHaveLength(2);
    const chosen = ['1', '2'].map((answer) => world.svc('contacts ls --json', { answers: [answer] }));
    expect((await Promise.all(chosen)).map(({ json }) => json.length).sort()).toEqual([0, 2]);
  });

  test.each([
    ['contacts ls --json', 2],
    ['contacts get person0@example.com --json --audience-name Missing', 1],
    ['contacts get --json -- person0@example.com', 1],
    ['contacts export --format ndjson', 2],
  ])('prints a command for each audience when %s names no existing audience', async (line, found) => {
    const name = 'Shop   # of Ana, or Bo';
    const world = await createWorld({ seed: { audiences: [{ name, contacts: contactSeeds(2) }] } });
    const { code, err } = await world.svc(line);
    const hint = /"hint":"(.*?)","exit/.exec(err)?.[1]?.replaceAll('\\n', '\n') ?? err;
    const lines = hint.replaceAll('\\"', '"').split('\n');
    const command = lines[lines.findIndex((text) => text.includes(`For "${name}":`)) + 1] ?? '';
    const pasted = await world.svc(command.trim().split(' ').slice(1));
    expect([code, pasted.code, pasted.out.split('person').length - 1], err).toEqual([2, 0, found]);
  });
});

describe('contacts export', () => {
  test('contacts export writes all fields to CSV and leaves formulas unchanged', async () => {
    const attributes = { company_org: 'Acme, "Inc"', status: 'gold', sum: '=1+1' };
    const world = await createWorld({
      seed: {
        contacts: [{ email: 'b@example.com' }, { email: 'a@example.com', first_name: 'Ana\nMaria', attributes }],
      },
    });
    const { code, out } = await world.svc('contacts export --output list.csv');
    expect([code, out]).toEqual([0, '']);
    const rows: Record<string, string>[] = parse(read(world, 'list.csv'), { columns: true });
    expect(
      rows.map((row) => [row.email, row.first_name, row.status, row['attributes.status'], row.company_org, row.sum]),
    ).toEqual([
      ['a@example.com', 'Ana\nMaria', 'subscribed', 'gold', 'Acme, "Inc"', '=1+1'],
      ['b@example.com', '', 'subscribed', '', '', ''],
    ]);
    expect(statSync(join(world.folder, 'list.csv')).mode & 0o777).toBe(0o600);
    expect(readdirSync(world.folder).filter((name) => name.startsWith('list.csv'))).toEqual(['list.csv']);
  });

  test('an import recognizes an export of svc and plans no new field', async () => {
    const world = await createWorld();
    const list = world.file(
      'first.csv',
      'email,status,city\na@example.com,subscribed,Rome\nb@example.com,unsubscribed,\n',
    );
    await world.svc(['contacts', 'import', list, '--yes']);
    await world.svc('contacts export --output back.csv');
    const { code, json } = await world.svc('contacts import back.csv --dry-run --json');
    expect([code, json.inputs[0].platform, json.plan.new_fields]).toEqual([0, 'svc', []]);
  });

  test('contacts export --spreadsheet writes formulas as text', async () => {
    const world = await createWorld({ seed: { contacts: [{ email: 'a@example.com', first_name: '=cmd|\u001b[2J' }] } });
    const { out } = await world.svc('contacts export --spreadsheet');
    expect(out).toContain("'=cmd|\\u001b[2J");
    expect(readdirSync(join(world.folder, 'state', 'svc')).filter((name) => name.startsWith('export'))).toEqual([]);
  });

  test('contacts export --spreadsheet writes full-width formulas as text (K5)', async () => {
    const names = ['＝1+1', '＋1', '－1', '＠SUM(1)', '=1', '+1', '-1', '@SUM(1)', 'a=1', '１'];
    const contacts = names.map((first_name, index) => ({ email: `p${index}@example.com`, first_name }));
    const world = await createWorld({ seed: { contacts } });
    await world.svc('contacts export --spreadsheet --output list.csv');
    const rows: Record<string, string>[] = parse(read(world, 'list.csv'), { columns: true });
    const guarded = names.map((name) => (/^[a１]/.test(name) ? name : `'${name}`));
    expect(rows.map(({ first_name }) => first_name).sort()).toEqual(guarded.sort());
  });

  test('contacts export writes the objects of the service as NDJSON', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(230) } });
    const { out } = await world.svc('contacts export --format ndjson');
    const listed = (await world.svc('contacts ls --json')).json;
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(listed);
  });

  test.each(['list.csv', 'list.ndjson'])('resumes an export to %s without a lost or repeated contact', async (name) => {
    const world = await createWorld({ seed: { contacts: contactSeeds(450) } });
    const route = 'GET /v1/audiences/*/contacts';
    world.refuse(route, { status: 403, code: 'forbidden', after: 2 });
    const first = await world.svc(`contacts export --output ${name}`);
    expect([first.code, existsSync(join(world.folder, name))]).toEqual([4, false]);
    expect(first.err).toContain('To resume:\n  svc contacts export --output');
    // A resume removes what the first process wrote after the last cursor.
    writeFileSync(join(world.folder, `${name}.part`), `${read(world, `${name}.part`)}{"half":`);
    world.emulator.admin.clearFaults();
    world.requests();
    const second = await world.svc(`contacts export --output ${name} --json`);
    expect(second.json).toMatchObject({ object: 'export', contacts: 450, resumed: 200 });
    expect(world.requests().filter(({ path }) => path.includes('/contacts')).length).toBe(3);
    const found = new Set(read(world, name).match(/person\d+@example\.com/g));
    expect(found.size).toBe(450);
    expect(readdirSync(world.folder).filter((each) => each.startsWith(name))).toEqual([name]);
  });

  /** An export of 250 contacts that stops after 200. Then one contact is deleted, and one is added. */
  async function interruptedExport(line: string) {
    const world = await createWorld({ seed: { contacts: contactSeeds(250) } });
    world.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden', after: 2 });
    expect((await world.svc(line)).code).toBe(4);
    world.emulator.admin.clearFaults();
    world.emulator.admin.setStatus('person249@example.com', 'unsubscribed');
    world.emulator.admin.addContacts([{ email: 'new@example.com' }]);
    return world;
  }

  test.each([
    ['csv', 59, 200],
    ['csv', 61, 0],
    ['ndjson', 61, 0],
    ['csv', 5 * 24 * 60, 0],
    ['csv', -90, 0],
  ])('resumes an export only within an hour: %s, %i min, %i contacts (V2)', async (format, minutes, resumed) => {
    const line = `contacts export --output list.${format} --json`;
    const world = await interruptedExport(line);
    world.clock.set(world.clock.now() + minutes * 60_000);
    const { code, json, err } = await world.svc(line);
    expect([code, json.resumed, err.includes('note: Starting over')]).toEqual([0, resumed, resumed === 0]);
    const text = read(world, `list.${format}`);
    const left = text.split('\n').find((each) => each.includes('person249@'));
    expect([text.includes('new@example.com'), left?.includes('unsubscribed')]).toEqual(
      resumed === 0 ? [true, true] : [false, false],
    );
  });

  test.each([
    ['--output list.csv', 0, 200],
    ['--format ndjson --cursor-file c', 0, 200],
    ['--output list.csv', 61, 0],
  ])('when an export %s resumes after %i min, its progress starts at %i', async (flags, minutes, done) => {
    const line = `contacts export ${flags}`;
    const world = await interruptedExport(line);
    world.clock.set(world.clock.now() + minutes * 60_000);
    const begun: unknown[] = [];
    const { code } = await world.svc(line, {
      onEvent: (event) => event.type === 'phase' && event.phase === 'export' && begun.push([event.done, event.total]),
    });
    expect([code, begun]).toEqual([0, [[done, 251]]]);
  });

  test('starts an export over when its cursor has no time (V2)', async () => {
    const world = await interruptedExport('contacts export --output list.csv');
    const { at, ...old } = JSON.parse(read(world, 'list.csv.cursor'));
    expect(at).toEqual(expect.any(Number));
    world.file('list.csv.cursor', `${JSON.stringify(old)}\n`);
    expect((await world.svc('contacts export --output list.csv --json')).json).toMatchObject({
      contacts: 251,
      resumed: 0,
    });
  });

  test('starts an export over when the service no longer knows its cursor (V2)', async () => {
    const world = await interruptedExport('contacts export --output list.csv');
    world.refuse('GET /v1/audiences/*/contacts', { status: 400, code: 'invalid_request', times: 1 });
    const { code, json, err } = await world.svc('contacts export --output list.csv --json');
    expect([code, json.contacts, json.resumed, err]).toEqual([
      0,
      251,
      0,
      expect.stringContaining('no longer knows how far the export was'),
    ]);
    expect(readdirSync(world.folder).filter((each) => each.startsWith('list.csv'))).toEqual(['list.csv']);
  });

  test('refuses to continue an old export when it goes to stdout (V2)', async () => {
    const line = 'contacts export --format ndjson --cursor-file c';
    const world = await interruptedExport(line);
    await world.clock.advance(3_600_001);
    const { code, out, err } = await world.svc(line);
    const [, command = ''] = err.match(
      /more than an hour ago, so it must start over\n +Delete what was printed before\. Then run .* after:\n +(.*)\n/,
    ) ?? [''];
    expect([code, out, command], err).toEqual([2, '', expect.stringMatching(/^rm \S*c$/)]);
  });

  test('contacts export names the command that resumes it after a signal', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(250) } });
    const stop = new AbortController();
    const stopping = (inner: Transport): Transport => ({
      ...inner,
      send: async (...request) => {
        const response = await inner.send(...request);
        if (request[0].url.search.includes('after')) {
          stop.abort(createInterruption('SIGINT'));
        }
        return response;
      },
    });
    const { code, err } = await world.svc('contacts export --output a.csv', {
      signal: stop.signal,
      transport: stopping,
    });
    expect(code).toBe(130);
    expect(err).toMatch(/^svc: stopped with Ctrl-C\n +To resume:\n +svc contacts export .*a\.csv.*\n$/);
  });

  test('shows progress of an export at a terminal, not in a pipe or with -q', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(230) } });
    const slowly = (inner: Transport): Transport => ({
      ...inner,
      send: async (...request) => {
        await world.clock.advance(200);
        return inner.send(...request);
      },
    });
    const shown = await world.svc('contacts export --output a.csv', { answers: [], transport: slowly });
    const quiet = await world.svc('contacts export --output b.csv --quiet', { answers: [] });
    const piped = await world.svc('contacts export --output c.csv');
    const mixed = await world.svc('contacts export', { answers: [], columns: 80 });
    expect(shown.err).toMatch(/export +\S*━+.* 43% +100 of 230 contacts/);
    expect(shown.err).toMatch(/230 contacts in .*a\.csv\n$/);
    expect([quiet.err, piped.err, mixed.err]).toEqual(['', expect.stringMatching(/^230 contacts in .*\n$/), '']);
  });

  test.each([
    ['the same output', '--output a.csv', '--output a.csv', 6],
    ['the same cursor file', '--output a.csv --cursor-file c', '--output b.csv --cursor-file c', 6],
    ['another cursor file for the same output', '--output a.csv', '--output a.csv --cursor-file c', 6],
    ['another output', '--output a.csv', '--output b.csv', 0],
    ['the same output and another state folder', '--output a.csv', '--output a.csv --state-dir other', 6],
    ['the output that the first one collects', '--output a.csv', '--output a.csv.part --state-dir other', 6],
  ])('two exports at once never write the same file, with %s', async (_, one, other, exit) => {
    const world = await createWorld({ seed: { contacts: contactSeeds(220) } });
    let second: ReturnType<World['svc']> | undefined;
    const first = await world.svc(`contacts export ${one}`, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (request.url.search.includes('after=')) {
            second ??= world.svc(`contacts export ${other}`);
            await second;
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect([first.code, (await second)?.code], (await second)?.err).toEqual([0, exit]);
    expect(read(world, 'a.csv').trim().split('\n')).toHaveLength(221);
    expect(readdirSync(world.folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('contacts export refuses a file in a missing folder before any request', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('contacts export --output missing/list.csv');
    expect([code, err, world.requests()]).toEqual([2, expect.stringContaining('there is no folder'), []]);
  });

  test('contacts export refuses the cursor of another export', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(150) } });
    world.file(
      'c',
      JSON.stringify({ object: 'export_cursor', origin: 'x', audience: 'aud_1', format: 'csv', status: null }),
    );
    expect((await world.svc('contacts export --output list.csv --cursor-file c')).code).toBe(2);
  });

  test('contacts export replaces an existing file only with --force', async () => {
    const world = await createWorld({ seed: { contacts: contactSeeds(1) } });
    world.file('list.csv', 'precious');
    expect((await world.svc('contacts export --output list.csv')).code).toBe(2);
    expect(read(world, 'list.csv')).toBe('precious');
    expect((await world.svc('contacts export --output list.csv --force')).code).toBe(0);
  });
});

describe('suppressions', () => {
  const emails = Array.from({ length: 130 }, (_, index) => `s${index}@example.com`);

  test('suppressions ls lists suppressions, and suppressions count counts them', async () => {
    const world = await createWorld({ seed: { suppressions: { bounced: emails, complained: ['c@example.com'] } } });
    expect((await world.svc('suppressions ls --json')).json).toHaveLength(131);
    expect((await world.svc('suppressions ls --limit 2 --json')).json).toHaveLength(2);
    expect((await world.svc('suppressions count')).out).toBe('131\n');
    expect((await world.svc('suppressions count --json')).json).toMatchObject({ count: 131, exact: true });
  });

  test('suppressions count says "at least" when the list is not complete', async () => {
    const world = await createWorld({
      variants: { suppressions_paging: 'limit_only', suppression_record: 'id_only' },
      seed: { suppressions: { bounced: emails } },
    });
    expect((await world.svc('suppressions count --json')).json).toEqual({
      object: 'suppression_count',
      count: 100,
      exact: false,
      by_reason: {},
    });
    expect((await world.svc('suppressions count', { columns: 80 })).out).toContain('at least 100');
  });
});
