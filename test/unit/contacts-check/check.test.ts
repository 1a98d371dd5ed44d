import { describe, expect, test } from 'vitest';
import type { SeedContact } from '../../../src/emulator/admin/contacts.ts';
import { createKeyboard, DOWN, ENTER } from '../../support/keyboard.ts';
import { type CommandResult, createWorld, type World } from '../../support/world.ts';

const LIST =
  'email,first_name,last_name,status,unsubscribed_at,City\n' +
  'ana@example.com,Ana,Ash,subscribed,,Bonn\n' +
  'bea@example.com,Bea,Birch,subscribed,,\n' +
  'cem@example.com,Cem,,unsubscribed,2024-05-01T10:00:00Z,Köln\n' +
  'dan@example.com,Dan,Dahl,bounced,,\n' +
  'eve@example.com,Eve,Elm,pending,,\n';

/** An emulator with an audience that svc imported from the list. */
async function importedWorld(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = await createWorld(options);
  world.file('list.csv', LIST);
  expect(await world.svc('migrate list.csv --json')).toMatchObject({ code: 0 });
  world.requests();
  return world;
}

function check(world: World, flags = ''): Promise<CommandResult> {
  return world.svc(`contacts check list.csv --json ${flags}`);
}

/** The people with findings, as `address: outcome field list → audience`. */
function found({ json }: CommandResult): string[] {
  const outcomes = ['different', 'missing', 'extra', 'opted_out'] as const;
  return outcomes.flatMap((outcome) =>
    json.examples[outcome].map(({ email, fields = [] }: Example) => {
      const where = fields.map(({ field, list, there }) => ` ${field} ${list} → ${there}`).join(',');
      return `${email.split('@')[0]}: ${outcome}${where}`;
    }),
  );
}

interface Example {
  readonly email: string;
  readonly fields?: readonly { readonly field: string; readonly list: string; readonly there: string }[];
}

/** Changes a contact in the audience, as a user could in the web app. */
function edit(world: World, email: string, change: Partial<SeedContact>): void {
  const { admin } = world.emulator;
  const row = admin.contact(email)!;
  admin.deleteContact(email);
  const { first_name, last_name, unsubscribed_at, status } = row;
  const before = { email, status, attributes: JSON.parse(row.attributes) };
  admin.addContacts([
    {
      ...before,
      ...(first_name !== null && { first_name }),
      ...(last_name !== null && { last_name }),
      ...(unsubscribed_at !== null && { unsubscribed_at }),
      ...change,
    },
  ]);
}

describe('contacts check', () => {
  test('contacts check finds the audience only by its exact name (L3)', async () => {
    const world = await importedWorld();
    expect(await check(world, '--audience Newsletter')).toMatchObject({ code: 0 });
    expect(await check(world, '--audience Newsletters')).toMatchObject({ code: 2 });
  });

  test('contacts check finds no difference after an import, with only GET (V1)', async () => {
    const world = await importedWorld();
    const checked = await check(world);
    expect({ code: checked.code, counts: checked.json.counts, notes: checked.json.notes }).toEqual({
      code: 0,
      counts: { same: 3, different: 0, missing: 0, extra: 0, opted_out: 0 },
      notes: [],
    });
    expect(checked.json.rows).toEqual({ read: 5, merged: 0, skipped: 1, rejected: 0, suppressed: 1 });
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('contacts check does not say that all is the same when a person opted out', async () => {
    const world = await importedWorld();
    world.emulator.admin.setStatus('ana@example.com', 'unsubscribed');
    const { code, out } = await world.svc('contacts check list.csv');
    const line = 'The audience differs from the list only in opt-outs: 3 people compared, 1 opted out there.';
    expect([code, out.split('\n')[0]]).toEqual([0, line]);
  });

  const date = Date.parse('2025-01-01T00:00:00Z');
  const cases: readonly (readonly [what: string, change: (world: World) => void, ...says: string[]])[] = [
    [
      'another first name',
      (w) => edit(w, 'ana@example.com', { first_name: 'Anna' }),
      'ana: different first_name Ana → Anna',
    ],
    ['no last name', (w) => edit(w, 'ana@example.com', { last_name: '' }), 'ana: different last_name Ash → '],
    [
      'another attribute',
      (w) => edit(w, 'ana@example.com', { attributes: { city: 'Rom' } }),
      'ana: different attributes.city Bonn → Rom',
    ],
    ['no attribute', (w) => edit(w, 'ana@example.com', { attributes: {} }), 'ana: different attributes.city Bonn → '],
    [
      'two fields',
      (w) => edit(w, 'ana@example.com', { first_name: 'A', last_name: 'B' }),
      'ana: different first_name Ana → A, last_name Ash → B',
    ],
    [
      'an opt-out in the app',
      (w) => w.emulator.admin.setStatus('ana@example.com', 'unsubscribed'),
      'ana: opted_out status subscribed → unsubscribed',
    ],
    [
      'a bounce',
      (w) => w.emulator.admin.setStatus('ana@example.com', 'bounced'),
      'ana: opted_out status subscribed → bounced',
    ],
    [
      'a person who did not confirm',
      (w) => w.emulator.admin.setStatus('ana@example.com', 'pending'),
      'ana: different status subscribed → pending',
    ],
    [
      'an opt-out with another name',
      (w) => edit(w, 'ana@example.com', { status: 'unsubscribed', first_name: 'Anna' }),
      'ana: different first_name Ana → Anna',
    ],
    [
      'an unsubscribed person who is subscribed again',
      (w) => w.emulator.admin.setStatus('cem@example.com', 'subscribed'),
      'cem: different status unsubscribed → subscribed, unsubscribed_at 2024-05-01T10:00:00.000Z → ',
    ],
    ['a person who left and bounced', (w) => w.emulator.admin.setStatus('cem@example.com', 'bounced')],
    [
      'another opt-out date',
      (w) => edit(w, 'cem@example.com', { unsubscribed_at: date }),
      'cem: different unsubscribed_at 2024-05-01T10:00:00.000Z → 2025-01-01T00:00:00.000Z',
    ],
    ['a deleted person', (w) => w.emulator.admin.deleteContact('ana@example.com'), 'ana: missing'],
    ['a new person', (w) => w.emulator.admin.addContacts([{ email: 'zoe@example.com' }]), 'zoe: extra'],
    ['a field that the list leaves empty', (w) => edit(w, 'bea@example.com', { attributes: { city: 'Ulm' } })],
    ['an attribute that the list does not have', (w) => edit(w, 'bea@example.com', { attributes: { note: 'x' } })],
    [
      'a deleted person whose address is suppressed',
      (w) => {
        w.emulator.admin.deleteContact('ana@example.com');
        w.emulator.admin.suppress(['ana@example.com'], 'bounced');
      },
      'ana: opted_out suppression subscribed → bounced',
    ],
    [
      'a changed person whose address is suppressed',
      (w) => {
        edit(w, 'ana@example.com', { first_name: 'Anna' });
        w.emulator.admin.suppress(['ana@example.com'], 'complained');
      },
      'ana: opted_out suppression subscribed → complained',
    ],
    [
      'an opt-out of the list that is deleted and suppressed',
      (w) => {
        w.emulator.admin.deleteContact('cem@example.com');
        w.emulator.admin.suppress(['cem@example.com']);
      },
    ],
    ['a suppressed person who is also a contact', (w) => w.emulator.admin.addContacts([{ email: 'dan@example.com' }])],
    [
      'a contact that bounced in the list and is not suppressed',
      (w) => {
        w.emulator.admin.unsuppress('dan@example.com');
        w.emulator.admin.addContacts([{ email: 'dan@example.com' }]);
      },
      'dan: different suppression bounced → subscribed',
    ],
    ['a suppressed person who is neither there nor suppressed', (w) => w.emulator.admin.unsuppress('dan@example.com')],
    ['a skipped person who is there', (w) => w.emulator.admin.addContacts([{ email: 'eve@example.com' }])],
  ];

  test.each(cases.map(([what, change, ...says]) => [what, { change, says }] as const))(
    'reports how the audience differs from the list: %s (V1)',
    async (_, { change, says }) => {
      const world = await importedWorld();
      change(world);
      const checked = await check(world);
      expect(found(checked)).toEqual(says);
      const fault = says.some((line) => !line.includes('opted_out'));
      expect([checked.code, checked.json.status]).toEqual(fault ? [3, 'different'] : [0, 'same']);
    },
  );

  test('treats a missing field as empty when other contacts have the field (V1)', async () => {
    const world = await importedWorld({ variants: { contact_record: 'sparse' } });
    expect(found(await check(world))).toEqual([]);
    edit(world, 'ana@example.com', { first_name: '', attributes: {} });
    world.emulator.admin.deleteContact('bea@example.com');
    world.emulator.admin.addContacts([{ email: 'bea@example.com', last_name: 'Birch' }]);
    expect(found(await check(world))).toEqual([
      'ana: different first_name Ana → , attributes.city Bonn → ',
      'bea: different first_name Bea → ',
    ]);
  });

  test.each(['unicode', 'ascii', 'folded'])(
    'contacts check finds imported people when address_case=%s (F8)',
    async (address_case) => {
      const world = await createWorld({ variants: { address_case } });
      world.file(
        'list.csv',
        'email,first_name,status\nİpek@example.com,İpek,subscribed\nstraße@example.com,S,subscribed\n\u00a0Ana@EXAMPLE.com\ufeff,Ana,subscribed\n',
      );
      await world.svc('migrate list.csv --json');
      expect(found(await check(world))).toEqual([]);
    },
  );

  test('contacts check notes a field as not compared when no contact has it (V1)', async () => {
    const world = await importedWorld({ variants: { contact_record: 'sparse' } });
    for (const email of ['ana@example.com', 'cem@example.com']) {
      edit(world, email, { attributes: {} });
    }
    const checked = await check(world);
    expect(checked.json.notes).toEqual(['not compared, because no contact of the audience shows it: attributes']);
  });

  test.each([
    {
      what: 'shows no addresses',
      record: 'id_only',
      refused: false,
      because: 'the service lists suppressions without their addresses',
    },
    {
      what: 'cannot be read',
      record: 'full',
      refused: true,
      because: 'the suppression list cannot be read: A scripted fault. (forbidden)',
    },
  ])(
    'a check notes possible suppressions when the suppression list $what (V1)',
    async ({ record, refused, because }) => {
      const world = await importedWorld({ variants: { suppression_record: record } });
      if (refused) {
        world.refuse('GET /v1/suppressions', { status: 403, code: 'forbidden' });
      }
      world.emulator.admin.deleteContact('ana@example.com');
      world.emulator.admin.suppress(['ana@example.com']);
      const checked = await check(world);
      expect([checked.code, found(checked)]).toEqual([3, ['ana: missing']]);
      const reads = world.requests().filter(({ path }) => path.startsWith('/v1/suppressions'));
      expect(reads.some(({ status }) => status === 200)).toBe(!refused);
      expect(checked.json.notes).toEqual([`suppressed people may be among the missing and the different: ${because}`]);
    },
  );
});

describe('the list of contacts check', () => {
  test.each([
    ['no_status', 'email\nana@example.com\n'],
    ['unknown_status', 'email,status\nana@example.com,subscribed\nbea@example.com,maybe\n'],
  ])('contacts check stops at %s before it reads the audience (V1)', async (code, list) => {
    const world = await createWorld();
    world.file('list.csv', list);
    const stopped = await check(world);
    expect(stopped.code).toBe(5);
    expect(JSON.parse(stopped.err.split('\n').find((line) => line.startsWith('{'))!).error).toMatchObject({
      code,
      message: expect.stringContaining('nothing was compared'),
      hint: expect.stringContaining('svc contacts check list.csv'),
    });
    expect(world.requests().filter(({ path }) => path.includes('/contacts'))).toEqual([]);
    expect((await world.svc('runs ls --json')).out).toBe('[]\n');
  });

  test('contacts check asks at a terminal for a missing status (V1)', async () => {
    const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
    world.file('list.csv', 'email\nana@example.com\n');
    const keyboard = createKeyboard([DOWN, ENTER, DOWN, ENTER]);
    const { code, out } = await world.svc('contacts check list.csv', { answers: [], keyboard });
    expect([code, out]).toEqual([0, expect.stringContaining('1  same')]);
    const [first] = await keyboard.screens();
    expect(first).toContain('1 row of list.csv has no status (1 person in the whole list). What are these people?');
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('contacts check accepts --map and --default-status, or --mapping (V1)', async () => {
    const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com', first_name: 'Ana' }] } });
    world.file('list.csv', 'email;Vorname;ok\nana@example.com;Ana;1\n');
    const flags = '--map Vorname=first_name --map ok=ignore --default-status subscribed';
    expect(found(await check(world, `${flags} --save-mapping m.json`))).toEqual([]);
    expect((await check(world, '--mapping m.json')).json.counts.same).toBe(1);
  });

  test('contacts check merges duplicates and compares no rejected row (V1)', async () => {
    const world = await createWorld({
      seed: { contacts: [{ email: 'ana@example.com', last_name: 'Ash' }, { email: 'bad@example.com' }] },
    });
    world.file(
      'list.csv',
      'email,last_name,status\nana@example.com,Old,subscribed\nana@example.com,Ash,subscribed\nbad@example.com,a,subscribed,extra\n',
    );
    const checked = await check(world);
    expect([checked.code, found(checked)]).toEqual([0, []]);
    expect(checked.json).toMatchObject({ counts: { same: 1 }, rows: { read: 3, merged: 1, rejected: 1 } });
  });

  test('contacts check stops at more rejected rows than --max-failures (V1)', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana,subscribed\n');
    const stopped = await check(world, '--max-failures 0');
    expect(stopped.code).toBe(5);
    // A stopped run writes no file of rejected rows, and a check never does.
    expect(stopped.err).not.toContain('rejects file');
    expect((await check(world)).json.rows.rejected).toBe(1);
  });
});

test('contacts check names subscribed people when the list skips them (G11)', async () => {
  const world = await importedWorld();
  world.file('list.csv', LIST.replace('Bea,Birch,subscribed', 'Bea,Birch,refused'));
  const checked = await check(world, '--status-map refused=skip');
  expect([checked.code, checked.json.notes]).toEqual([
    0,
    [
      '1 person whom the list skips may still get mail, because the audience has them as subscribed: bea@example.com. If a skipped word means that they left, answer it with =unsubscribed instead of =skip',
    ],
  ]);
  edit(world, 'bea@example.com', { status: 'unsubscribed' });
  expect((await check(world, '--status-map refused=skip')).json.notes).toEqual([]);
});
