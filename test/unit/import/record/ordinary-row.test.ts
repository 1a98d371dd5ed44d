import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPT_OUT_WORDS } from '../../../../src/import/consent-columns/other-columns/opt-out-words.ts';
import { toTextRow } from '../../../../src/import/csv/row-types.ts';
import { mentionsOf } from '../../../../src/import/dedupe/seen-addresses.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import type { Table } from '../../../../src/import/mapping/table.ts';
import { markOptions } from '../../../../src/import/record/mark-options.ts';
import { createOrdinaryRowReader } from '../../../../src/import/record/ordinary-row.ts';
import { type ParsedRecord, parseRecord } from '../../../../src/import/record/parse-record.ts';
import { readByteRows } from '../../../../src/import/rows/read-rows.ts';
import { countListRow, createDomainReader, createListCounts } from '../../../../src/import/survey/list-statistics.ts';
import { countRow, createTableCounts, type TableCounts } from '../../../../src/import/survey/people-counts.ts';
import { collectRow, createColumnStatistics } from '../../../../src/import/survey/statistics/column-statistics.ts';
import { openTables } from '../../../../src/import/tables/open-tables.ts';
import { everyNth, stepOf } from '../../../support/sweep.ts';
import { goldenLines } from '../consent-columns/vocabulary/golden.ts';
import { SAMPLES } from '../samples.ts';
import { NO_ANSWERS, readList, sourcesOf } from '../support.ts';

// All cells of the golden files. Each may be in any column.
const GOLDEN = ['status-words', 'cells', 'values', 'yes-no', 'notes', 'platform-words', 'dates', 'fields'].flatMap(
  (name) => goldenLines(`${name}.txt`).map(({ cells: [word = ''] }) => word),
);
const ORDINARY =
  'Ana|Zoë|美咲|Łódź|Bo|Oslo|2024-05-06|+49 30 123|12:30|subscribed|yes|no|x|1|0|true|Left Bank|O’Neil|a "b" c|😀'.split(
    '|',
  );
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ORDINARY) },
  { weight: 1, arbitrary: fc.constantFrom(...GOLDEN) },
  { weight: 1, arbitrary: fc.constantFrom(...OPT_OUT_WORDS.other) },
);
const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const SHAPES: readonly ((word: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFD'),
  wide,
  (text) => `Berg (${text})`,
  (text) => `Berg [${text}]`,
  (text) => `*** ${text} ***`,
  (text) => `vip; ${text}`,
  (text) => `Foo-${text}, x[${text}`,
  (text) => `Berg - ${text}`,
  (text) => `Berg – ${text}`,
  (text) => `§–${text}`,
  (text) => `optin:${text}`,
  (text) => `newsletter = ${text}`,
  (text) => `consent：${text}`,
  (text) => `{"subscribed":"${text}"}`,
  (text) => `["${text}"]`,
  (text) => `"${text}"`,
  (text) => `Foo"${text}"`,
  (text) => `Foo'${text}`,
  (text) => `${text} †`,
  (text) => `😀 ${text}`,
  (text) => `\u200b${text}`,
  (text) => ` ${text}`,
  (text) => `${text}\u00a0`,
  (text) => `\u3000${text}`,
  (text) => `${text} 3.4.2021`,
  (text) => `2 - ${text}`,
  (text) => `${'long '.repeat(40)}; ${text}`,
  (text) => `{"note":"${'long '.repeat(40)}","optin":"${text}"}`,
  (text) => `${text}\0`,
  (text) => `${text}\nunsubscribed`,
  (text) => `${text} <ana@example.com>`,
];
const ADDRESSES: readonly ((word: string) => string)[] = [
  (text) => `${text} <cy@example.com>`,
  (text) => `cy@example.com (${text})`,
  (text) => `${text}-cy@example.com`,
  (text) => `cy@example.com_${text}`,
  () => 'UNSUB-cy@example.com',
  () => 'cy@example.com_deleted',
  () => '#cy@example.com',
  () => 'x_cy@example.com',
  () => 'cy@example.com; dee@example.com',
  () => 'Cy@Example.com',
  () => 'zoë@example.com',
  () => 'not an address',
  () => '',
];
const cell = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.tuple(word, fc.constantFrom(...SHAPES)).map(([text, shape]) => shape(text)) },
  { weight: 1, arbitrary: fc.constant('') },
);
const address = fc.oneof(
  { weight: 4, arbitrary: fc.nat(999).map((number) => `ana.${number}@example.com`) },
  { weight: 1, arbitrary: fc.tuple(word, fc.constantFrom(...ADDRESSES)).map(([text, shape]) => shape(text)) },
);

// Either the headers of one platform, or a few headers from several platforms.
const HEADERS = [...new Set(SAMPLES.flatMap(({ header }) => header))].filter((name) => !/mail/i.test(name));
const few = fc
  .array(fc.constantFrom(...HEADERS, 'Address', 'Work Email', 'Company', 'Mobile', 'Notes'), { maxLength: 5 })
  .map((names) => ['Email', ...names]);
const header = fc.oneof(few, fc.constantFrom(...SAMPLES.map((sample) => [...sample.header])));

const OPTIONS: readonly Partial<ReadingOptions>[] = [
  {},
  {},
  { defaultStatus: { '*': 'subscribed' } },
  { attributes: 'none' },
  { attributes: ['company'] },
  { statusMap: { left: 'subscribed', '*': 'skip' } },
  { statusMap: { 'City:Oslo': 'unsubscribed', '2:Ana': 'suppressed' } },
  { map: ['1=email'] },
  { map: ['2=status'] },
  { map: ['2=unsubscribed_at'] },
];

const RUNS = Number(process.env.RUNS ?? 240 / stepOf(4));

interface GivenList {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly options: Partial<ReadingOptions>;
  readonly quoted: boolean;
}

const given: fc.Arbitrary<GivenList> = header.chain((names) => {
  const emailAt = Math.max(
    0,
    names.findIndex((name) => /e-?mail/i.test(name) && !/opt|status|market/i.test(name)),
  );
  const row = fc
    .tuple(address, fc.array(cell, { minLength: names.length, maxLength: names.length }))
    .map(([email, cells]) => cells.with(emailAt, email));
  return fc.record({
    header: fc.constant(names),
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    options: fc.constantFrom(...OPTIONS),
    quoted: fc.boolean(),
  });
});

function csvOf({ header: names, rows, quoted }: GivenList): string {
  const write = (text: string) => (quoted || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${[names, ...rows].map((cells) => cells.map(write).join(',')).join('\n')}\n`;
}

/** Everything that a survey collects from some rows. */
function statisticsOf(table: Table, records: readonly ParsedRecord[]): unknown {
  const [statistics, counts, list] = [
    createColumnStatistics(table),
    createTableCounts(table),
    createListCounts(table.header),
  ];
  for (const record of records) {
    collectRow(statistics, record);
    countRow(counts, record, 1);
    countListRow(list, record);
  }
  return {
    statistics,
    counts: { ...counts, statusReadings: byText(counts) },
    list,
    mentioned: records.map(mentionsOf),
  };
}

// Equal readings of several rows can be one object or many, which changes no sum.
function byText({ statusReadings }: TableCounts): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [reading, rows] of statusReadings) {
    const text = JSON.stringify(reading);
    sums[text] = (sums[text] ?? 0) + rows;
  }
  return sums;
}

/** Reads each row of a list from bytes and from text, and compares. Returns how many rows the byte reader took. */
async function compareReads(some: GivenList): Promise<number> {
  const options = { ...NO_ANSWERS, ...some.options };
  const { tables } = await openTables(sourcesOf({ 'list.csv': csvOf(some) }), options).catch(() => ({ tables: [] }));
  let ordinary = 0;
  for (const table of tables) {
    const read = createOrdinaryRowReader(table, [
      createListCounts(table.header).signUpIndex,
      ...table.statusCandidates,
    ]);
    const domainOf = createDomainReader(table);
    const [mixed, full]: [ParsedRecord[], ParsedRecord[]] = [[], []];
    for await (const rows of readByteRows(table, { marks: markOptions(table, '00') })) {
      for (const row of rows) {
        const [quick, record] = [read(row), parseRecord(table, toTextRow(row))];
        if (quick) {
          ordinary++;
          expect([undefined, quick.email.split('@')[1]]).toContain(domainOf(row, quick));
          // The byte reader writes `x` for a cell that nothing uses, if it is not blank. All other cells must be equal.
          const seen = record.cells.map((text, at) => (quick.cells[at] === 'x' && text !== '' ? 'x' : text));
          expect(quick).toEqual({ ...record, cells: seen });
        }
        // The byte reader reuses the array of cells for the next row, so this copies it.
        mixed.push(quick ? { ...quick, cells: [...quick.cells] } : record);
        full.push(record);
      }
    }
    expect(statisticsOf(table, mixed)).toEqual(statisticsOf(table, full));
  }
  return ordinary;
}

test('reads random rows from bytes with the same result as from text (C9, C10)', async () => {
  let ordinary = 0;
  await fc.assert(
    fc.asyncProperty(given, async (some) => {
      // The rows come twice, because the second time svc takes their states from a cache.
      ordinary += await compareReads({ ...some, rows: [...some.rows, ...some.rows] });
    }),
    { seed: 1, numRuns: RUNS },
  );
  expect(ordinary).toBeGreaterThan(100);
});

const LONG = 'long '.repeat(60);
const OUT_OF_PLACE = [
  'optin=0',
  'x; consent：no',
  'Berg †',
  'Berg (deceased)',
  'DELETED',
  'deceased',
  '차단',
  'unsubscribed',
  '#dee@example.com',
  'UNSUB-dee@example.com',
  'dee@example.com_deleted',
  `{"note":"${LONG}","unsubscribed":true}`,
  `${LONG}; unsubscribed`,
];
const ORDINARY_CELLS: Readonly<Record<string, string>> = {
  Email: 'ana@example.com',
  'Work Email': 'bo@example.com',
  'First Name': 'Ana',
  'Last Name': 'Berg',
  Company: 'Acme',
  Address: 'Left Street 3',
  Phone: '+49 30 1234',
  City: 'Oslo',
  'Order Status': 'shipped',
  'SMS status': 'yes',
};

const NUMBERED = OPTIONS.map((options, nth) => [options, nth] as const);

test.each(NUMBERED)('reads opt-out words the same from bytes and text, with %j (C9, C10)', async (options, nth) => {
  const names = Object.keys(ORDINARY_CELLS);
  const usual = Object.values(ORDINARY_CELLS);
  // svc decides by the first rows how to read a column, so the opt-out words come later.
  const first = Array<readonly string[]>(60).fill(usual);
  const rows = names.flatMap((_, at) =>
    OUT_OF_PLACE.flatMap((text) => [
      usual.with(at, text),
      usual.with(at, text).slice(0, -1),
      usual.toSpliced(at, 0, text),
    ]),
  );
  const ordinary = await Promise.all(
    [names, names.with(1, 'Note')].map((header) =>
      compareReads({ header, rows: [...first, ...everyNth(rows, 2, nth)], options, quoted: false }),
    ),
  );
  expect(Math.max(...ordinary)).toBeGreaterThan(0);
});

test('reads wide lists the same from bytes and text (C9, C10)', async () => {
  // The summary of a row has 32 columns in a word: these columns are at the edges of the words.
  const edges = [2, 30, 31, 32, 33, 62, 63, 64, 65];
  const fillers = Array.from({ length: 66 }, (_, at) => `Answer ${at}`);
  const usual = ['ana@example.com', 'Ana', ...fillers];
  for (const statusAt of edges) {
    const header = ['Email', 'First Name', ...fillers].with(statusAt, 'Status');
    const subscribed = usual.with(statusAt, 'subscribed');
    const others = edges.flatMap((at) =>
      ['unsubscribed', '', 'no mail', ' x', 'n/a'].map((text) => subscribed.with(at, text)),
    );
    const rows = [...Array<readonly string[]>(60).fill(subscribed), ...others];
    expect(await compareReads({ header, rows, options: {}, quoted: false })).toBeGreaterThan(60);
  }
});

test.each([
  ['First Name', 'active'],
  ['Plan', 'active'],
  ['Company', 'active'],
  ['City', 'active'],
  ['SMS', 'subscribed'],
])('asks the user when column %s contradicts Events (bytes or text) (C10)', async (name, word) => {
  const rows = Array.from({ length: 90 }, (_, at) => [
    `p${at}@example.com`,
    word,
    at % 7 === 1 ? 'unsubscribed' : 'subscribed',
  ]);
  const header = ['Email', name, 'Events'];
  expect(await compareReads({ header, rows, options: {}, quoted: false })).toBeGreaterThan(0);
  const { finding } = await readList({ 'list.csv': csvOf({ header, rows, options: {}, quoted: false }) });
  expect(finding('unknown_status')?.level).toBe('stop');
});

test('reads the quoted tags of Mailchimp the same from bytes and text (C10)', async () => {
  const header = ['Email Address', 'First Name', 'MEMBER_RATING', 'LEID', 'EUID', 'TAGS', 'NOTES'];
  const tags = [
    '',
    'VIP',
    '"VIP"',
    '"VIP","Blog, weekly"',
    ' "VIP"',
    '""',
    ' ""',
    '"unsubscribed"',
    '"a""b"',
    '\u00a0"x"',
  ];
  const rows = tags.flatMap((cell, at) => [
    [`p${at}@example.com`, 'Ana', '2', '9', 'e1', cell, ''],
    [`q${at}@example.com`, 'Ana', '2', '9', 'e1', cell, 'a note'],
  ]);
  for (const options of [{}, { attributes: ['tags'] }]) {
    const ordinary = await compareReads({ header, rows: [...rows, ...rows], options, quoted: false });
    expect(ordinary).toBeGreaterThanOrEqual(8);
  }
});
