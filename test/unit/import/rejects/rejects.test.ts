import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { type FailedRow, writeRejects } from '../../../../src/import/rejects/rejects.ts';
import { stepOf } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { csv, readList } from '../support.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function rejectsOf(
  files: Files,
  answers: Partial<ReadingOptions> = {},
  failures: readonly FailedRow[] = [],
): Promise<Record<string, Buffer>> {
  const folder = join(tempFolder(), 'rejects');
  const { reading, people } = await readList(files, answers);
  const paths = await writeRejects(reading, people, { folder, failures, signal: new AbortController().signal });
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual(paths.map(() => 0o600));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

const SVC = 'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state';

test('writes rejected and failed rows to the rejects file, with reasons (L5)', async () => {
  const list = csv(
    'Email,City,Status',
    'ok@x.test,Bonn,active',
    'Ana <ana@x.test>,"Ulm, old",unsubscribed',
    'bo@x.test,x,active',
    'bo@x.test,x,unsubscribed,extra',
  );
  const failures = [{ source: 0, line: 4, code: 'invalid_email', detail: 'refused by the service' }];
  const files = await rejectsOf({ 'list.csv': list }, {}, failures);
  expect(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, String(bytes)]))).toEqual({
    'list.csv': csv(
      `${SVC},Email,City,Status`,
      'list.csv,3,Email,invalid_email,Ana <ana@x.test>: write ana@x.test,unsubscribed,Ana <ana@x.test>,"Ulm, old",unsubscribed',
      'list.csv,4,,invalid_email,refused by the service,unsubscribed,bo@x.test,x,active',
      'list.csv,5,,too_many_fields,"4 cells, but the header has 3; a cell without a header: extra",unsubscribed,bo@x.test,x,unsubscribed,extra',
    ),
  });
});

test('names the other rows whose data a failed contact also has (C9)', async () => {
  const header = 'Email,Name,City,Status,Unsubscribed At';
  const lists = {
    'list.csv': csv(header, 'a@x.test,Ana,,active,', 'b@x.test,Bo,,active,', 'a@x.test,,Ulm,unsubscribed,2024-02-03'),
    'more.csv': csv(header, 'a@x.test,,Bonn,active,', 'b@x.test,,,active,', 'c@x.test,,,active,'),
  };
  const failures = [
    { source: 0, line: 2, code: 'invalid_email', detail: 'refused' },
    { source: 0, line: 3, code: 'invalid_email' },
    { source: 1, line: 4, code: 'invalid_email' },
  ];
  const files = await rejectsOf(lists, {}, failures);
  const details = Object.values(files).map((file) => String(file).split('\n').slice(1, -1));
  const also = 'the contact also has data from';
  expect(details).toEqual([
    [
      `list.csv,2,,invalid_email,"refused; ${also} line 4, more.csv line 2",unsubscribed,a@x.test,Ana,,active,`,
      `list.csv,3,,invalid_email,${also} more.csv line 3,subscribed,b@x.test,Bo,,active,`,
    ],
    ['more.csv,4,,invalid_email,,subscribed,c@x.test,,,active,'],
  ]);
});

test('writes no rejects file when no row was rejected', async () => {
  expect(await rejectsOf({ 'list.csv': csv('Email,Status', 'ok@x.test,active') })).toEqual({});
});

test('keeps the earlier rejects file when the write of a new one fails (D2)', async () => {
  const folder = join(tempFolder(), 'rejects');
  const list = csv('Email,Status', 'nobody,active', 'ok@x.test,active');
  const { reading, people } = await readList({ 'list.csv': list, 'list.csv.part': list });
  const options = { folder, signal: new AbortController().signal };
  await writeRejects(reading, people, { ...options, failures: [] });
  const filesOf = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const earlier = filesOf();
  expect(earlier.map(([name]) => name)).toEqual(['list.csv', 'list.csv.part']);
  const failure = {
    source: 0,
    line: 3,
    code: 'failed',
    get detail(): string {
      throw new RangeError('in the middle');
    },
  };
  await expect(writeRejects(reading, people, { ...options, failures: [failure] })).rejects.toThrow(RangeError);
  expect([filesOf(), existsSync(`${folder}.part`)]).toEqual([earlier, false]);
});

test('writes one rejects file for each of several inputs of the same name', async () => {
  const bad = csv('Email,Status', 'nobody,active');
  const files = await rejectsOf({ 'a.zip/one/list.csv': bad, 'a.zip/two/list.csv': bad, '..': bad });
  expect(Object.keys(files)).toEqual(['list.csv', 'list-2.csv', '_']);
});

test.each([
  ['windows-1252', ';', '\r\n', ''],
  ['utf-16le', '\t', '\r\n', '\ufeff'],
  ['utf-8', ',', '\n', '\ufeff'],
])(
  'writes a rejects file with the encoding (%s) and format of its input',
  async (encoding, delimiter, ending, mark) => {
    const rows = [
      ['Email', 'Prénom', 'Status'],
      ['nobody', '"Zoë ""Zo"" Noël"', 'active'],
      ['ok@x.test', 'Été', 'active'],
    ];
    const text = `${mark}${rows.map((cells) => cells.join(delimiter)).join(ending)}${ending}`;
    const { 'list.csv': bytes } = await rejectsOf({ 'list.csv': iconv.encode(text, encoding, { addBOM: false }) });
    const svc = ['list.csv', '2', 'Email', 'invalid_email', 'nobody: no @', 'subscribed'];
    const lines = [
      [...SVC.split(','), ...(rows[0] as string[])],
      [...svc, ...(rows[1] as string[])],
    ];
    const wanted = `${mark}${lines.map((cells) => cells.join(delimiter)).join(ending)}${ending}`;
    expect(bytes?.equals(iconv.encode(wanted, encoding, { addBOM: false }))).toBe(true);
  },
);

const line = fc.constantFrom(
  'NEW@x.test,Ana,active',
  'NEW@x.test,"Ulm, ""old""",active',
  'NEW@x.test,Bonn,unsubscribed',
  'bo@x.test,x,active',
  'BO@x.test,"y",active',
  'Ana <ana@x.test>,Ulm,active',
  'zoe at x.test,"Zoë\nNoël",active',
  '"eve@x.test",x,active,extra',
  'fay@x.test,a"b",active',
  '',
);
const failedLines = fc.uniqueArray(fc.integer({ min: 2, max: 14 }), { maxLength: 3 });
const answers = fc.constantFrom<Partial<ReadingOptions>>({}, { duplicates: 'reject' });

test('writes the same rejects when the survey marks no subscribed rows (L5)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), failedLines, answers, async (lines, failed, options) => {
      const rows = lines.map((text, index) => text.replace('NEW', `new${index}`));
      const { reading, people } = await readList({ 'list.csv': csv('Email,City,Status', ...rows) }, options);
      const failures = failed.map((at) => ({ source: 0, line: at, code: 'invalid_email' }));
      const tables = reading.tables.map((table) => ({ ...table, subscribedRows: undefined }));
      const rejects = async (survey: typeof reading) => {
        const folder = join(tempFolder(), 'rejects');
        const paths = await writeRejects(survey, people, { folder, failures, signal: new AbortController().signal });
        return paths.map((path) => readFileSync(path, 'utf8'));
      };
      expect(await rejects(reading)).toEqual(await rejects({ ...reading, tables }));
    }),
    { numRuns: 200 / stepOf(4) },
  );
});

test('reads corrected rows like the original list, with the state of svc_state', async () => {
  const header = 'Email Address,First Name,Company / Org,UNSUB_TIME';
  const files = {
    'unsubscribed_email_audience_export_1.csv': csv(header, 'ana at x.test,Ana,Acme,2024-01-02 03:04:05'),
  };
  const [[name, bytes] = []] = Object.entries(await rejectsOf(files));
  const corrected = String(bytes).replace(',ana at x.test,Ana', ',ana@x.test,Ana');
  const back = await readList({ [`rejects-of-monday-${name}`]: corrected });
  expect(back.reading.inputs.map(({ platform }) => platform)).toEqual(['mailchimp']);
  expect(back.contacts).toEqual([
    {
      email: 'ana@x.test',
      first_name: 'Ana',
      status: 'unsubscribed',
      unsubscribed_at: '2024-01-02T03:04:05.000Z',
      attributes: { company_org: 'Acme' },
    },
  ]);
  const outranked = await readList({ 'back.csv': corrected.replace(',unsubscribed,ana@', ',complained,ana@') });
  expect([outranked.contacts, outranked.suppressions]).toEqual([[], { complained: ['ana@x.test'] }]);
});

test('keeps the original file and line when a row is rejected again', async () => {
  const first = await rejectsOf({ 'list.csv': csv('Email,Note,Status', '# a comment', 'x,"a, b",active') });
  const second = await rejectsOf({ 'again.csv': first['list.csv'] as Buffer });
  expect(String(second['list.csv'])).toEqual(String(first['list.csv']));
});

test('keeps an opt-out in another row of the person when a row is corrected', async () => {
  const list = csv('Email,City,Status', 'a@x.test,one,active,extra', 'a@x.test,two,unsubscribed,extra');
  const { 'list.csv': bytes } = await rejectsOf({ 'list.csv': list });
  const corrected = String(bytes).replaceAll(',extra', '').split('\n').slice(0, 2).join('\n');
  expect((await readList({ 'list.csv': corrected })).contacts).toEqual([
    { email: 'a@x.test', status: 'unsubscribed', attributes: { city: 'one' } },
  ]);
});

test('numbers the columns of a rejects file when the list has no header', async () => {
  const map = ['1=email', '2=first_name'];
  const answers = { map, defaultStatus: { '*': 'subscribed' } };
  const { 'list.csv': bytes } = await rejectsOf(
    { 'list.csv': csv('ana@x.test,Ana', 'bo@x.test,Bo,extra', 'cy@x.test,Cy') },
    answers,
  );
  expect(String(bytes).split('\n')[0]).toBe(`${SVC},1,2`);
  const corrected = String(bytes).replace(',extra', ',');
  expect((await readList({ 'list.csv': corrected }, answers)).contacts).toEqual([
    { email: 'bo@x.test', first_name: 'Bo' },
  ]);
});

test('writes no merged duplicates to the rejects file', async () => {
  const list = csv('Email,Status', 'a@x.test,active', 'a@x.test,active');
  const merged = await rejectsOf({ 'list.csv': list });
  const rejected = await rejectsOf({ 'list.csv': list }, { duplicates: 'reject' });
  expect([Object.keys(merged), String(rejected['list.csv']).split('\n')[1]]).toEqual([
    [],
    'list.csv,3,,duplicate_email,a@x.test is on line 2 already,subscribed,a@x.test,active',
  ]);
});

test('creates no rejects folder when no row was rejected', async () => {
  const folder = tempFolder();
  const { reading, people } = await readList({ 'list.csv': csv('Email,Status', 'ok@x.test,active') });
  await writeRejects(reading, people, {
    folder: join(folder, 'rejects'),
    failures: [],
    signal: new AbortController().signal,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('accepts flags for other inputs when it reads a corrected rejects file', async () => {
  const files = { 'one.csv': csv('Mail,Status', 'x,active'), 'two.csv': csv('Contact,Status', 'a@x.test,active') };
  const answers = { map: ['Contact=email', 'Mail=email'], defaultStatus: { 'two.csv': 'subscribed' } };
  const { 'one.csv': bytes } = await rejectsOf(files, answers);
  const corrected = String(bytes).replace('subscribed,x,', 'subscribed,b@x.test,');
  expect((await readList({ 'one.csv': corrected }, answers)).contacts).toEqual([{ email: 'b@x.test' }]);
});

test.each([
  ['quoted cells', '"Email","City"'],
  ['spaces at the edges', 'Email , City'],
  ['a line break inside', 'Email,"City\nof birth"'],
  ['the header of an earlier rejects file', `${SVC},"Email", City`],
])('copies the header into the rejects file as written: %s (K5)', async (_, header) => {
  const given = header.startsWith(SVC);
  const row = given ? 'list.csv,7,Email,invalid_email,x,,nobody,"Ulm"' : 'nobody,"Ulm"';
  const files = await rejectsOf({ 'list.csv': `${header}\n${row}\n` });
  const text = String(files['list.csv']);
  expect(text.startsWith(given ? `${header}\n` : `${SVC},${header}\n`)).toBe(true);
  expect(text.endsWith(',nobody,"Ulm"\n')).toBe(true);
});

test('copies the header as written after a byte order mark and sep= (K5)', async () => {
  const list = Buffer.from('\ufeffsep=;\n"Email";"City"\nnobody;"Ulm"\n');
  const text = String((await rejectsOf({ 'list.csv': list }))['list.csv']);
  expect(text.split('\n')[1]).toBe(`${SVC.replaceAll(',', ';')};"Email";"City"`);
});

test.each([
  ['backslashes', String.raw`"ana at x.test","Ana \"A\", B"`, String.raw`"bo@x.test","Bo \"B\" C"`, 'Ana "A", B'],
  ['single quotes', "'ana at x.test','O''Brien, Ana'", "'bo@x.test','Bo'", "O'Brien, Ana"],
])('copies rows with %s unchanged into the rejects file, and rereads them', async (_, bad, good, name) => {
  const answers = { defaultStatus: { '*': 'subscribed' } };
  const { 'list.csv': bytes } = await rejectsOf({ 'list.csv': csv('Email,Name', bad, good) }, answers);
  expect(String(bytes)).toContain(`,${bad}\n`);
  const corrected = String(bytes).replaceAll('ana at x', 'ana@x');
  expect((await readList({ 'list.csv': corrected }, answers)).contacts).toEqual([
    { email: 'ana@x.test', attributes: { name } },
  ]);
});
