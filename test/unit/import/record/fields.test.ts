import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';
import { csv, readList } from '../support.ts';

const subscribed = { defaultStatus: { '*': 'subscribed' } };

test('sends field values as written, without spaces at their ends (F1)', async () => {
  const cells = ['00123', '12345678901234567890', '1e5', 'true', 'null', ' padded ', '"a ""b"""'];
  const list = await readList({ 'list.csv': csv('Email,A,B,C,D,E,F,G', `a@x.test,${cells.join(',')}`) }, subscribed);
  expect(list.contacts).toEqual([
    {
      email: 'a@x.test',
      attributes: { a: '00123', b: '12345678901234567890', c: '1e5', d: 'true', e: 'null', f: 'padded', g: 'a "b"' },
    },
  ]);
});

test.each([
  ['keep', [{ email: 'a@x.test' }]],
  ['clear', [{ email: 'a@x.test', first_name: '', attributes: { city: '' } }]],
] as const)('an empty cell leaves or clears its field with --empty %s (F2)', async (empty, contacts) => {
  const list = await readList({ 'list.csv': csv('Email,First Name,City', 'a@x.test,,') }, { ...subscribed, empty });
  expect(list.contacts).toEqual(contacts);
});

test('does not clear a field with --empty clear when its cell is missing (F2)', async () => {
  const list = await readList({ 'list.csv': csv('Email,City', 'a@x.test') }, { ...subscribed, empty: 'clear' });
  expect([list.contacts, list.trouble]).toEqual([[{ email: 'a@x.test' }], ['warn ragged_rows']]);
});

test('stops when a person has two values for one attribute key (F3)', async () => {
  const file = { 'list.csv': csv('Email,State / Region,State/Region', 'a@x.test,Hesse,Bavaria') };
  const stopped = await readList(file, subscribed);
  expect(stopped.finding('attribute_collision')).toMatchObject({
    level: 'stop',
    total: 1,
    hint: `--map State/Region=attributes.state_region_2`,
  });
  const mapped = await readList(file, { ...subscribed, map: ['State/Region=attributes.state_region_2'] });
  expect(mapped.contacts).toEqual([
    { email: 'a@x.test', attributes: { state_region: 'Hesse', state_region_2: 'Bavaria' } },
  ]);
});

test('only warns when no person has two values for one attribute key (F3)', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,Phone,Phone', 'a@x.test,1,', 'b@x.test,,2', 'c@x.test,3,3') },
    subscribed,
  );
  expect(list.trouble).toEqual(['warn attribute_collision']);
  expect(list.contacts.map(({ attributes }) => attributes)).toEqual([{ phone: '1' }, { phone: '2' }, { phone: '3' }]);
});

test('applies --map only to the input that has the column', async () => {
  const list = await readList(
    {
      'one.csv': csv('Wer,Rufname', 'a@x.test,Ana'),
      'two.csv': csv('Email,First Name,Name', 'b@x.test,Bo,Bo Berg'),
    },
    { ...subscribed, map: ['Wer=email', 'Rufname=first_name'] },
  );
  expect(list.contacts).toEqual([
    { email: 'a@x.test', first_name: 'Ana' },
    { email: 'b@x.test', first_name: 'Bo', attributes: { name: 'Bo Berg' } },
  ]);
});

test('asks the user for the address column when --map is for another input', async () => {
  const files = { 'one.csv': csv('Wer', 'a@x.test'), 'two.csv': csv('Email,Customer Email', 'b@x.test,c@x.test') };
  const list = await readList(files, { ...subscribed, map: ['Wer=email'] });
  expect(list.finding('columns')?.hint).toBe("--map two.csv:Email=email --map 'two.csv:Customer Email=ignore'");
});

test.each([
  ['different in two rows', ['a@x.test,Acme,', 'b@x.test,Bo,Bo', 'A@x.test,,Beta'], {}, 'stop'],
  ['different in two of three rows', ['a@x.test,,Beta', 'a@x.test,,', 'a@x.test,Acme,'], {}, 'stop'],
  ['the same in two rows', ['a@x.test,Acme,', 'a@x.test,,Acme'], {}, 'warn'],
  ['equal in each row', ['a@x.test,Acme,Acme', 'a@x.test,Beta,Beta'], {}, 'warn'],
  ['both in one column', ['a@x.test,Acme,', 'a@x.test,Beta,'], {}, 'warn'],
  ['rows of two people', ['a@x.test,Acme,', 'b@x.test,,Beta'], {}, 'warn'],
  ['one row is rejected', ['a@x.test,Acme,', 'a@x.test,,Beta,more'], {}, 'warn'],
  ['repeated rows are rejected', ['a@x.test,Acme,', 'a@x.test,,Beta'], { duplicates: 'reject' }, 'warn'],
] as const)('stops when values for one key differ, and else only warns: %s (F3)', async (_, rows, flags, level) => {
  const list = await readList(
    { 'list.csv': csv('Email,Company / Org,Company-Org', ...rows) },
    { ...subscribed, ...flags },
  );
  expect(list.finding('attribute_collision')?.level).toBe(level);
});

test('shows both values when rows of a person differ in one key (F3)', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,Company / Org,Company-Org', 'a@x.test,Acme,', 'b@x.test,Bo,', 'a@x.test,,Beta') },
    subscribed,
  );
  expect(list.finding('attribute_collision')).toEqual({
    check: 'attribute_collision',
    level: 'stop',
    otherwise: [{ when: 'To send the first of them only', flags: '--map Company-Org=ignore' }],
    message:
      'list.csv: "Company / Org" and "Company-Org" both become company_org, and 1 row would lose one of two values',
    hint: '--map Company-Org=attributes.company_org_2',
    examples: [{ file: 'list.csv', line: 4, column: 'Company / Org', value: 'Acme | Beta' }],
    total: 1,
  });
});

test('stops at a header that gives no attribute key, unless it is blank (F3)', async () => {
  const list = await readList({ 'list.csv': csv('Email,Город,🎉,', 'a@x.test,Бонн,rot,blau') }, subscribed);
  expect(
    list.reading.findings.filter(({ check }) => check === 'attribute_key').map(({ level, hint }) => `${level} ${hint}`),
  ).toEqual([
    "stop --map 'Город=attributes.gorod'",
    "stop --map '🎉=attributes.tada'",
    'warn --map 4=attributes.column_4',
  ]);
});

test('stops at a column with a reserved key unless it is empty or mapped (F4)', async () => {
  const file = { 'list.csv': csv('Email,First Name,first_name', 'a@x.test,Ana,Anna') };
  const list = await readList(file, subscribed);
  expect(list.finding('attribute_reserved')).toMatchObject({ level: 'stop', total: 1 });
  expect(list.contacts).toEqual([{ email: 'a@x.test', first_name: 'Ana' }]);
  const mapped = await readList(file, { ...subscribed, map: ['first_name=ignore'] });
  expect(mapped.trouble).toEqual([]);
});

test('accepts __proto__, constructor and toString anywhere in a list (F7)', async () => {
  const file = csv(
    'Email,__proto__,constructor,toString,Status',
    'a@x.test,__proto__,toString,constructor,active',
    'b@x.test,,,,active',
    'b@x.test,,x,,active',
    'c@x.test,,,,constructor',
  );
  const list = await readList({ 'list.csv': file }, { statusMap: { constructor: 'unsubscribed' } });
  expect(list.contacts).toEqual([
    { email: 'a@x.test', attributes: { proto: '__proto__', constructor: 'toString', to_string: 'constructor' } },
    { email: 'b@x.test', attributes: { constructor: 'x' } },
    { email: 'c@x.test', status: 'unsubscribed' },
  ]);
});

test('rejects a row with NUL, and keeps line breaks inside a value (F10)', async () => {
  const list = await readList({ 'list.csv': csv('Email,Note', 'a@x.test,x\0y', 'b@x.test,"one\r\ntwo"') }, subscribed);
  expect(list.contacts).toEqual([{ email: 'b@x.test', attributes: { note: 'one\r\ntwo' } }]);
  expect(list.reading.rejections).toMatchObject([{ reason: 'nul_character', total: 1 }]);
});

test('rejects a row with half a surrogate pair, which JSON can not carry (F10)', async () => {
  const text = csv('Email,Note,City', 'a@x.test,x\ud83dy,Rome', 'b@x.test,🙂,Rome', 'c@x.test,z,Rome\ude42');
  const list = await readList({ 'list.csv': Buffer.from(`\ufeff${text}`, 'utf16le') }, subscribed);
  expect(list.contacts).toEqual([{ email: 'b@x.test', attributes: { note: '🙂', city: 'Rome' } }]);
  expect(list.reading.rejections).toMatchObject([
    {
      reason: 'broken_text',
      total: 2,
      examples: [
        { line: 2, column: 'Note' },
        { line: 4, column: 'City' },
      ],
    },
  ]);
});

test.each([
  ['none', 'none', undefined],
  ['a list of headers or keys', ['City', 'company_org'], { city: 'Bonn', company_org: 'Acme' }],
] as const)('sends only the attributes that --attributes names: %s', async (_, attributes, expected) => {
  const list = await readList(
    { 'list.csv': csv('Email,City,Company / Org,Zip', 'a@x.test,Bonn,Acme,1') },
    { ...subscribed, attributes },
  );
  expect(list.contacts[0]?.attributes).toEqual(expected);
});

test('ignores blanks around the names in --attributes', async () => {
  const world = await createWorld();
  world.file('list.csv', csv('Email,Status,City,Zip', 'a@x.test,subscribed,Bonn,1'));
  const { code } = await world.svc(['migrate', 'list.csv', '--attributes', ' City , Zip ']);
  expect([code, world.emulator.admin.contact('a@x.test')?.attributes]).toEqual([0, '{"city":"Bonn","zip":"1"}']);
});

test('continues a run when only the blanks in --attributes changed (D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', csv('Email,Status,City', 'a@x.test,subscribed,Bonn', 'b@x.test,subscribed,Oslo'));
  const fault = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
  world.emulator.admin.addFault({ ...fault, times: 1, match: { route: 'POST *' } });
  const first = await world.svc(['migrate', 'list.csv', '--json', '--attributes', ' City ']);
  const next = await world.svc(['migrate', 'list.csv', '--json', '--attributes', 'City']);
  expect([first.code, next.code, next.json.run]).toEqual([4, 0, first.json.run]);
});

test('sends internal columns of Mailchimp when --attributes names them', async () => {
  const file = {
    'subscribed_email_audience_export_1.csv': csv('Email Address,MEMBER_RATING,LEID,EUID', 'a@x.test,3,7,8'),
  };
  expect((await readList(file)).contacts[0]?.attributes).toEqual({ member_rating: '3' });
  expect((await readList(file, { attributes: ['LEID'] })).contacts[0]?.attributes).toEqual({ leid: '7' });
});

test('ignores a comma at the start of a full name (F10)', async () => {
  const file = { 'list.csv': csv('Email,Who', 'a@x.test,", Ana"', 'b@x.test,",Bo Lee"') };
  const options = { map: ['Who=name'], defaultStatus: { '*': 'subscribed' as const } };
  const { contacts } = await readList(file, options);
  expect(contacts.map((one) => [one.first_name, one.last_name])).toEqual([
    ['Ana', undefined],
    ['Bo', 'Lee'],
  ]);
});

test('--map maps columns to email, name, attribute, topic and date', async () => {
  const file = {
    'list.csv': csv(
      'Contact,Who,Rank,News,Gone',
      'a@x.test,Ana Maria Berg,3,yes,2024-01-01',
      'b@x.test,"Berg, Britt",,no,2024-01-01',
    ),
  };
  const map = ['Contact=email', 'Who=name', 'Rank=attributes.rank', 'News=topics.top_news', 'Gone=unsubscribed_at'];
  const answers = { map, topicValues: { News: 'subscribed' }, defaultStatus: { '*': 'unsubscribed' } };
  expect((await readList(file, answers)).contacts).toEqual([
    {
      email: 'a@x.test',
      first_name: 'Ana',
      last_name: 'Maria Berg',
      status: 'unsubscribed',
      unsubscribed_at: '2024-01-01T00:00:00.000Z',
      attributes: { rank: '3' },
      topics: { top_news: 'subscribed' },
    },
    {
      email: 'b@x.test',
      first_name: 'Britt',
      last_name: 'Berg',
      status: 'unsubscribed',
      unsubscribed_at: '2024-01-01T00:00:00.000Z',
    },
  ]);
  await expect(readList(file, { map })).rejects.toMatchObject({ code: 'topic_value', exit: 2 });
});

test.each([
  ['opt_in', ['c0@x.test', 'c1@x.test']],
  ['opt_out', ['c0@x.test', 'c1@x.test', 'c2@x.test', 'c3@x.test', 'c4@x.test']],
])('sends the topic value %s for a yes and for words that mean it (C10)', async (value, chosen) => {
  const cells = ['yes', 'weekly', 'unsubscribed', 'declined', 'no thanks', 'no', 'нет', 'NULL', '-', ''];
  const text = csv('Email,News', ...cells.map((cell, at) => `c${at}@x.test,${cell}`));
  const answers = { ...subscribed, map: ['News=topics.top_news'], topicValues: { News: value } };
  const { contacts } = await readList({ 'list.csv': text }, answers);
  expect(contacts.filter(({ topics }) => topics).map(({ email }) => email)).toEqual(chosen);
});

test('unsubscribes a person with an opt-out date despite --default-status', async () => {
  const file = { 'list.csv': csv('Email,Gone', 'a@x.test,2024-01-01', 'b@x.test,') };
  expect((await readList(file, { ...subscribed, map: ['Gone=unsubscribed_at'] })).contacts).toEqual([
    { email: 'a@x.test', status: 'unsubscribed', unsubscribed_at: '2024-01-01T00:00:00.000Z' },
    { email: 'b@x.test' },
  ]);
});

test('refuses --default-status when it names an unknown input', async () => {
  const answers = { defaultStatus: { 'other.csv': 'subscribed' } };
  await expect(readList({ 'list.csv': csv('Email', 'a@x.test') }, answers)).rejects.toMatchObject({
    code: 'unknown_input',
    exit: 2,
  });
});

test.each([
  [['Nowhere=email'], 'unknown_column'],
  [['Email=inbox'], 'unknown_field'],
  [['Email'], 'invalid_map'],
  [['City=attributes.email'], 'attribute_reserved'],
  [['City=attributes.City Name'], 'attribute_key'],
  [['City=first_name', 'Email=first_name'], 'mapped_twice'],
])('refuses --map %j with the error %s', async (map, code) => {
  await expect(readList({ 'list.csv': csv('Email,City', 'a@x.test,Bonn') }, { map })).rejects.toMatchObject({
    code,
    exit: 2,
  });
});

test('splits --map at the last "=", and accepts a column number', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,a=b,c', 'a@x.test,1,2') },
    { ...subscribed, map: ['a=b=attributes.ab', '3=ignore'] },
  );
  expect(list.contacts).toEqual([{ email: 'a@x.test', attributes: { ab: '1' } }]);
});

test('stops when several columns may hold the address, or none does', async () => {
  const several = await readList({ 'list.csv': csv('Email,Recipient', 'a@x.test,b@x.test') }, subscribed);
  expect(several.finding('columns')).toMatchObject({
    level: 'stop',
    hint: '--map Email=email --map Recipient=ignore',
  });
  const none = await readList({ 'list.csv': csv('Name,City', 'Ana,Bonn') }, subscribed);
  expect(none.finding('columns')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining('No cell of the first rows holds an "@"'),
    hint: 'Nothing can be read from this file: give one with a column of addresses',
  });
});

test('offers each column with an @ as the address column (C11)', async () => {
  const rows = ['ana at x.test,@ana,Ana', 'x@,@bo,Bo'];
  const { finding } = await readList({ 'list.csv': csv('Where,Handle,Name', ...rows) }, subscribed);
  expect(finding('columns')).toMatchObject({
    hint: '--map Where=email',
    otherwise: [{ when: 'If the address is in "Handle"', flags: '--map Handle=email' }],
  });
});

test('offers first the column whose addresses do not repeat (C11)', async () => {
  const rows = ['news@shop.test,a@x.test', 'news@shop.test,b@x.test'];
  const { finding } = await readList({ 'list.csv': csv('From,To', ...rows) }, subscribed);
  expect(finding('columns')?.hint).toBe('--map To=email');
});

test('warns which consent columns are not sent (C8)', async () => {
  const list = await readList({
    'subscribed_email_audience_export_1.csv': csv(
      'Email Address,OPTIN_TIME,OPTIN_IP,MEMBER_RATING,LEID,EUID',
      'a@x.test,2021-01-01 00:00:00,192.0.2.1,3,1,2',
    ),
  });
  expect(list.finding('columns')).toMatchObject({
    level: 'warn',
    hint: '--map OPTIN_TIME=attributes.optin_time --map OPTIN_IP=attributes.optin_ip',
  });
});

test('leaves out archive entries without addresses, and names them', async () => {
  const list = await readList({
    'export.zip/email_list.letter.csv': csv('email,active_subscription,expiry,email_disabled', 'a@x.test,true,,false'),
    'export.zip/posts.csv': csv('post_id,title', '1,Hello'),
  });
  expect([list.contacts, list.reading.rows.read]).toEqual([
    [{ email: 'a@x.test', attributes: { active_subscription: 'true' } }],
    1,
  ]);
  expect(list.finding('columns')?.message).toContain('posts.csv');
});
