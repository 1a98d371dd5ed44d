import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../../../src/base/lib/errors.ts';
import { createRandom } from '../../../simulation/random.ts';
import { stepOf } from '../../../support/sweep.ts';
import { csv, type ReadList, readList } from '../support.ts';

interface ExpectedList {
  /** The expected contacts, each as `ana`, or as `ben unsubscribed`. */
  readonly contacts: readonly string[];
  readonly rejected?: Readonly<Record<string, number>>;
  readonly stops?: readonly string[];
}

const U16 = (text: string) => iconv.encode(text, 'utf-16-le', { addBOM: false });

const LIST = csv('Email,Status', ...Array.from({ length: 20 }, (_, index) => `p${index}@example.com,active`));

const READ: readonly (readonly [claim: string, text: string | Buffer, expected: ExpectedList])[] = [
  [
    'a footer without an address is rejected and stops nothing',
    csv('Email,Status', 'ana@example.com,active', 'Total: 1'),
    { contacts: ['ana'], rejected: { invalid_email: 1 } },
  ],
  [
    'a row with an unquoted comma is rejected and stops nothing',
    csv('Email,Company,Status', 'ana@example.com,Beta, Inc.,active', 'ben@example.com,Acme,unsubscribed'),
    { contacts: ['ben unsubscribed'], rejected: { too_many_fields: 1 } },
  ],
  [
    'no other row subscribes the person of a damaged row (C9)',
    csv('Email,Company,Status', 'ana@example.com,Beta, Inc.,unsubscribed', 'ana@example.com,Acme,active'),
    { contacts: [], rejected: { too_many_fields: 1 } },
  ],
  [
    'a line above the header holds an address',
    csv('Report,,', 'Owner,admin@example.com,', ',,', 'Email,Name,Status', 'ana@example.com,Ana,active'),
    { contacts: ['ana'] },
  ],
  [
    'a row that a late quote joins with others is rejected',
    csv('Email,Name,Status', 'ana@example.com,"Ana,active', 'ben@example.com,Bo",active', 'cleo@example.com,C,active'),
    { contacts: ['cleo'], rejected: { rows_in_quotes: 1 } },
  ],
  [
    'rows with another delimiter than the header stop the run',
    csv(
      'Email,Name,Status',
      ...['a', 'b', 'c'].map((name) => `${name}@example.com,x,active`),
      'a@example.com;x;bounced',
    ),
    { contacts: ['b', 'c'], rejected: { invalid_email: 1 }, stops: ['ragged_rows'] },
  ],
  [
    'a second list with other columns in the same file stops the run',
    csv('Email,First Name,Status', 'ana@example.com,Ana,active', 'Email,City,Status', 'ben@example.com,Ulm,active'),
    { contacts: ['ana'], rejected: { invalid_email: 1, below_other_header: 1 }, stops: ['ragged_rows'] },
  ],
  [
    'a second list with columns in another order stops the run',
    csv('Email,Status', 'ana@example.com,active', 'Status,Email', 'unsubscribed,ana@example.com'),
    { contacts: [], rejected: { invalid_email: 1, below_other_header: 1 }, stops: ['ragged_rows'] },
  ],
  [
    'a repeated header in other letters is rejected as a row',
    csv('Email,Status', 'ana@example.com,active', 'EMAIL,STATUS', 'ben@example.com,active'),
    { contacts: ['ana', 'ben'], rejected: { invalid_email: 1 } },
  ],
  [
    'a file in which each whole line is quoted stops the run',
    csv('"Email,Status"', '"ana@example.com,active"', '"ben@example.com,unsubscribed"'),
    { contacts: [], rejected: { invalid_email: 2 }, stops: ['ragged_rows'] },
  ],
  [
    'a cell with two addresses in a one-column list',
    csv('Email', 'ana@example.com', '"ben@example.com, cleo@example.com"'),
    { contacts: [], rejected: { two_addresses_in_cell: 1 }, stops: ['no_status'] },
  ],
  [
    'a second list that begins in the middle of a row stops the run',
    csv(
      'Name,Email,Status',
      'Ana,ana@example.com,active',
      'Bo,ben@example.com,Email,Name,Status',
      'ana@example.com,Ana,bounced',
    ),
    { contacts: [], rejected: { too_many_fields: 1, below_other_header: 1 }, stops: ['ragged_rows'] },
  ],
  [
    'rows with another delimiter and a late address stop the run',
    csv('Status,Name,Email', 'active,Ana,ana@example.com', 'active,Bo,ben@example.com', 'bounced;x;ana@example.com'),
    { contacts: ['ben'], rejected: { missing_email: 1 }, stops: ['ragged_rows'] },
  ],
  [
    'a NUL character before an address is no space (F10)',
    csv('Email,Status', '\0ana@example.com,active'),
    { contacts: [], rejected: { invalid_email: 1 } },
  ],
];

test.each(READ)('reads a difficult list as expected: %s', async (_, text, expected) => {
  expect(outcome(await readList({ 'list.csv': text }))).toEqual({ rejected: {}, stops: [], ...expected });
});

test.each([
  ['a header with an open quote', csv('Email,"Name,Status', 'ana@example.com,Ana,active'), 'unterminated_quote', 1],
  [
    'a header whose first cell is an open quote',
    csv('"Email,Status', 'ana@example.com,active'),
    'unterminated_quote',
    1,
  ],
  [
    'a header with an open quote after blank lines',
    csv('', ' ', '"Email,Status', 'ana@example.com,active'),
    'unterminated_quote',
    3,
  ],
  [
    'two lists joined, of which the first has another delimiter',
    csv('Email;Status', 'ana@example.com;bounced', 'Email,Status', 'ben@example.com,active', 'cleo@example.com,active'),
    'mixed_tables',
    3,
  ],
  [
    'one row of a list with another delimiter above the header',
    csv('ana@example.com;left', 'Name,Email', 'Ben,ben@example.com', 'Cleo,cleo@example.com'),
    'mixed_tables',
    2,
  ],
  [
    'a small list above one with another delimiter',
    csv(
      'Name;Email;Status',
      'Ana;ana@example.com;bounced',
      'Name,Email,Status',
      ...['a', 'b', 'c'].map((name) => `x,${name}@example.com,active`),
    ),
    'mixed_tables',
    3,
  ],
  [
    'UTF-8 after UTF-16',
    Buffer.concat([
      U16(csv('Email,Status', 'ana@example.com,active')),
      Buffer.from(`${LIST}${LIST.length % 2 ? '\n' : ''}`),
    ]),
    'encoding_mixed',
    3,
  ],
  [
    'UTF-16 with lone CR that lost a byte and got another',
    Buffer.concat([
      U16('Email,Status\rana@example.com,active\r'),
      U16('ben@example.com,bounced\rcleo@example.com,active\r').subarray(1),
      Buffer.from('x'),
    ]),
    'encoding_mixed',
    3,
  ],
  ['UTF-16 after UTF-8', Buffer.concat([Buffer.from(LIST), U16(csv('ben@example.com,bounced'))]), 'encoding_mixed', 22],
  [
    'UTF-16 that lost a byte',
    Buffer.concat([
      U16(csv('Email,Status', 'ana@example.com,active')),
      U16(csv('ben@example.com,bounced')).subarray(1),
    ]),
    'encoding_mixed',
    3,
  ],
])('refuses a list with %s, and names the line', async (_, text, code, line) => {
  const error = await readList({ 'list.csv': text }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code, exit: 2, message: expect.stringContaining(`list.csv, line ${line}:`) });
});

test('warns that lines above the header are left out', async () => {
  const list = await readList({ 'list.csv': csv('Export', '', 'Email,Status', 'ana@example.com,active') });
  const { level, message } = list.finding('columns') ?? {};
  expect(level).toBe('warn');
  expect(message).toContain('the header is line 3, and the lines above it are left out');
});

test('shows at most five rows with unknown status words, and their total', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => `p${index}@example.com,x${index % 2}`);
  const list = await readList({ 'a.zip/in/list.csv': csv('Email,Status', ...rows) });
  const { examples, total, hint } = list.finding('unknown_status') ?? {};
  expect({ total, hint, count: examples?.length, first: examples?.[0] }).toEqual({
    total: 7,
    hint: '--status-map x0=skip --status-map x1=skip',
    count: 5,
    first: { file: 'in/list.csv', line: 2, column: 'Status', value: 'x0' },
  });
});

test('shows in the preview only people who will be sent', async () => {
  const rows = Array.from(
    { length: 9 },
    (_, index) => `p${index}@example.com,${index % 3 === 0 ? 'pending' : 'active'}`,
  );
  const { reading } = await readList({ 'list.csv': csv('Email,Status', ...rows) });
  expect(reading.preview.map(({ email }) => short(email))).toEqual(['p1', 'p2', 'p4', 'p5', 'p7']);
});

function outcome({ contacts, reading }: ReadList) {
  return {
    contacts: contacts.map(({ email, status }) => [short(email), status].filter(Boolean).join(' ')),
    rejected: Object.fromEntries((reading.rejections ?? []).map(({ reason, total }) => [reason, total])),
    stops: reading.findings.filter(({ level }) => level === 'stop').map(({ check }) => check),
  };
}

function short(email: string): string {
  return email.replace(/@example\.com$/, '');
}

describe('a file with random damage', () => {
  const SEEDS = Array.from({ length: 8 }, (_, index) => index * 100);

  test.each(SEEDS)('refuses a damaged file or reads it with correct counts: seed %i', async (from) => {
    for (let seed = from; seed < from + 100; seed += stepOf(3)) {
      const { int } = createRandom(seed);
      const random = (below: number) => int(0, below - 1);
      const { rows, bytes } = list(random);
      const damaged = damage(damage(bytes, random), random);
      const read = await readList({ 'list.csv': damaged }).catch((error: unknown) => error);
      if (read instanceof SvcError) {
        expect([seed, read.exit, read.hint]).toEqual([seed, 2, expect.stringMatching(/\w/)]);
      } else {
        checkBooks(seed, read as ReadList);
        expect([seed, misplacedCells(read as ReadList)]).toEqual([seed, []]);
        expect([seed, resubscribedPeople(read as ReadList, rows, damaged)]).toEqual([seed, []]);
      }
    }
  });
});

function checkBooks(seed: number, { contacts, suppressions, reading }: ReadList): void {
  const { read, rejected, merged, skipped } = reading.rows;
  const suppressed = Object.values(suppressions).flat().length;
  const passed = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  expect([seed, contacts.length + suppressed + rejected + merged + passed]).toEqual([seed, read]);
  const named = (reading.rejections ?? []).map(({ total }) => total).reduce((sum, count) => sum + count, 0);
  const columnIndexes = (reading.rejections ?? []).flatMap(({ examples }) => examples.map(({ line }) => line > 0));
  expect([seed, named, columnIndexes.includes(false)]).toEqual([seed, rejected, false]);
}

// A row that lost a delimiter is short. Its cells may be in wrong columns, but then a finding warns of the row.
function misplacedCells({ contacts, reading }: ReadList): readonly unknown[] {
  if (reading.findings.some(({ check, level }) => check === 'ragged_rows' && level === 'warn')) {
    return [];
  }
  return contacts.filter(({ first_name = '' }) => /@|CITY|^(active|unsubscribed|bounced)$/.test(first_name));
}

// An opt-out in an undamaged row must not be overridden by another row.
function resubscribedPeople({ contacts, reading }: ReadList, rows: readonly Row[], damaged: Buffer): readonly string[] {
  if (reading.findings.some(({ level }) => level === 'stop')) {
    return [];
  }
  const left = rows
    .filter(({ state, bytes }) => state !== 'active' && damaged.includes(bytes))
    .map(({ email }) => email);
  return contacts.filter(({ email, status }) => status === undefined && left.includes(email)).map(({ email }) => email);
}

interface Row {
  readonly email: string;
  readonly state: string;
  readonly bytes: Buffer;
}

type Random = (below: number) => number;

function list(random: Random): { readonly rows: readonly Row[]; readonly bytes: Buffer } {
  const ending = ['\n', '\r\n'][random(2)] as string;
  const delimiter = [',', ';', '\t', '|'][random(4)] as string;
  const encoding = ['utf-8', 'utf-8', 'windows-1252', 'utf-16-le'][random(4)] as string;
  const encode = (text: string) => iconv.encode(text, encoding, { addBOM: false });
  const shift = random(4);
  const inOrder = (cells: readonly string[]) => [...cells.slice(shift), ...cells.slice(0, shift)];
  const rows = Array.from({ length: 4 + random(16) }, (_, index) => {
    const email = `p${random(12)}@example.com`;
    const name = ['Ana', 'José', '"two\nlines"', '"5"" x"', ''][random(5)] as string;
    const state = ['active', 'unsubscribed', 'bounced'][random(3)] as string;
    const text = inOrder([email, name, `CITY${index}`, state]).join(delimiter) + ending;
    return { email, state, text, bytes: encode(ending + text) };
  });
  const header = inOrder(['Email', 'First Name', 'City', 'Status']).join(delimiter) + ending;
  return { rows, bytes: encode(header + rows.map(({ text }) => text).join('')) };
}

const DAMAGE: readonly ((bytes: Buffer, at: number, random: Random) => Buffer)[] = [
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from('"'), bytes.subarray(at)]),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from('é', 'latin1'), bytes.subarray(at)]),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0, 0x1a]), bytes.subarray(at)]),
  (bytes, _, random) => Buffer.concat([bytes, list(random).bytes]),
  (bytes, at, random) => Buffer.from(bytes.with(at, random(256))),
  (bytes, at, random) =>
    Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([',', ';', '\t', '\n', '\r', '""', '\ufeff'][random(7)] ?? ''),
      bytes.subarray(at),
    ]),
];

function damage(bytes: Buffer, random: Random): Buffer {
  // The damage spares the header, because a list without its status column has other rules.
  const from = Math.min(bytes.length - 1, 80);
  const hurt = DAMAGE[random(DAMAGE.length)] as (typeof DAMAGE)[number];
  return hurt(bytes, from + random(bytes.length - from), random);
}

test('names file and line when the encoding changes after 20,000 rows (F10)', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `person${index}@example.com,active`);
  const later = U16(csv('ben@example.com,active'));
  const text = Buffer.concat([Buffer.from(csv('Email,Status', ...rows)), later]);
  const error = await readList({ 'list.csv': text }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'encoding_mixed', message: expect.stringContaining('list.csv, line 20002:') });
});
