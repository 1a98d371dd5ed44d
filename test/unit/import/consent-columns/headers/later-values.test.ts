import { describe, expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';

// svc reads the first 50 rows before it knows what each column means. A person who left can stand in a later row.
const ROWS_BEFORE = 60;

function listWith(header: string, cell: string, before = '') {
  const rows = Array.from({ length: ROWS_BEFORE }, (_, nth) => `p${nth}@x.test,Rome,active,${before}`);
  return { 'list.csv': csv(`Email,City,Status,${header}`, ...rows, `left@x.test,Rome,active,${cell}`) };
}

/** `sub` if svc signs up the last person, otherwise `-`: as svc reads the list, and with all first answers. */
async function become(header: string, cell: string, before?: string): Promise<readonly string[]> {
  const files = listWith(header, cell, before);
  const lists = [await readList(files), await pasteHints(files)];
  return lists.map((list) =>
    list?.contacts.some(({ email, status }) => email === 'left@x.test' && status === undefined) ? 'sub' : '-',
  );
}

const HEADERS =
  'Out|Gesp.|Weg|Parti|Décès|Falleció|Uitschr|Left the club|Hold|Failed|Closed|Returned|Off|†|Mail KO|marketing_ban|エラー|Выбыл|Умер';

describe('a column whose first 50 cells are blank', () => {
  test.each(HEADERS.split('|'))('signs no person up who left by a later cell of %s (C10, C11)', async (header) => {
    for (const cell of ['2020-01-01', 'yes', 'x', '550 5.1.1 user unknown']) {
      expect([cell, ...(await become(header, cell))]).toEqual([cell, '-', '-']);
    }
  });

  test.each(['Outros', 'Soft bounces', 'Days left', 'Private email', 'Newsletter id', 'Spam score'])(
    'keeps a person subscribed by a later 1 or no under %s (C6, C10)',
    async (header) => {
      for (const cell of ['1', 'none']) {
        expect([cell, ...(await become(header, cell))]).toEqual([cell, 'sub', 'sub']);
      }
    },
  );

  test.each(['Notiziario', 'Рассылка'])('asks about a later no under %s (C10)', async (header) => {
    expect(await become(header, 'no')).toEqual(['-', '-']);
  });
});

test.each(['Out', 'Gone', 'Left the club', 'Closed'])(
  'asks about a yes under %s after other texts (C10)',
  async (one) => {
    for (const before of ['no', 'Main St']) {
      expect([before, ...(await become(one, 'yes', before))]).toEqual([before, '-', '-']);
    }
  },
);

test.each(['Closed', 'Expired', 'Left the club'])(
  'asks about a cell that repeats its header %s (C10, C11)',
  async (one) => {
    const cell = one.split(' ')[0]?.toLowerCase() ?? '';
    expect(await become(one, cell)).toEqual(['-', '-']);
  },
);

test('offers no other key for a column that may say who left (C11)', async () => {
  const rows = Array.from({ length: ROWS_BEFORE }, (_, nth) => `p${nth}@x.test,active,,`);
  const files = { 'list.csv': csv('Email,Status,Out,Out', ...rows, 'left@x.test,active,A,2020-01-01') };
  expect((await readList(files)).finding('attribute_collision')?.hint).toBe('--map 4=status');
});

test.each(['Cleaned', 'Moved', 'Skip', 'Estate', 'Karteileiche'])('asks about a tick under %s (C10)', async (one) => {
  expect([await become(one, 'x'), await become(one, 'Northfield')]).toEqual([
    ['-', '-'],
    ['sub', 'sub'],
  ]);
});

const BRIEF_NOTES = [
  'd. 2021',
  'd. 3.4.2021',
  'gest. 2021',
  'weg',
  'raus',
  'verst.',
  'tot',
  'ovl. 2020',
  'zm. 2020',
  'NPAI',
];

test.each(BRIEF_NOTES)('asks about the whole note %s (C10)', async (note) => {
  expect(await become('Notes', note)).toEqual(['-', '-']);
});

test('keeps a person subscribed when a note only resembles a brief end (C10)', async () => {
  for (const note of ['b. 1960', 'geb. 1971', 'm. 2019', 'Dec 2021', 'D 12', 'weg zum Bahnhof 3', 'fin de mes']) {
    expect([note, ...(await become('Notes', note))]).toEqual([note, 'sub', 'sub']);
  }
});
