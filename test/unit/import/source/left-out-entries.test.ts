import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createWorld } from '../../../support/world.ts';
import { makeZip } from '../make-zip.ts';
import { csv, readList } from '../support.ts';

const MAIN = csv('ID,Email,Status', '1,ana@x.test,active', '2,bo@x.test,active');
const BLANKS = Array.from({ length: 60 }, (_, nth) => `n${nth},`);

const NO_ADDRESSES = 'they hold no column of addresses';
const ABOUT_MAILS = 'files in a folder of posts or broadcasts are about mails';
const FEW_ADDRESSES = 'few of the first rows hold an address';

/** Entries of people who left. svc asks about a plain file of this kind. */
const OPT_OUTS: readonly (readonly [entry: string, ...lines: readonly string[]])[] = [
  ['unsubscribed.csv', 'Contact,Date', 'Bo Carr <bo@x.test>,2024-01-01'],
  ['old.csv', 'Contact,Date', 'Bo Carr <bo@x.test>,2024-01-01'],
  ['old.csv', 'Name,Contact', ...BLANKS, 'Bo,bo@x.test'],
  ['unsubscribed.csv', 'Contact,Removed by,Date', 'bo@x.test,ed@x.test,2024-01-01', 'cy@x.test,al@x.test,2024-01-02'],
  ['bounces.csv', 'What,Why', 'bo@x.test,550', 'server 1,421', 'server 2,421', 'server 3,421'],
  ['broadcasts/unsubscribed.csv', 'Email,Date', 'bo@x.test,2024-01-01'],
  ['posts/123.unsubscribes.csv', 'Email,Date', 'bo@x.test,2024-01-01'],
  ['Broadcasts/Unsubscribed/list.csv', 'Email,Date', 'bo@x.test,2024-01-01'],
  ['list2.csv', 'Contact,Status', 'Bo Carr <bo@x.test>,unsubscribed', 'Cy Dee <cy@x.test>,active'],
  ['list2.csv', 'Contact,Backup,Date', 'bo@x.test,b2@x.test,2024-01-01', 'cy@x.test,c2@x.test,2024-01-02'],
  ['note.csv', 'What,Status', 'bo@x.test,unsubscribed', 'x,active', 'y,active', 'z,active'],
  [
    'note.csv',
    'What,Status',
    'cy@x.test,',
    ...Array.from({ length: 60 }, (_, nth) => `${nth},active`),
    'bo@x.test,opted out',
  ],
];

async function openZip(name: string, lines: readonly string[]) {
  const world = await createWorld();
  const content = lines.length === 0 ? '' : csv(...lines);
  world.file(
    'a.zip',
    makeZip([
      { name: 'list.csv', content: MAIN },
      { name, content },
    ]),
  );
  return world;
}

test.each(OPT_OUTS)(
  'stops at opt-outs in entry %s until the printed answers are given (C4)',
  async (name, ...lines) => {
    const world = await openZip(name, lines);
    // Rows without an address stop a plain file too.
    const flags = ['--max-failures', '100'];
    const stops: string[] = [];
    let code = 5;
    while (code === 5 && stops.length < 4) {
      const run = await world.svc(['migrate', 'a.zip', '--json', ...flags]);
      const stop =
        run.code === 5 ? run.json.findings.find(({ level }: { level: string }) => level === 'stop') : undefined;
      code = run.code;
      stops.push(...(stop ? [stop.message] : []));
      flags.push(...splitShellText(stop?.flags ?? ''));
    }
    expect([stops.length > 0, stops.every((stop) => stop.includes(`a.zip (${name})`))], stops.join()).toEqual([
      true,
      true,
    ]);
    expect([0, 3]).toContain(code);
    const sent = world
      .requests()
      .flatMap(({ path, body }) => (path.endsWith('/batch') ? JSON.parse(body).contacts : []));
    const states = sent.flatMap(({ email, status }) => (email === 'bo@x.test' ? [status ?? 'none'] : []));
    expect(states.filter((status) => status !== 'unsubscribed')).toEqual([]);
  },
);

test.each([
  ['unsubscribed.csv', 'ID,Unsubscribed at', '2,2024-01-01'],
  ['list2.csv', 'ID,Status', '1,active', '2,unsubscribed', '3,active'],
  ['list2.csv', 'ID,Status', ...Array.from({ length: 60 }, (_, nth) => `${nth},active`), '99,unsubscribed'],
  ['broadcasts/5.csv', 'Email,Status', 'bo@x.test,unsubscribed', 'cy@x.test,active'],
  ['broadcasts/5.csv', 'Email,Opened,Unsubscribed', 'bo@x.test,yes,yes', 'cy@x.test,yes,no'],
  [
    'posts/5.csv',
    'Email,Status',
    ...Array.from({ length: 60 }, (_, nth) => `${nth}@x.test,active`),
    'b@x.test,unsubscribed',
  ],
  ['list2.csv', 'Name,Contact,Status', ...BLANKS.map((row) => `${row},active`), 'Bo,bo@x.test,unsubscribed'],
])('stops at entry %s (%s) and says to unpack the archive (C4)', async (name, ...lines) => {
  const { code, json, err } = await (await openZip(name, lines)).svc('migrate a.zip --json');
  expect([code, err]).toEqual([5, expect.stringContaining('Unpack the archive, and give the lists in it')]);
  expect(json.findings.filter(({ level }: { level: string }) => level === 'stop')[0].message).toContain(name);
});

test.each(['broadcasts/unsubscribed.csv', 'posts/123.unsubscribes.csv'])(
  'refuses an archive with the empty entry %s (C4)',
  async (name) => {
    const { code, err } = await (await openZip(name, [])).svc('migrate a.zip --json');
    expect([code, err]).toEqual([2, expect.stringContaining(`a.zip (${name}) is empty`)]);
  },
);

/** Tables of shops and platforms that are no lists of people. Each stands beside a list in an archive. */
const OTHER_TABLES: readonly (readonly [name: string, message: string, ...lines: readonly string[]])[] = [
  ['broadcasts/broadcast_summary.csv', NO_ADDRESSES, 'subject,sent,unsubscribes,bounces', 'hello,3,1,2'],
  ['campaigns.csv', NO_ADDRESSES, 'Title,State,Unsubscribed,Bounced', 'a,sent,3,1', 'b,cancelled,0,0', 'c,deleted,1,0'],
  ['orders.csv', NO_ADDRESSES, 'Order,Customer,Status,Total', '1,Ana,paid,3', '2,Bo,cancelled,4', '3,Cy,refunded,4'],
  ['events.csv', NO_ADDRESSES, 'Event,Status', 'A,cancelled', 'B,active'],
  ['segments.csv', NO_ADDRESSES, 'Segment,Members', 'Unsubscribed,30', 'Active,9'],
  ['reasons.csv', NO_ADDRESSES, 'Reason,Count', 'No longer interested,3', 'Spam,2'],
  ['plans.csv', NO_ADDRESSES, 'Customer,Plan,Status', 'cus_1,p,canceled', 'cus_2,p,active'],
  ['posts/9.opens.csv', ABOUT_MAILS, 'email,timestamp,device', 'bo@x.test,2024-01-01,phone', 'cy@x.test,2024-01-02,tv'],
  ['broadcasts/9.csv', ABOUT_MAILS, 'Email,Opened,Clicked', 'bo@x.test,yes,no', 'cy@x.test,no,no'],
  [
    'mails.csv',
    FEW_ADDRESSES,
    'Title,From,Reply to,State',
    'a,me@x.test,me@x.test,sent',
    'b,me@x.test,me@x.test,deleted',
  ],
];

test.each(OTHER_TABLES)('leaves out entry %s with a true reason, and does not stop', async (name, why, ...lines) => {
  const { trouble, contacts, finding } = await readList({ 'a.zip/list.csv': MAIN, [`a.zip/${name}`]: csv(...lines) });
  expect([trouble, contacts.map(({ status }) => status)]).toEqual([['warn columns'], [undefined, undefined]]);
  expect(finding('columns')?.message).toContain(`left out, because ${why}: a.zip (${name})`);
});

test('stops at an entry of opt-outs whose first line names a person (C4)', async () => {
  const world = await openZip('unsubscribed.txt', ['Bo Carr <bo@x.test>', 'Cy Dee <cy@x.test>']);
  const { code, err } = await world.svc('migrate a.zip --json');
  expect([code, err]).toEqual([5, expect.stringContaining('The first line names a person, so it is no header')]);
});

test('leaves out a table of tags in an archive named unsubscribed.zip (C4)', async () => {
  const world = await createWorld();
  const tags = { name: 'old customers/tags.csv', content: csv('Tag,Colour', 'vip,red', 'old,blue') };
  world.file('unsubscribed.zip', makeZip([{ name: 'old customers/members.csv', content: MAIN }, tags]));
  const { json } = await world.svc('migrate unsubscribed.zip --json --dry-run');
  const stops = json.findings.filter(({ level }: { level: string }) => level === 'stop');
  expect(stops.filter(({ message }: { message: string }) => message.includes('tags.csv'))).toEqual([]);
});
