import { expect, test } from 'vitest';
import { readAddress } from '../../../../src/import/values/address.ts';
import { readList } from '../support.ts';

// The tables of the csv-spectrum test suite, each with an email column added.
const SPECTRUM: readonly (readonly [name: string, text: string, rows: readonly Readonly<Record<string, string>>[]])[] =
  [
    [
      'comma_in_quotes',
      'first,address\nJohn,"120 any st., Anytown"',
      [{ first: 'John', address: '120 any st., Anytown' }],
    ],
    ['empty', 'a,b,c\n1,"",""\n2,3,4', [{ a: '1' }, { a: '2', b: '3', c: '4' }]],
    ['empty_crlf', 'a,b,c\r\n1,"",""\r\n2,3,4', [{ a: '1' }, { a: '2', b: '3', c: '4' }]],
    [
      'escaped_quotes',
      'a,b\n1,"ha ""ha"" ha"\n3,4',
      [
        { a: '1', b: 'ha "ha" ha' },
        { a: '3', b: '4' },
      ],
    ],
    [
      'json',
      'key,val\n1,"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"',
      [{ key: '1', val: '{"type": "Point", "coordinates": [102.0, 0.5]}' }],
    ],
    [
      'location_coordinates',
      `phone,coordinates,city\n0301234567,52°31'12.0"N 13°24'36.5"E,Berlin`,
      [{ phone: '0301234567', coordinates: `52°31'12.0"N 13°24'36.5"E`, city: 'Berlin' }],
    ],
    [
      'newlines',
      'a,b,c\n1,2,3\n"Once upon \na time",5,6\n7,8,9',
      [
        { a: '1', b: '2', c: '3' },
        { a: 'Once upon \na time', b: '5', c: '6' },
        { a: '7', b: '8', c: '9' },
      ],
    ],
    [
      'newlines_crlf',
      'a,b,c\r\n1,2,3\r\n"Once upon \r\na time",5,6',
      [
        { a: '1', b: '2', c: '3' },
        { a: 'Once upon \r\na time', b: '5', c: '6' },
      ],
    ],
    [
      'quotes_and_newlines',
      'a,b\n1,"ha \n""ha"" \nha"\n3,4',
      [
        { a: '1', b: 'ha \n"ha" \nha' },
        { a: '3', b: '4' },
      ],
    ],
    ['simple', 'a,b,c\n1,2,3', [{ a: '1', b: '2', c: '3' }]],
    ['simple_crlf', 'a,b,c\r\n1,2,3', [{ a: '1', b: '2', c: '3' }]],
    [
      'utf8',
      'a,b,c\n1,2,3\n4,5,ʤ',
      [
        { a: '1', b: '2', c: '3' },
        { a: '4', b: '5', c: 'ʤ' },
      ],
    ],
  ];

test.each(SPECTRUM)('reads the csv-spectrum table %s', async (_, text, rows) => {
  let row = -1;
  // Each record of these tables starts on a line of its own.
  const starts = new Set(recordStarts(text));
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(ending).map((line, index) => {
    if (!starts.has(index)) {
      return line;
    }
    row++;
    return row === 0 ? `Email,${line}` : `p${row}@example.com,${line}`;
  });
  const list = await readList({ 'list.csv': lines.join(ending) }, { defaultStatus: { '*': 'subscribed' } });
  expect(list.contacts.map(({ attributes = {} }) => attributes)).toEqual(rows);
});

test('reads location_coordinates of csv-spectrum in a single-byte encoding', async () => {
  const text = `Email,coordinates\nana@example.com,52°31'12.0"N 13°24'36.5"E\n`;
  const file = { 'list.csv': Buffer.from(text, 'latin1') };
  const list = await readList(file, { defaultStatus: { '*': 'subscribed' } });
  expect(list.contacts).toEqual([
    { email: 'ana@example.com', attributes: { coordinates: `52°31'12.0"N 13°24'36.5"E` } },
  ]);
});

function recordStarts(text: string): number[] {
  let open = false;
  return text.split(/\r?\n/).flatMap((line, index) => {
    const start = !open;
    open = open !== ((line.match(/"/g)?.length ?? 0) % 2 === 1);
    return start ? [index] : [];
  });
}

// From the test lists of isemail and other validators: addresses that F8 leaves to the service, and addresses that no
// service accepts.
const TAKEN = `test@io test@iana.org test@nominet.org.uk test@about.museum a@iana.org test@e.com test.test@iana.org
  !#$%&\`*+/=?^\`{|}~@iana.org 123@iana.org test@123.com test@iana.123 test@255.255.255.255 test@mason-dixon.com
  test@c--n.com xn--test@xn--iana-6qa.org test@[127.0.0.1] test@[IPv6:::1] test@iana.co-uk a@b.c a+b@iana.org a-b@iana.org
  a_b@iana.org _@iana.org .test@iana.org test.@iana.org test..iana@iana.org test@ test@-iana.org
  test@iana-.com test@.iana.org test@iana.org. test@iana..com test()@iana.org test@iana.org(comment) o'neil@iana.org
  "test"@iana.org ""@iana.org "te\\st"@iana.org test@iana/icann.org test@org test@a[255.255.255.255] user%host@iana.org
  "test@iana.org a@b@iana.org пётр@почта.test 用户@例子.test josé@iana.org #ana@iana.org '-5@iana.org`
  .split(/\s+/)
  .filter((address) => !address.includes('|'));

test.each(TAKEN)('accepts the unusual address %s, because the service decides (F8)', (address) => {
  expect(readAddress(address, false)).toEqual({ email: address.toLowerCase(), problem: undefined });
});

test.each([
  ['', 'missing_email'],
  ['   ', 'missing_email'],
  ['test', 'invalid_email'],
  ['iana.org', 'invalid_email'],
  ['te st@iana.org', 'invalid_email'],
  ['test@ia na.org', 'invalid_email'],
  ['test @iana.org', 'invalid_email'],
  ['test@iana.org\0', 'invalid_email'],
  ['te\u0007st@iana.org', 'invalid_email'],
  ['test@iana.org,ana,active', 'invalid_email'],
  ['test@iana.org;ana', 'invalid_email'],
  ['Test <test@iana.org>', 'invalid_email'],
  ['<test@iana.org>', 'invalid_email'],
  ["'test@iana.org'", 'invalid_email'],
  ['“test@iana.org”', 'invalid_email'],
  ['a@iana.org, b@iana.org', 'two_addresses_in_cell'],
  ['a@iana.org;b@iana.org', 'two_addresses_in_cell'],
  ['\ud800@iana.org', 'invalid_email'],
])('refuses the address %j with the reason %s (F8)', (address, reason) => {
  expect(readAddress(address, false).problem?.reason).toBe(reason);
});

test('refuses an address with 250 bytes before the @, in any script (F8)', () => {
  const reasons = ['a'.repeat(250), 'é'.repeat(125)].map(
    (local) => readAddress(`${local}@iana.org`, false).problem?.reason,
  );
  expect(reasons).toEqual(['invalid_email', 'invalid_email']);
});

test.each([
  ['  Test@IANA.org ', 'test@iana.org'],
  ['Te.st+Tag@Gmail.COM', 'te.st+tag@gmail.com'],
])('only trims the address %j and makes it lower-case (F8)', (address, email) => {
  expect(readAddress(address, false)).toEqual({ email, problem: undefined });
});
