import { expect, test } from 'vitest';
import { SvcError } from '../../../../src/base/lib/errors.ts';
import { stepOf } from '../../../support/sweep.ts';
import { csv, type ReadList, readList } from '../support.ts';

const DEFAULT = { defaultStatus: { '*': 'subscribed' } } as const;

function subscribed({ contacts }: ReadList): readonly string[] {
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => email.replace('@x.test', ''));
}

function reasons({ reading }: ReadList) {
  return Object.fromEntries((reading.rejections ?? []).map(({ reason, total }) => [reason, total]));
}

const SWALLOWED: readonly (readonly [what: string, list: string, signedUp: readonly string[]])[] = [
  [
    'an id before the address',
    csv(
      'id,email,first name,unsubscribed_at,status',
      '1,al@x.test,Al,2024-01-01,unsubscribed',
      '2,ana@x.test,"Ana,2024-02-02,left',
      '3,cy@x.test,Cy",,active',
      '4,di@x.test,Di,,active',
    ),
    ['di'],
  ],
  [
    'a name before the address',
    csv(
      'Name,Email,Status',
      'Bo,bo@x.test,active',
      '"Ana,ana@x.test,active',
      'Bo,bo@x.test,unsubscribed',
      'Cy",cy@x.test,active',
      'Di,di@x.test,active',
    ),
    ['di'],
  ],
  [
    'a first name before the address',
    csv(
      'First name,Email,Status',
      'Bo,bo@x.test,active',
      '"Ana,ana@x.test,active',
      'Bo,bo@x.test,active',
      'Cy",cy@x.test,active',
      'Di,di@x.test,active',
    ),
    ['di'],
  ],
  [
    'text after the closing quote',
    csv(
      'Email,Name,Status',
      'bo@x.test,Bo,active',
      'ana@x.test,"Ana,active',
      'bo@x.test,Bo,unsubscribed',
      'cy@x.test,Cy" C,active',
      'di@x.test,Di,active',
    ),
    ['di'],
  ],
  [
    'a row that loses only its end',
    csv('Name,Email,Status', '"Ana,ana@x.test,unsubscribed', 'Cy",cy@x.test,active', 'Ana,ana@x.test,active'),
    [],
  ],
  [
    'an unclear address in the swallowed row',
    csv(
      'Name,Email,Status',
      'Bo,bo@x.test,active',
      '"Ana,ana (at) x.test,active',
      'Bo,bo@x.test (left),unsubscribed',
      'Cy",cy@x.test,active',
      'Di,di@x.test,active',
    ),
    ['di'],
  ],
  [
    'rows without the blank cells at their end',
    csv(
      'Email,Status,City,Phone,Company,Notes',
      'bo@x.test,active,,,,',
      'ana@x.test,active,"Ulm',
      'bo@x.test,unsubscribed',
      'cy@x.test,active,Bonn",1,Acme,x',
      'di@x.test,active,,,,',
    ),
    ['di'],
  ],
  [
    'blanks behind the delimiters',
    csv(
      'Name, Email, Status',
      'Bo, bo@x.test, active',
      '"Ana, ana@x.test, active',
      'Bo, bo@x.test, unsubscribed',
      'Cy", cy@x.test, active',
      'Di, di@x.test, active',
    ),
    ['di'],
  ],
];

test.each(SWALLOWED)(
  'signs up no person whose row becomes part of a quoted cell: %s (C9)',
  async (_, text, signedUp) => {
    const list = await readList({ 'list.csv': text }, { ...DEFAULT, statusMap: { left: 'unsubscribed' } });
    expect([subscribed(list), reasons(list)]).toEqual([signedUp, expect.objectContaining({ rows_in_quotes: 1 })]);
    const messages = list.reading.findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining('a quote opens there and closes further down'));
  },
);

const COLUMNS = ['Email', 'First Name', 'Status', 'City', 'Company'];

/** A row about a person, as its cells. */
function rowOf(order: readonly string[], name: string, status: string): readonly string[] {
  const cells: Readonly<Record<string, string>> = { Email: `${name}@x.test`, 'First Name': name, Status: status };
  return order.map((column) => cells[column] ?? 'Ulm');
}

interface LateQuote {
  readonly order: readonly string[];
  /** The columns in which the quote opens and closes. */
  readonly open: number;
  readonly close: number;
  readonly between: readonly string[];
  readonly tail: string;
}

const ORDERS = [['Email', 'Status'], COLUMNS.slice(0, 3), COLUMNS.slice(0, 4), COLUMNS].flatMap((columns) =>
  columns.map((_, shift) => [...columns.slice(shift), ...columns.slice(0, shift)]),
);
const LATE_QUOTES: readonly LateQuote[] = ORDERS.flatMap((order) =>
  order.flatMap((_, open) =>
    order.flatMap((__, close) =>
      [[], ['bo'], ['bo', 'flo']].flatMap((between) =>
        ['', ' C'].map((tail) => ({ order, open, close, between, tail })),
      ),
    ),
  ),
);

test.each([',', ';', '\t', '|', '^', '\u00a6', '~'])(
  'signs up no person when a quote closes too late, delimiter %j (C9)',
  async (cut) => {
    const step = stepOf(83);
    const start = cut.charCodeAt(0) % step;
    for (let at = start; at < LATE_QUOTES.length; at += step) {
      const { order, open, close, between, tail } = LATE_QUOTES[at] as LateQuote;
      const line = (name: string, status: string) => rowOf(order, name, status).join(cut);
      const [first, last] = [rowOf(order, 'ana', 'unsubscribed'), rowOf(order, 'cy', 'unsubscribed')];
      const others = Array.from({ length: 12 }, (_, index) => `p${index}`);
      const text = csv(
        order.join(cut),
        ...others.map((name) => line(name, 'active')),
        first.with(open, `"${first[open]}`).join(cut),
        ...between.map((name) => line(name, 'unsubscribed')),
        last.with(close, `${last[close]}"${tail}`).join(cut),
        ...['ana', 'cy', ...between].map((name) => line(name, 'active')),
      );
      const list = await readList({ 'list.csv': text }, DEFAULT).catch((error: unknown) => error);
      const isStopped = list instanceof SvcError || (list as ReadList).trouble.some((one) => one.startsWith('stop'));
      expect([text, isStopped || subscribed(list as ReadList)]).toEqual([text, isStopped || others]);
    }
  },
);

const SIGNATURE = 'Hello,\nplease call me.\n\nRegards, Bo\nBo Berg, Sales, Acme\nTel. 1, Fax 2\nbo@x.test';
const LEGITIMATE: readonly (readonly [what: string, header: string, cell: string])[] = [
  ['a mail signature', 'Email,Name,Notes', SIGNATURE],
  ['a mail signature in two columns', 'Email,Notes', SIGNATURE],
  ['an address behind a comma', 'Email,Notes', 'She wrote:\nRegards, bo@x.test'],
  ['an address behind a comma in the first line', 'Email,Notes', 'Ask Bo, bo@x.test\nor Cy'],
  ['the address of a company', 'Email,Name,Address', 'Acme, Inc.\nMain St 5, 2nd floor\n12345 Ulm, Germany\nbo@x.test'],
  ['a quoted mail', 'Email,Notes', '> From: Bo <bo@x.test>\n> To: ana@x.test, cy@x.test\n> Hello,\n> yes, no'],
  ['JSON', 'Email,Data', '{\n"email": "bo@x.test",\n"name": "Bo"\n}'],
  ['JSON in one line', 'Email,Data', '[\n{"email":"bo@x.test","name":"Bo"},\n{"email":"cy@x.test","name":"Cy"}\n]'],
  ['a list of addresses', 'Email,Name,Status,City,Phone,Company,Notes', 'Cc:\nbo@x.test, cy@x.test\ndi@x.test, Di'],
];

test.each(LEGITIMATE)('reads a cell with several lines as one cell: %s', async (_, header, cell) => {
  const width = header.split(',').length;
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  for (const ending of ['\n', '\r\n', '\r']) {
    const row = (name: string, note: string) => [`${name}@x.test`, ...Array(width - 2).fill(''), note].join(',');
    const rows = [header, row('ana', ''), row('kim', quoted), row('lee', '')].join('\n').replaceAll('\n', ending);
    const list = await readList({ 'list.csv': `${rows}${ending}` }, DEFAULT);
    expect([subscribed(list), reasons(list)]).toEqual([['ana', 'kim', 'lee'], {}]);
  }
});

test.each([
  [
    'a note that names an address',
    'Email,Notes,First,Last,Status',
    'ana@x.test,"Called.\nsee bo@x.test,urgent",Ana,Berg,active',
  ],
  ['addresses with a comma at the end', 'Email,A,B,Other emails', 'ana@x.test,1,2,"a@x.test,\nb@x.test"'],
  ['addresses cut like the list', 'Email;A;Others;Status', 'ana@x.test;1;"a@x.test;b@x.test\nsee mail";active'],
])('keeps a row whose cell with several lines has %s', async (_, header, row) => {
  const list = await readList({ 'list.csv': csv(header, row) }, DEFAULT);
  expect(list.reading.rejections ?? []).toEqual([]);
});
