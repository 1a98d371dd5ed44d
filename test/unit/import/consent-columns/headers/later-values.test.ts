import { describe, expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, readAndPaste } from '../../survey/checks/paste-hints.ts';

// svc reads the first 50 rows before it knows what each column means. A person who left can stand in a later row.
const ROWS_BEFORE = 60;

function listWith(header: string, cell: string, before = '') {
  const rows = Array.from({ length: ROWS_BEFORE }, (_, nth) => `p${nth}@x.test,Rome,active,${before}`);
  return { 'list.csv': csv(`Email,City,Status,${header}`, ...rows, `left@x.test,Rome,active,${cell}`) };
}

/**
 * What becomes of the last person, as svc reads the list, and with all first answers: `sub` if svc signs the person up,
 * `left` if it opts the person out, `asked` if it asks, otherwise `-`.
 */
async function become(header: string, cell: string, before?: string): Promise<readonly string[]> {
  const files = listWith(header, cell, before);
  const lists = await readAndPaste(files);
  return lists.map((list) => {
    const sent = list?.contacts.find(({ email }) => email === 'left@x.test');
    const other = list?.trouble.includes('stop unknown_status') ? 'asked' : '-';
    return sent === undefined ? other : sent.status === undefined ? 'sub' : 'left';
  });
}

const LEAVING_CELLS = ['2020-01-01', 'yes', 'x', '550 5.1.1 user unknown'];
const HEADERS =
  'Out|Gesp.|Weg|Parti|Décès|Falleció|Uitschr|Left the club|Hold|Failed|Closed|Returned|Off|†|Mail KO|marketing_ban|エラー|Выбыл|Умер';

describe('a column whose first 50 cells are blank', () => {
  test.each(HEADERS.split('|'))(
    'subscribes no person with an opt-out in a later row under %s (C10, C11)',
    async (header) => {
      for (const cell of everyNth(LEAVING_CELLS, 2, HEADERS.split('|').indexOf(header))) {
        expect([cell, await become(header, cell)]).toEqual([cell, expect.not.arrayContaining(['sub'])]);
      }
    },
  );

  test.each(['Outros', 'Soft bounces', 'Days left', 'Private email', 'Newsletter id', 'Spam score'])(
    'keeps people subscribed when a late cell in %s is 1 or "none" (C6, C10)',
    async (header) => {
      for (const cell of ['1', 'none']) {
        expect([cell, ...(await become(header, cell))]).toEqual([cell, 'sub', 'sub']);
      }
    },
  );

  test.each(['Notiziario', 'Рассылка'])('asks about a no after 60 blank cells under %s (C10)', async (header) => {
    expect(await become(header, 'no')).toEqual(['asked', '-']);
  });
});

test.each(['Out', 'Left the club', 'Closed'])(
  'asks about a yes under %s below rows with other text (C10, C11)',
  async (one) => {
    for (const before of ['no', 'Main St']) {
      expect([before, ...(await become(one, 'yes', before))]).toEqual([before, 'asked', '-']);
    }
  },
);

// No valid attribute key can be made of the last three headers, so another check offers an answer for them too.
test.each(['Gone', 'Выбыл', 'Умерла', '停止'])(
  'opts people out by a yes under %s below rows with other text (C10, C11)',
  async (one) => {
    for (const before of ['no', 'Main St']) {
      expect([before, ...(await become(one, 'yes', before))]).toEqual([before, 'left', 'left']);
    }
  },
);

test.each(['Closed', 'Expired', 'Left the club'])(
  'asks about a cell that repeats its header %s (C10, C11)',
  async (one) => {
    const cell = one.split(' ')[0]?.toLowerCase() ?? '';
    expect(await become(one, cell)).toEqual(['asked', '-']);
  },
);

test.each(['Membership end', 'Mitglied bis'])(
  'asks about a yes under %s when earlier rows say no (C10, C11)',
  async (one) => {
    expect(await become(one, 'yes', 'no')).toEqual(['asked', '-']);
  },
);

test('pasted hints opt out no person with a street under Out (C11)', async () => {
  const list = await pasteHints(listWith('Out', '2020-01-01', 'Main St'));
  expect(list?.contacts.filter(({ status }) => status === undefined).length).toBe(ROWS_BEFORE);
});

test('offers a second column "Out" as status when it may say who left (C11)', async () => {
  const rows = Array.from({ length: ROWS_BEFORE }, (_, nth) => `p${nth}@x.test,active,,`);
  const files = { 'list.csv': csv('Email,Status,Out,Out', ...rows, 'left@x.test,active,A,2020-01-01') };
  expect((await readList(files)).finding('attribute_collision')?.hint).toBe('--map 4=status');
});

test.each(['Cleaned', 'Moved', 'Skip', 'Estate', 'Karteileiche'])('asks about a tick under %s (C10)', async (one) => {
  expect([await become(one, 'x'), await become(one, 'Northfield')]).toEqual([
    ['asked', '-'],
    ['sub', 'sub'],
  ]);
});

test.each(
  'Deadline|Kick-off|Out of office|Work out|Message left|Returned form|Failed payment|Quit smoking|Off peak'.split('|'),
)('asks nothing about a tick or a date under the usual header %s (C10)', async (one) => {
  expect([await become(one, 'x'), await become(one, '2020-01-01')]).toEqual([
    ['sub', 'sub'],
    ['sub', 'sub'],
  ]);
});

test('asks about a yes, not a no, under a header such as "Returned" (C10)', async () => {
  for (const header of ['Returned', 'Cleaned', 'Failed', 'Raus']) {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'left@x.test,active,yes', 'ann@x.test,active,no') };
    expect((await readList(files)).finding('unknown_status')?.hint).toBe(`--status-map ${header}:yes=skip`);
    expect((await pasteHints(files))?.contacts.map(({ email }) => email)).toEqual(['ann@x.test']);
  }
});

test.each(['Not left', 'Mail KO', 'Never gone', 'Ban ended', 'Block cancelled', 'Stop ended'])(
  'asks about a no under %s (C10)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'ann@x.test,active,yes', 'left@x.test,active,no') };
    const { trouble, contacts } = await readList(files);
    expect([trouble, contacts, (await pasteHints(files))?.contacts]).toEqual([['stop unknown_status'], [], []]);
  },
);

test.each(
  'Customer left|User has left|Client gone|Donor quit|Staff left|Student left|Has the customer left|Candidate resigned'.split(
    '|',
  ),
)('asks about a yes, a tick and a date under %s (C10)', async (header) => {
  for (const cell of ['yes', 'x', '2020-01-01']) {
    // The first answer may make a column of one date the date of the opt-out.
    const first = cell === '2020-01-01' ? 'left' : '-';
    expect([cell, ...(await become(header, cell)), ...(await become(header, cell, 'no'))]).toEqual([
      cell,
      ...['asked', first, 'asked', '-'],
    ]);
  }
});

test('asks nothing under headers such as "Customers left" (C6, C10)', async () => {
  const cells = [
    ['Customers left', '4'],
    ['Staff left', '7'],
    ['User left', 'Ann'],
    ['Customer left review', 'yes'],
  ] as const;
  for (const [header, cell] of cells) {
    expect([header, ...(await become(header, cell))]).toEqual([header, 'sub', 'sub']);
  }
});

test.each(
  'Not left|Has not left|Hasn’t left|Never left|not-left|Nicht ausgetreten|Customer not left|Not cancelled|Never late'.split(
    '|',
  ),
)('asks about a no under %s when no row says yes (C10)', async (header) => {
  expect([await become(header, 'no'), await become(header, 'no', 'no')]).toEqual([
    ['asked', '-'],
    ['asked', '-'],
  ]);
});

test.each('Left|Not active|Not valid|Not wanted|Not a member|No returns|Do not delete'.split('|'))(
  'asks nothing about a no under %s when no row says yes (C6, C10)',
  async (header) => {
    expect(await become(header, 'no', 'no')).toEqual(['sub', 'sub']);
  },
);

test.each('Plecat|Odešla|Barred|Avgått|Zgon|Вийшла|Έφυγε|离职|停用|ลาออก|غادر'.split('|'))(
  'asks about a tick under %s, and about the same word as a note (C10, C11)',
  async (word) => {
    expect([await become(word, 'x'), await become('Notes', word)]).toEqual([
      ['asked', '-'],
      ['asked', '-'],
    ]);
  },
);

test('reads a tick under "Вышел" as an opt-out, asks about it as a note (C10)', async () => {
  expect([await become('Вышел', 'x'), await become('Notes', 'Вышел')]).toEqual([
    ['left', 'left'],
    ['asked', '-'],
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

test.each(BRIEF_NOTES)('asks about a note that says only %s (C10)', async (note) => {
  expect(await become('Notes', note)).toEqual(['asked', '-']);
});

test('keeps a person subscribed when a note only resembles an opt-out (C10)', async () => {
  for (const note of ['b. 1960', 'geb. 1971', 'm. 2019', 'Dec 2021', 'D 12', 'weg zum Bahnhof 3', 'fin de mes']) {
    expect([note, ...(await become('Notes', note))]).toEqual([note, 'sub', 'sub']);
  }
});

const PLACES = [3, 49, 51];

/** What svc says about a list of people with one such cell, and what becomes of its person. */
async function outcomesAt(place: number, header: string, cell: string, rows = 55): Promise<string> {
  const row = (nth: number) => (nth === place ? `left@x.test,active,${cell}` : `p${nth}@x.test,active,`);
  const files = {
    'list.csv': csv(`Email,Status,${header}`, ...Array.from({ length: rows }, (_, nth) => row(nth + 1))),
  };
  const list = await readList(files);
  const stops = list.reading.findings.filter(({ level }) => level === 'stop');
  const person = list.contacts.find(({ email }) => email === 'left@x.test');
  return JSON.stringify([stops.map(({ message, hint }) => [message, hint]), person?.status ?? typeof person]);
}

const LATE_HEADERS =
  'Delivery status|Versand|Result|Response|Event|Type|No|Email|Tags|State|Order status|Unsubscribe link|List: News|Company||Reason';
const LATE_CELLS =
  'yes|0|x|2021-03-04|blocked|bounce|spamtrap|catch all|cancelled|out|Unsubscibed|kein Newsletter|550 5.1.1 user unknown|Do not allow|opened';

describe('a column that is blank in all rows but one', () => {
  test.each(LATE_HEADERS.split('|'))('reads a cell under %s the same in any row of the list (C10)', async (header) => {
    for (const cell of everyNth(LATE_CELLS.split('|'), 4, LATE_HEADERS.split('|').indexOf(header))) {
      const outcomes = await Promise.all(PLACES.map((place) => outcomesAt(place, header, cell)));
      expect([cell, new Set(outcomes).size]).toEqual([cell, 1]);
    }
  });

  test('asks the same question when only row 3, 301 or 5,000 is filled (C10)', async () => {
    const outcomes = await Promise.all([3, 301, 5_000].map((place) => outcomesAt(place, 'No', 'x', 5_010)));
    expect([new Set(outcomes).size, outcomes[0]?.includes('No:x=skip')]).toEqual([1, true]);
  });

  test('sends a column as an attribute when only late rows fill it', async () => {
    const rows = Array.from({ length: ROWS_BEFORE }, (_, nth) => `p${nth}@x.test,active,${nth < 55 ? '' : 'Oak'}`);
    const list = await readList({ 'list.csv': csv('Email,Status,Tree', ...rows) });
    expect([list.trouble, list.contacts.at(-1)?.attributes]).toEqual([[], { tree: 'Oak' }]);
  });
});

test('signs up no blocked person when another row has an SMTP reply (C10)', async () => {
  for (const header of ['Versand', 'Delivery status', 'Response', 'Company']) {
    for (const blanks of [1, ROWS_BEFORE]) {
      const rows = Array.from({ length: blanks }, (_, nth) => `p${nth}@x.test,active,`);
      const marked = ['left@x.test,active,blocked', 'gone@x.test,active,550 5.1.1 user unknown'];
      const list = await pasteHints({ 'list.csv': csv(`Email,Status,${header}`, ...rows, ...marked) });
      expect([header, list?.contacts.filter(({ status }) => status === undefined).length]).toEqual([header, blanks]);
    }
  }
});

test.each([
  '550 5.1.1 user unknown',
  'smtp; 550 5.1.1',
  'Failed with 554-5.7.1 blocked',
  '550: no such user',
  '550 5.1.1',
])('skips a person for a late final SMTP reply in any column: %s (C10)', async (reply) => {
  for (const header of ['Type', 'Company', 'Order status', 'Response', 'City 2', 'Last name 2']) {
    expect([header, ...(await become(header, reply, 'Oak'))]).toEqual([header, '-', '-']);
  }
});

test('signs up a person whose number only resembles an SMTP reply (C10)', async () => {
  for (const cell of ['555 123 4567', '555-0100', '550 5th Avenue', '550;5', 'Room 550 5', '5.1.1', '550 Oak St']) {
    expect([cell, ...(await become('Type', cell, 'Oak'))]).toEqual([cell, 'sub', 'sub']);
  }
});

test('asks about a no in a serialized PHP array below other texts (C10)', async () => {
  expect(await become('Type', '"a:1:{s:10:""newsletter"";b:0;}"', 'Oak')).toEqual(['asked', '-']);
});

const LEAVING_HEADERS =
  'Leave|Wants to leave|Leave us|Leaves|Please leave out|Stop messages|No more messages|Remove message|Quit message|Message rejected|Returned message|Cancellation form|Cancel form|Withdrawal form|Stop form|Left form|Left survey|Sign out|Take out|Drop off';

test.each(LEAVING_HEADERS.split('|'))('signs no person up with an x under %s (C10)', async (header) => {
  const { contacts } = await readList({
    'list.csv': csv(`Email,Status,${header}`, 'p@x.test,active,', 'left@x.test,active,x'),
  });
  expect(contacts.map(({ email }) => email)).not.toContain('left@x.test');
});

test('skips a blocked person when many other columns are filled first (C10)', async () => {
  const others = Array.from({ length: 11 }, (_, index) => `C${index}`);
  const row = (email: string, at: number, last = '') => [
    email,
    'active',
    ...others.map((_, index) => (index === at ? 'x1' : '')),
    last,
  ];
  const rows = Array.from({ length: 600 }, (_, nth) =>
    row(`p${nth}@x.test`, nth < 50 ? -1 : Math.floor((nth - 50) / 50)),
  );
  const table = [['Email', 'Status', ...others, 'Delivery status'], ...rows, row('left@x.test', -1, 'blocked')];
  const { contacts } = await readList({ 'list.csv': csv(...table.map((cells) => cells.join())) });
  expect(contacts.map(({ email }) => email)).not.toContain('left@x.test');
});
