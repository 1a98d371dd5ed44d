import { describe, expect, test } from 'vitest';
import { shellWord } from '../../../../src/base/lib/text.ts';
import { createWorld } from '../../../support/world.ts';
import { makeZip } from '../make-zip.ts';
import { csv, readList } from '../support.ts';

const MAIN = { name: 'main.csv', content: 'Email,Status\nana@example.com,active\n' };

async function dryRun(
  ...names: readonly string[]
): Promise<{ readonly code: number; readonly findings: readonly string[] }> {
  const world = await createWorld();
  world.file('export.zip', makeZip([MAIN, ...names.map((name) => ({ name, content: 'x' }))]));
  const { code, json } = await world.svc('migrate export.zip --dry-run --json');
  const about = (finding: { message: string }) => finding.message.includes('not read');
  return { code, findings: json.findings.filter(about).map(({ level, message }: never) => `${level} ${message}`) };
}

test.each([
  ['people.csv.bak', 'in/older.csv.gz', 'main.xlsx'],
  ['meta.json', 'MAIN.ods'],
])('warns about archive entries that may be lists, but are not CSV: %s, %s', async (...names) => {
  const given = names.filter((name) => name !== undefined);
  expect(await dryRun(...given)).toEqual({
    code: 0,
    findings: [`warn export.zip: not read, because it is not CSV: ${given.join(', ')}`],
  });
});

test('stops for unsubscribed.xlsx, and separately for people.xlsx (C4)', async () => {
  expect(await dryRun('unsubscribed.xlsx', 'people.xlsx')).toEqual({
    code: 5,
    findings: [
      'stop export.zip: not read, although the names say that people opted out: unsubscribed.xlsx',
      'stop export.zip: not read, although lists of people who opted out may be in it: people.xlsx',
    ],
  });
});

test('stops for an archive or a workbook in the archive (C4)', async () => {
  const archives = ['in.zip', 'a/b.ZIP', 'in.zipx', 'in.7z', 'in.rar', 'in.tar', 'in.tar.gz', 'in.tgz', 'in.zip.001'];
  const workbooks = ['people.xlsx', 'people.xls', 'people.xlsm', 'people.xlsb', 'people.ods', 'other/main.xlsx'];
  for (const name of [...archives, ...workbooks, '.in.zip', 'in.zip.bak', 'in.zip.gpg']) {
    const stop = `stop export.zip: not read, although lists of people who opted out may be in it: ${name}`;
    expect(await dryRun(name), name).toEqual({ code: 5, findings: [stop] });
  }
});

test('says to unpack a nested archive, so that its opt-outs count (C4)', async () => {
  const inner = makeZip([{ name: 'unsubscribed.csv', content: 'Email\nana@example.com\n' }]);
  const world = await createWorld();
  world.file('export.zip', makeZip([MAIN, { name: 'in.zip', content: inner }]));
  const { code, err } = await world.svc('migrate export.zip --dry-run');
  expect([code, err]).toEqual([5, expect.stringContaining('Unpack the archive and each archive in it')]);
  world.file('main.csv', MAIN.content);
  world.file('unsubscribed.csv', 'Email\nana@example.com\n');
  const unpacked = await world.svc(
    'migrate main.csv unsubscribed.csv --default-status unsubscribed.csv=unsubscribed --dry-run --json',
  );
  expect([unpacked.code, unpacked.json.plan]).toMatchObject([0, { contacts: 1, unsubscribed: 1 }]);
});

/** The ways in which a name of a list can end, so that svc does not read the list. */
const ENDS = [
  ...['', '.csv.bak', '.csv.old', '.csv.1', '.csv~', '.csv.tmp', '.csv.part', '.csv.gpg', '.csv.bz2', '.csv.xz'],
  ...['.csv (1)', '.CSV.gz', '.log', '.lst', '.list', '.prn', '.psv', '.xml', '.yaml', '.sql', '.vcf', '.eml'],
  ...['.parquet', '.7z', '.rar', '.dbf', '.mdb', '.sqlite', '.arrow', '.xyz', '.html', '.pdf', '.docx', '.md'],
];

/** One archive for each 20 names: a message names no more. */
function dryRunInParts(names: readonly string[]) {
  const parts = Array.from({ length: Math.ceil(names.length / 20) }, (_, nth) => names.slice(nth * 20, nth * 20 + 20));
  return Promise.all(parts.map(async (part) => ({ shown: part.join(', '), ...(await dryRun(...part)) })));
}

test('stops for each unread archive entry named unsubscribed (C4)', async () => {
  const inFolders = ['.unsubscribed.csv', '.old/unsubscribed.csv', 'unsubscribed/part-00000', 'Unsubscribed/2.bak'];
  for (const { code, findings, shown } of await dryRunInParts([
    ...ENDS.map((end) => `unsubscribed${end}`),
    ...inFolders,
  ])) {
    const stop = `stop export.zip: not read, although the names say that people opted out: ${shown}`;
    expect([code, findings]).toEqual([5, [stop]]);
  }
});

test('warns about each unread archive entry that may be a list (C4)', async () => {
  const lists = ENDS.filter((end) => !/html|pdf|docx|md$|7z|rar/.test(end)).map((end) => `people${end}`);
  for (const { code, findings, shown } of await dryRunInParts([
    ...lists,
    'why people unsubscribe.pdf',
    'data/part-0',
  ])) {
    expect([code, findings]).toEqual([0, [`warn export.zip: not read, because it is not CSV: ${shown}`]]);
  }
});

test('warns about hidden archive entries, and names at most 20', async () => {
  const names = Array.from({ length: 23 }, (_, nth) => `.people${nth}.csv`);
  const shown = names.slice(0, 20).join(', ');
  expect((await dryRun(...names)).findings).toEqual([
    `warn export.zip: not read, because it is hidden or not CSV: ${shown} and 3 more`,
  ]);
});

test('ignores pictures, pages and files of file managers in an archive', async () => {
  const names = [
    ...[
      'logo.png',
      'posts/1.html',
      '__MACOSX/._people.xlsx',
      '._unsubscribed.csv',
      '.git/config',
      'terms.pdf',
      'in.zip.pdf',
    ],
    ...['posts/4.how-to-unsubscribe.html', 'templates/unsubscribed.html', 'img/unsubscribe.svg', 'README', 'LICENSE'],
    ...['__MACOSX/in.zip', '__MACOSX/._in.zip', '._in.7z'],
    ...['.DS_Store', 'unsubscribed/.DS_Store', 'Thumbs.db', 'unsubscribed/desktop.ini', 'README.md', 'site.css'],
  ];
  expect(await dryRun(...names)).toEqual({ code: 0, findings: [] });
});

describe('an archive entry whose column of addresses is blank in its first 50 rows', () => {
  const blanks = (count: number) => Array.from({ length: count }, (_, nth) => `n${nth},,Rome`);
  const PEOPLE = csv('Email,Status', 'p@x.test,active', 'b@x.test,active');

  test.each(['Contact', 'Value', 'Address', 'Author email', 'Unsubscribed email'])(
    'reads an opt-out file of an archive despite blank first rows: %s (C10)',
    async (header) => {
      for (const name of ['unsubscribed.csv', 'opt-outs.csv', 'bounces.csv', 'abgemeldet.csv']) {
        const read = async (blankRows: number) => {
          const { trouble, contacts, finding } = await readList({
            'a.zip/people.csv': PEOPLE,
            [`a.zip/${name}`]: csv(
              `Name,${header},City`,
              ...blanks(blankRows),
              'Ben,b@x.test,Rome',
              'Al,c@x.test,Oslo',
            ),
          });
          return [trouble, contacts.map(({ email }) => email), finding('no_status')?.hint];
        };
        expect([name, await read(60)]).toEqual([name, await read(0)]);
      }
    },
  );

  test.each([
    ['products.csv', 'SKU,Vendor contact,City'],
    ['campaigns.csv', 'Title,Reply to,City'],
    ['orders.csv', 'Order,Contact,City'],
    ['orders.csv', 'Order,Contact,Shipped'],
    ['other.csv', 'Name,Author email,City'],
  ])('leaves out archive entry %s (%s) when addresses begin below row 50 (C1)', async (name, header) => {
    const column = header.split(',')[1];
    const { trouble, contacts, reading } = await readList(
      { 'a.zip/people.csv': PEOPLE, [`a.zip/${name}`]: csv(header, ...blanks(60), 'Ben,vendor@x.test,Rome') },
      { defaultStatus: { '*': 'subscribed' } },
    );
    expect([trouble, contacts.map(({ email }) => email)]).toEqual([['warn columns'], ['p@x.test', 'b@x.test']]);
    expect(reading.findings.find(({ level }) => level === 'warn')).toMatchObject({
      message: `left out, because the first 50 rows hold no address: a.zip (${name}). Addresses stand below row 50, in "${column}". If these are people of your list, unpack the archive and give this file alone, with --map ${shellWord(`${column}=email`)}`,
    });
    const alone = await readList(
      { [name]: csv(header, ...blanks(60), 'Ben,vendor@x.test,Rome') },
      { map: [`${column}=email`], defaultStatus: { [name]: 'unsubscribed' } },
    );
    expect([alone.reading.findings.filter(({ level }) => level === 'stop'), alone.contacts.length]).toEqual([[], 1]);
  });

  test('leaves an archive entry out when few first rows hold an address (C1)', async () => {
    const rows = Array.from({ length: 60 }, (_, nth) => `n${nth},${nth % 9 === 0 ? `v${nth}@x.test` : 'see file'}`);
    const { contacts, finding } = await readList({
      'a.zip/people.csv': PEOPLE,
      'a.zip/other.csv': csv('Name,Remark', ...rows),
    });
    expect([contacts.length, finding('columns')?.message]).toEqual([
      2,
      'left out, because few of the first rows hold an address: a.zip (other.csv). Addresses stand in "Remark". If these are people of your list, unpack the archive and give this file alone, with --map Remark=email',
    ]);
  });

  test.each(['', 'n,"open quote'])(
    'leaves out an archive entry that has no address and ends with: %s',
    async (last) => {
      const rows = [...Array.from({ length: 120 }, (_, nth) => `n${nth},@${nth}`), last];
      const { trouble, finding } = await readList({
        'a.zip/people.csv': csv('Email,Status', 'p@x.test,active'),
        'a.zip/other.csv': csv('Name,Handle', ...rows),
      });
      expect([trouble, finding('columns')?.message]).toEqual([
        ['warn columns'],
        'left out, because they hold no column of addresses: a.zip (other.csv)',
      ]);
    },
  );
});
