import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

/** A list of three people: one is different, one is missing, one is the same. */
async function world(): Promise<World> {
  const made = await createWorld({
    seed: {
      contacts: [
        { email: 'ana@example.com', first_name: '+1', last_name: '=SUM(A1)' },
        { email: 'cem@example.com', first_name: 'Cem' },
        { email: '=cmd@example.com' },
      ],
    },
  });
  made.file(
    'list.csv',
    'email,first_name,last_name,status\n' +
      'ana@example.com,=Ana,Ash,subscribed\nbea@example.com,,,subscribed\ncem@example.com,Cem,,subscribed\n',
  );
  return made;
}

const LINE = 'contacts check list.csv';

/** The rows of all.csv as `address outcome`, each once. */
function outcomesIn({ folder }: World): string[] {
  const [, ...rows] = parse(readFileSync(join(folder, 'all.csv')));
  return [...new Set(rows.map(([email, outcome]) => `${email} ${outcome}`))];
}

const OUTCOMES = [
  'ana@example.com different',
  'bea@example.com missing',
  'cem@example.com same',
  "'=cmd@example.com extra",
];

describe('contacts check --output', () => {
  test('contacts check --output writes each difference, formulas escaped (K5)', async () => {
    const made = await world();
    const checked = await made.svc(`${LINE} --json --output all.csv`);
    const path = join(made.folder, 'all.csv');
    expect([checked.code, checked.json.files.output, statSync(path).mode & 0o777]).toEqual([3, path, 0o600]);
    expect(parse(readFileSync(path))).toEqual([
      ['email', 'outcome', 'field', 'list', 'there'],
      ['ana@example.com', 'different', 'first_name', "'=Ana", "'+1"],
      ['ana@example.com', 'different', 'last_name', 'Ash', "'=SUM(A1)"],
      ['bea@example.com', 'missing', '', '', ''],
      ['cem@example.com', 'same', '', '', ''],
      ["'=cmd@example.com", 'extra', '', '', ''],
    ]);
    expect(readdirSync(made.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('contacts check --output replaces a file only with --force', async () => {
    const made = await world();
    made.file('all.csv', 'mine');
    const refused = await made.svc(`${LINE} --output all.csv`);
    expect([refused.code, readFileSync(join(made.folder, 'all.csv'), 'utf8')]).toEqual([2, 'mine']);
    expect([(await made.svc(`${LINE} --output all.csv --force`)).code, outcomesIn(made)]).toEqual([3, OUTCOMES]);
    const list = readFileSync(join(made.folder, 'list.csv'), 'utf8');
    const input = await made.svc(`${LINE} --output list.csv --force`);
    expect([input.code, input.err]).toEqual([2, expect.stringContaining('it is an input')]);
    expect(readFileSync(join(made.folder, 'list.csv'), 'utf8')).toBe(list);
    expect((await made.svc(`${LINE} --output nowhere/all.csv`)).code).toBe(2);
  });

  test.each([
    ['another check', 'contacts check other.csv --output all.csv --force', 6],
    ['a check with another state folder', 'contacts check other.csv --output all.csv --state-dir other', 6],
    ['a verification', 'runs verify latest --output all.csv', 6],
    ['an export', 'contacts export --output all.csv', 6],
    ['a check with another output', 'contacts check other.csv --output other-all.csv', 3],
  ])('writes only people of a check to --output when %s begins meanwhile (D2)', async (_, line, exit) => {
    const made = await world();
    made.file('other.csv', 'email,status\ndot@example.com,subscribed\n');
    made.file('old.csv', 'email,status\neve@example.com,subscribed\n');
    expect((await made.svc('contacts import old.csv')).code).toBe(0);
    let second: ReturnType<World['svc']> | undefined;
    const first = await made.svc(`${LINE} --output all.csv`, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (request.url.pathname.endsWith('/contacts')) {
            second ??= made.svc(line);
            await second;
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect([first.code, (await second)?.code], (await second)?.err).toEqual([3, exit]);
    const people = parse(readFileSync(join(made.folder, 'all.csv'))).map(([email]) => email);
    expect([people.includes('bea@example.com'), people.includes('dot@example.com')]).toEqual([true, false]);
  });

  test('refuses an export to the --output file of a check that is resumed', async () => {
    const made = await world();
    made.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden', times: 1 });
    expect((await made.svc(`${LINE} --output all.csv`)).code).toBe(4);
    let second: ReturnType<World['svc']> | undefined;
    const resumed = await made.svc('runs resume', {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          second ??= made.svc('contacts export --output all.csv');
          await second;
          return inner.send(request, signal);
        },
      }),
    });
    expect([resumed.code, (await second)?.code, outcomesIn(made)]).toEqual([3, 6, OUTCOMES]);
  });

  test('a resumed check does not replace a new output file (D2)', async () => {
    const made = await world();
    made.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden', times: 1 });
    expect((await made.svc(`${LINE} --output all.csv`)).code).toBe(4);
    made.file('all.csv', 'mine');
    const refused = await made.svc('runs resume --json');
    const { code, hint } = JSON.parse(refused.err).error;
    expect([refused.code, code, hint]).toEqual([
      2,
      'output_exists',
      expect.stringMatching(/^Move it away\. Then: svc runs resume run_/),
    ]);
    expect(readFileSync(join(made.folder, 'all.csv'), 'utf8')).toBe('mine');
    rmSync(join(made.folder, 'all.csv'));
    expect([(await made.svc('runs resume')).code, outcomesIn(made)]).toEqual([3, OUTCOMES]);
  });

  test.each([
    ['without --force', ''],
    ['with --force', ' --force'],
  ])('a resumed check %s replaces its own unfinished output (D1)', async (_, force) => {
    const made = await world();
    made.file('all.csv', force === '' ? '' : 'old');
    let killed = false;
    const first = await made.svc(`${LINE} --output all.csv${force}`, {
      onEvent: (event) => {
        if (event.type === 'phase' && event.phase === 'done' && !killed) {
          killed = true;
          throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
        }
      },
    });
    expect([first.code, statSync(join(made.folder, 'all.csv')).size > 50]).toEqual([1, true]);
    expect([(await made.svc('runs resume')).code, outcomesIn(made)]).toEqual([3, OUTCOMES]);
  });

  test('writes no output file when contacts check fails (D2)', async () => {
    const made = await world();
    made.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden' });
    expect((await made.svc(`${LINE} --output all.csv`)).code).toBe(4);
    expect(existsSync(join(made.folder, 'all.csv'))).toBe(false);
  });
});

describe('contacts check on the screen', () => {
  test('contacts check shows how many requests it needs, and how long', async () => {
    const contacts = Array.from({ length: 1_234 }, (_, n) => ({ email: `p${n}@example.com` }));
    const made = await createWorld({ seed: { contacts } });
    made.file('list.csv', 'email,status\np1@example.com,subscribed\n');
    const slow = await made.svc(`${LINE} --rate 5`);
    expect(slow.err).toContain('The audience holds 1,234 contacts. Reading takes 13 requests, about 2 min');
    expect((await made.svc(`${LINE} -q`)).err).toBe('');
  });

  test('contacts check shows the differences, control characters escaped (K5)', async () => {
    const made = await world();
    made.emulator.admin.addContacts([{ email: 'dot@example.com', first_name: '\u001b[2J' }]);
    made.file('list.csv', `${readFileSync(join(made.folder, 'list.csv'), 'utf8')}dot@example.com,Dot,,subscribed\n`);
    const { code, out } = await made.svc(LINE);
    expect(code).toBe(3);
    expect(out).toContain('The audience differs from the list in 4 people.');
    expect(out).toContain('2  different: first_name 2, last_name 1');
    expect(out).toContain('first_name: "Dot" in the list, "\\u001b[2J" there');
  });

  test('deletes the data of people when contacts check has finished', async () => {
    const made = await world();
    const { json } = await made.svc(`${LINE} --json`);
    const folder = join(made.folder, 'state', 'svc', 'runs', json.run);
    expect(readdirSync(folder).sort()).toEqual(['lock.db', 'lock.json', 'report.json', 'run.db']);
    expect(readFileSync(join(folder, 'run.db')).includes('bea@example.com')).toBe(false);
  });
});

test('says that topics were not compared when a cell turns one off (V1)', async () => {
  const world = await createWorld();
  const topics = '--map News=topics.top_1 --topic-value News=on --yes';
  const importOf = (cell: string) => {
    world.file('news.csv', `email,status,News\nana@example.com,subscribed,${cell}\n`);
    return world.svc(`contacts import news.csv ${topics}`);
  };
  await importOf('yes');
  await importOf('no');
  for (const line of [`contacts check news.csv ${topics.replace(' --yes', '')}`, 'runs verify']) {
    const { code, out } = await world.svc(line);
    const text = out.replace(/\s+/g, ' ');
    expect([code, text]).toEqual([0, expect.stringContaining('apart from topics: 1 person compared, without topics.')]);
    expect(text).toContain('not compared: topics. The list of contacts does not show them');
    expect(text).toContain('refused topics were not checked: 1 cell refuses a topic for a subscribed person.');
  }
});
