import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, onTestFinished, test } from 'vitest';
import { contactTexts } from '../../../../src/import/batch/contact-text.ts';
import { cutTextBatches } from '../../../../src/import/batch/cut-batches.ts';
import { createListThread } from '../../../../src/import/batch/list-thread.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import type { PieceThread } from '../../../../src/import/rows/piece-thread.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { countPeople } from '../../../../src/import/survey/people-counts.ts';
import { readAndMerge } from '../../../../src/import/survey/two-reads.ts';
import { openTables } from '../../../../src/import/tables/open-tables.ts';
import { openPeopleTables } from '../../../../src/runs/people/people.ts';
import { SUPPRESSION_REASONS } from '../../../../src/wire/service-words.ts';
import { stepOf } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { NO_ANSWERS } from '../support.ts';

const HEADER = ['Email', 'First Name', 'Status', 'Note', 'Late'];
const USUAL = ['', 'Ana', 'Zoë', '美咲', 'Left Bank 5', '2024-05-06'];
const UNUSUAL =
  'unsubscribed|Miller DECEASED|❌ Ana|~~Bo~~|#x| |\u00a0|x |\u200b|550 5.1.1 user unknown|optin=0|a "b" c|line\nbreak|5;x|z,t'.split(
    '|',
  );
const STATES = 'active|active|active|active|unsubscribed|bounced|complained| active|Active|'.split('|');
const ADDRESSES: readonly ((name: string) => string)[] = [
  (name) => `${name.toUpperCase()}@Example.com`,
  (name) => ` ${name}@example.com\u00a0`,
  (name) => `${name}@xn--mnchen-3ya.example`,
  (name) => `${name}@münchen.example`,
  (name) => `${name}\u200b@example.com`,
  (name) => `+${name}@example.com`,
  (name) => `UNSUB-${name}@example.com`,
  (name) => `Bo <${name}@example.com>`,
  (name) => `${name}@example.com; x${name}@example.com`,
  () => '',
];
// Rows that are no people, rows with too few or too many cells, a text after a quote, and a second header.
const OTHER_LINES = [
  '',
  ',,,,',
  '\ufeff',
  '"",,,,',
  HEADER.join(),
  'p1@example.com,Ana',
  'p2@example.com,Ana,active,,,,',
  '"p3@example.com"x,Ana,active,,',
  'Email,Opt-out,Name,Note,x',
];

const write = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const cell = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...USUAL) },
  { weight: 1, arbitrary: fc.constantFrom(...UNUSUAL) },
);
// Most people have one row, and a few have several.
const name = fc.oneof(fc.nat(9), fc.nat(999), fc.nat(999)).map((number) => `p${number}`);
const address = fc.oneof(
  { weight: 9, arbitrary: name.map((text) => `${text}@example.com`) },
  { weight: 1, arbitrary: fc.tuple(name, fc.constantFrom(...ADDRESSES)).map(([text, form]) => form(text)) },
);
const person = fc
  .tuple(address, cell, fc.constantFrom(...STATES), cell, fc.constantFrom('', '', '', 'x'))
  .map((cells) => cells.map(write).join());
// Many ordinary rows, or a long cell, so that the rows around them are in different pieces. A piece has 64 KiB.
const filler = fc.constantFrom(
  Array<string>(400).fill(`NEW@example.com,Ana,active,${'note '.repeat(35)}end,`),
  [`p4@example.com,Ana,active,"${'word\n'.repeat(14_000)}",`],
  [`p5@example.com,Ana,unsubscribed,${'word '.repeat(14_000)},`],
);
const lines = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(person, { minLength: 5, maxLength: 9 }) },
      { weight: 1, arbitrary: fc.constantFrom(...OTHER_LINES).map((line) => [line]) },
      { weight: 3, arbitrary: filler },
    ),
    { minLength: 6, maxLength: 12 },
  )
  .map((parts) => parts.flat());
// The first rows of a file decide how it is read. In them the last column is blank.
const FIRST = Array<string>(60).fill('NEW@example.com,Ana,active,,');
const file = fc.record({ rest: lines, end: fc.constantFrom('\n', '\r\n'), isEnded: fc.boolean() });

/** The text of a file. Each new person gets an address that no other row has. */
function textOf({ rest, end, isEnded }: typeof file extends fc.Arbitrary<infer File> ? File : never, at: number) {
  const rows = [HEADER.join(), ...FIRST, ...rest].map((line, index) => line.replace(/^NEW/, `new${at}.${index}`));
  return rows.join(end) + (isEnded ? end : '');
}

const OPTIONS: readonly Partial<ReadingOptions>[] = [
  { allowJoinedFiles: true },
  { allowJoinedFiles: true, duplicates: 'reject' },
  { allowJoinedFiles: true, attributes: 'none', statusMap: { '': 'subscribed', 'Late:x': 'skip' } },
];

/** Everything that svc sends and counts for some files. */
async function outcomeOf(files: readonly Buffer[], answers: Partial<ReadingOptions>, thread?: PieceThread) {
  const folder = tempFolder();
  files.forEach((content, index) => writeFileSync(join(folder, `${index}.csv`), content));
  const sources = await openInputs(
    files.map((_, index) => ({ path: `${index}.csv`, diskPath: join(folder, `${index}.csv`) })),
  );
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  const options = { ...NO_ANSWERS, delimiter: ',', ...answers };
  const { signal } = new AbortController();
  const list = await readAndMerge((laterRows) => openTables(sources, options, { laterRows }), options, {
    people,
    emit: () => {},
    signal,
    seed: '0123456789abcdef',
    thread,
  });
  const tables = list.tables.map(({ table }) => table);
  const reading = { tables, options, repeated: list.addresses.repeated };
  const batches = await Array.fromAsync(
    cutTextBatches(contactTexts({ survey: reading, people }, { signal }), { size: 20 }),
  );
  return {
    hashes: list.tables.map(({ sha256 }) => sha256),
    statistics: list.tables.map(({ statistics }) => statistics),
    subscribedRows: tables.map(({ subscribedRows }) => Buffer.from(subscribedRows ?? []).toString('hex')),
    sent: {
      rows: list.tables.map(({ statistics }) => statistics.rows),
      counts: countPeople(list),
      merged: list.mergeCounts,
      suppressions: SUPPRESSION_REASONS.map((reason) => [...people.suppressions(reason)]),
      batches: batches.map(({ rows, body }) => ({ rows: [...rows], body: `${body}` })),
    },
  };
}

// A full sweep takes more than a minute beside other tests.
test('makes the same batches in a thread, without one, and from text (C9, D7)', { timeout: 300_000 }, async () => {
  const thread = createListThread(new AbortController().signal);
  onTestFinished(async () => {
    await thread.close();
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...OPTIONS),
      async (given, answers) => {
        const files = given.map(textOf);
        const utf8 = files.map((text) => Buffer.from(text));
        const without = await outcomeOf(utf8, answers);
        expect(await outcomeOf(utf8, answers, thread)).toEqual(without);
        const utf16 = files.map((text) => iconv.encode(text, 'utf-16le', { addBOM: true }));
        expect((await outcomeOf(utf16, answers)).sent).toEqual(without.sent);
        // No row is read from bytes when the user names the quote.
        expect((await outcomeOf(utf8, { ...answers, quote: '"' })).sent).toEqual(without.sent);
      },
    ),
    { numRuns: 30 / stepOf(10) },
  );
});
