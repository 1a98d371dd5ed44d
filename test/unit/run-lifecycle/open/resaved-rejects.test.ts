import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld } from '../../../support/world.ts';

const PLACES = ['in its place', 'in another folder'] as const;

/** A list, the flags that its bytes need, and what the service should hold of the corrected person. */
interface Written {
  readonly list: string;
  readonly encoding?: string;
  readonly flags: string;
  readonly name: string;
  /** True if the list has a byte order mark. */
  readonly mark?: boolean;
}

const LATIN: Written = {
  list: 'Email,First Name,Status\nana@x.test,Zoë,active\njo at x.test,Jörg,active\n',
  encoding: 'windows-1252',
  flags: '--encoding windows-1252 --delimiter ,',
  name: 'Jörg',
};
const DOS: Written = { ...LATIN, encoding: 'cp850', flags: '--encoding cp850' };
const UTF8: Written = { ...LATIN, encoding: 'utf-8', flags: '--encoding utf-8' };
const JAPANESE: Written = {
  list: 'Email,First Name,Status\nana@x.test,花子,active\njo at x.test,太郎,active\n',
  encoding: 'shift_jis',
  flags: '--encoding shift_jis',
  name: '太郎',
};
const CARETS: Written = {
  list: 'Email^First Name^Status\nana@x.test^Ana^active\njo at x.test^Jo, Jim^active\n',
  flags: '--delimiter ^',
  name: 'Jo, Jim',
};
const BACKSLASHES: Written = {
  list: 'Email,First Name,Status\nana@x.test,"Ana \\"A\\"",active\njo at x.test,"Jo \\"J\\", Jim",active\n',
  flags: '--quote " --escape \\',
  name: 'Jo "J", Jim',
};
// Only the header shows that a spreadsheet saved this list again.
const ONE_BACKSLASH: Written = {
  list: 'Email,First Name,Status\nana@x.test,Ana,active\njo at x.test,"Jo \\\\, Jim",active\n',
  flags: '--quote " --escape \\',
  name: 'Jo \\, Jim',
};
const UNQUOTED: Written = {
  list: 'Email;First Name;Status\nana@x.test;"Ana;active\njo at x.test;"Jo" J;active\n',
  flags: '--quote none --escape \\ --delimiter ;',
  name: '"Jo" J',
};

const APOSTROPHES: Written = {
  list: "Email;First Name;Status\nana@x.test;'Ana; Al';active\njo at x.test;'\"Jo\" J';active\n",
  flags: "--quote ' --escape ' --delimiter ;",
  name: '"Jo" J',
};
const OPEN_QUOTE: Written = { ...UNQUOTED, list: UNQUOTED.list.replace('"Jo" J', '"Jo'), name: '"Jo' };
const LAST_CELL: Written = {
  list: 'Email;Status;First Name\nana@x.test;active;"Ana\njo at x.test;active;"Jo" J\n',
  flags: '--quote none',
  name: '"Jo" J',
};
const ESCAPED: Written = { ...BACKSLASHES, flags: '--delimiter , --escape \\' };
const NEXT_TO_EMPTY: Written = {
  list: 'Email,First Name,Status,City\nana@x.test,"Ana",active,""\njo at x.test,"Jo \\"J\\"","active",""\n',
  flags: '--quote " --escape \\ --map City=ignore',
  name: 'Jo "J"',
};

/** How a spreadsheet saves the rows. */
interface Saved {
  readonly encoding: string;
  readonly mark: boolean;
  readonly delimiter: string;
  readonly quotesAll?: boolean;
}

const UTF8_COMMAS: Saved = { encoding: 'utf-8', mark: false, delimiter: ',' };
const UTF8_SEMICOLONS: Saved = { encoding: 'utf-8', mark: true, delimiter: ';' };
const PLAIN_SEMICOLONS: Saved = { ...UTF8_SEMICOLONS, mark: false };
const UTF16_TABS: Saved = { encoding: 'utf-16-le', mark: true, delimiter: '\t' };
const ANSI: Saved = { encoding: 'windows-1252', mark: false, delimiter: ',' };
const ANSI_SEMICOLONS: Saved = { encoding: 'windows-1252', mark: false, delimiter: ';' };

function saved(rows: readonly (readonly string[])[], { encoding, mark, delimiter, quotesAll = false }: Saved): Buffer {
  const needsQuotes = (cell: string) => quotesAll || cell.includes(delimiter) || cell.includes('"');
  const cellText = (cell: string) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const text = rows.map((cells) => `${cells.map(cellText).join(delimiter)}\r\n`).join('');
  return iconv.encode(text, encoding, { addBOM: mark });
}

/** Imports the list, changes its rejects file, and gives it back. */
async function giveBack(written: Written, place: (typeof PLACES)[number], change: (rejects: Buffer) => Buffer) {
  const world = await createWorld();
  world.file('list.csv', iconv.encode(written.list, written.encoding ?? 'utf-8', { addBOM: written.mark === true }));
  const first = await world.svc(['migrate', 'list.csv', '--yes', '--json', ...written.flags.split(' ')]);
  expect(first.code, first.err).toBe(3);
  const [stored = ''] = first.json.files.rejects;
  const path = place === 'in its place' ? stored : join(world.folder, 'fix/list.csv');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, change(readFileSync(stored)));
  const notes: string[] = [];
  const { code, err } = await world.svc(['migrate', path, '--yes', '--json'], {
    onEvent: (event) => event.type === 'note' && notes.push(event.message),
  });
  const { first_name } = world.emulator.admin.contact('jo@x.test') ?? {};
  return { code, err, name: first_name, notes: notes.join('\n') };
}

const SVC = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'];
const ROWS = (name: string) => [
  [...SVC, 'Email', 'First Name', 'Status'],
  ['list.csv', '3', 'Email', 'invalid_email', '', '', 'jo@x.test', name, 'active'],
];

const RESAVED: readonly (readonly [what: string, written: Written, saved: Saved])[] = [
  ['windows-1252 saved as UTF-8', LATIN, UTF8_COMMAS],
  ['windows-1252 saved as UTF-8 with semicolons', LATIN, UTF8_SEMICOLONS],
  ['windows-1252 saved as UTF-16', LATIN, UTF16_TABS],
  ['windows-1252 saved with semicolons', LATIN, ANSI_SEMICOLONS],
  ['a DOS code page saved as UTF-8', DOS, UTF8_COMMAS],
  ['UTF-8 saved as windows-1252', UTF8, ANSI],
  ['UTF-8 saved as UTF-16', UTF8, UTF16_TABS],
  ['Shift JIS saved as UTF-8', JAPANESE, UTF8_COMMAS],
  ['carets saved as commas', CARETS, UTF8_COMMAS],
  ['backslashes saved as commas with all cells in quotes', BACKSLASHES, { ...UTF8_COMMAS, quotesAll: true }],
  ['unquoted cells saved with a byte order mark', UNQUOTED, UTF8_SEMICOLONS],
  ['unquoted cells saved with all cells in quotes', UNQUOTED, { ...UTF8_SEMICOLONS, mark: false, quotesAll: true }],
  ['unquoted cells saved with the same delimiter', UNQUOTED, PLAIN_SEMICOLONS],
  ['a cell with one quote saved with the same delimiter', OPEN_QUOTE, PLAIN_SEMICOLONS],
  ['cells in apostrophes saved with the same delimiter', APOSTROPHES, PLAIN_SEMICOLONS],
  ['backslashes saved with the same delimiter', BACKSLASHES, UTF8_COMMAS],
  ['backslashes without --quote saved with the same delimiter', ESCAPED, UTF8_COMMAS],
];

// Each form stands in one of the two places.
test.each(RESAVED.flatMap((row, at) => everyNth(PLACES, 2, at).map((place) => [...row, place] as const)))(
  'reads rejects as they are now when a spreadsheet changed %s (F9)',
  async (_, written, form, place) => {
    const { code, err, name, notes } = await giveBack(written, place, () => saved(ROWS(written.name), form));
    expect([code, name], err).toEqual([0, written.name]);
    expect(notes).toContain('was saved in another form');
  },
);

test.each([
  ['doubled quotes', BACKSLASHES],
  ['a backslash', ONE_BACKSLASH],
])('reads moved rejects with %s when their header lost its quotes (F9)', async (_, written) => {
  const quoted = { ...written, list: written.list.replace(/^.*/, '"Email","First Name","Status"') };
  const { code, err, name, notes } = await giveBack(quoted, 'in another folder', () =>
    saved(ROWS(quoted.name), UTF8_COMMAS),
  );
  expect([code, name, notes], err).toEqual([0, quoted.name, expect.stringContaining('was saved in another form')]);
});

test.each(PLACES)('reads marked and unmarked rejects together when they stand %s (F9)', async (place) => {
  const world = await createWorld();
  for (const name of ['a.csv', 'b.csv']) {
    const list = UTF8.list.replace('jo at', `${name} at`);
    world.file(name, iconv.encode(list, 'utf-8', { addBOM: name === 'a.csv' }));
  }
  const { json } = await world.svc('migrate a.csv b.csv --yes --json --encoding utf-8');
  const paths: string[] = json.files.rejects;
  for (const path of paths) {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('.csv at ', '@'));
  }
  const copies = paths.map((path) => world.file(`copy-of-${basename(path)}`, readFileSync(path)));
  const { code, err } = await world.svc(['migrate', ...(place === 'in its place' ? paths : copies), '--yes', '--json']);
  expect([code, world.emulator.admin.contact('a@x.test')?.first_name], err).toEqual([0, 'Jörg']);
});

test.each(PLACES)('reads the last cell as it is now when its row was saved %s (F9)', async (place) => {
  const rows = ROWS(LAST_CELL.name).map(([...cells]) => [
    ...cells.slice(0, -2),
    cells.at(-1) ?? '',
    cells.at(-2) ?? '',
  ]);
  const { code, err, name } = await giveBack(LAST_CELL, place, () => saved(rows, PLAIN_SEMICOLONS));
  expect([code, name], err).toEqual([0, LAST_CELL.name]);
});

test('asks for two commands when a spreadsheet saved one of two rejects (F9)', async () => {
  const world = await createWorld();
  for (const name of ['a.csv', 'b.csv']) {
    world.file(name, iconv.encode(LATIN.list.replace('jo at', `${name} at`), 'windows-1252'));
  }
  const { json } = await world.svc('migrate a.csv b.csv --yes --json --encoding windows-1252 --timezone Europe/Berlin');
  const [first = '', second = ''] = json.files.rejects;
  writeFileSync(first, iconv.decode(readFileSync(first), 'windows-1252'));
  for (const files of [
    [first, second],
    [first, 'b.csv'],
  ]) {
    const { code, err } = await world.svc(['migrate', ...files, '--yes', '--json']);
    expect([code, JSON.parse(err).error.code]).toEqual([2, 'different_answers']);
  }
});

const QUOTED_OTHERWISE = [APOSTROPHES, OPEN_QUOTE, LAST_CELL, ESCAPED, NEXT_TO_EMPTY];
const UTF16: Written = { ...UTF8, encoding: 'utf-16-le', flags: '--encoding utf-16-le' };
const MARKED = [UTF8, UTF16, CARETS, BACKSLASHES, UNQUOTED, OPEN_QUOTE].map((written) => ({ ...written, mark: true }));
const UNCHANGED: readonly Written[] = [
  LATIN,
  DOS,
  UTF8,
  JAPANESE,
  CARETS,
  BACKSLASHES,
  UNQUOTED,
  ...QUOTED_OTHERWISE,
  ...MARKED,
];

test.each(
  UNCHANGED.flatMap((written, at) =>
    everyNth(PLACES, 2, at + 1).map((place) => [written.flags, place, written] as const),
  ),
)('keeps flags for the bytes of rejects that an editor corrected: %s (F9)', async (_, place, written) => {
  const { code, err, name, notes } = await giveBack(written, place, (rejects) => {
    const text = iconv.decode(rejects, written.encoding ?? 'utf-8', { stripBOM: false });
    return iconv.encode(text.replaceAll('jo at ', 'jo@'), written.encoding ?? 'utf-8');
  });
  expect([code, name, notes], err).toEqual([0, written.name, '']);
});
