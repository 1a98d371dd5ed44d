import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const names = (header: string, name: string) =>
  csv(`Email,${header},Status`, `ana@x.test,${name},active`, 'bo@x.test,Bo Smith,active', 'cy@x.test,Cy Young,active');

test.each([
  ['Last name', 'Miller DECEASED'],
  ['Last name', 'Miller DO NOT EMAIL'],
  ['First name', 'Ana Miller STOP'],
  ['Name', 'LEFT - Miller'],
  ['Name', 'Ana Miller deceased'],
  ['Nachname', 'Berg verstorben'],
  ['Nachname', 'Berg gelöscht'],
  ['Name', 'Ana Berg nicht mehr im Unternehmen'],
  ['Nom', 'Martin décédé'],
  ['Nazwisko', 'Kowalski nie żyje'],
  ['Имя', 'Иванов умер'],
  ['Full Name', 'Deleted Ana Miller'],
  ['Name', 'Ana Oak - OLD'],
  ['Name', 'Ana Oak (ex)'],
  ['Last name', 'Oak (old)'],
  ['Nachname', 'Berg (ehem.)'],
  ['Company', 'Oak Ltd - OLD'],
  ['Company', 'ZZ Oak Ltd'],
  ['Company', 'Oak Ltd DECEASED'],
  ['Firma', 'Oak GmbH (alt)'],
])('asks the user about the opt-out word in the column %s: %s (C10)', async (header, name) => {
  const asked = await readList({ 'list.csv': names(header, name) });
  expect(asked.finding('unknown_status')).toMatchObject({
    level: 'stop',
    hint: expect.stringMatching(
      `^--status-map '${header}:${name.replaceAll(/[().]/g, '\\$&')}=(?:skip|unsubscribed)'$`,
    ),
    otherwise: [{ flags: `--status-map '${header}:${name}=subscribed'` }],
    total: 1,
  });
  expect(asked.contacts.map(({ email }) => email)).toEqual(['bo@x.test', 'cy@x.test']);
});

test.each([...'🚫⛔❌❎✗✘🙅☠💀⚰🪦'])('asks the user about a name beside the symbol %s (C10)', async (sign) => {
  for (const name of [sign, `${sign} Ana`, `${sign}Ana`, `Ana ${sign}`, `Ana-${sign}`]) {
    const { reading, trouble } = await readList({ 'list.csv': names('First name', name) });
    expect([name, reading.contacts, trouble]).toEqual([name, 2, ['stop unknown_status']]);
  }
});

test.each([
  ['Last name', 'Ana MILLER'],
  ['Last name', 'Stopford'],
  ['Last name', 'Graham Left'],
  ['Last name', 'Anna van Dead'],
  ['Nom', 'Jean-Paul DUPONT'],
  ['Company', 'Deleted Scenes'],
  ['Company', 'Old Oak Ltd'],
  ['Company', 'Ex Libris'],
  ['Company', 'Left Bank Books'],
  ['Firma', 'Alt & Neu KG'],
  ['Last name', 'Old'],
  ['Name', 'Ana Alt'],
])('does not ask the user about a usual value in the column %s: %s (C10)', async (header, name) => {
  expect((await readList({ 'list.csv': names(header, name) })).trouble).not.toContain('stop unknown_status');
});

test('reads LEFT as a surname when most surnames are in capitals (C10)', async () => {
  const rows = ['Jean PETIT', 'Anne LEFT', 'Marc DUPONT', 'Eva DUBOIS DÉCÉDÉE'].map(
    (name, i) => `p${i}@x.test,${name},active`,
  );
  const { finding } = await readList({ 'list.csv': csv('Email,Nom,Status', ...rows) });
  expect(finding('unknown_status')).toMatchObject({ hint: "--status-map 'Nom:Eva DUBOIS DÉCÉDÉE=skip'", total: 1 });
});

test.each(['<s>ana@x.test</s>', '<del>Ana@x.test</del>', '<strike style="a">ana@x.test</strike>', '~~ana@x.test~~'])(
  'does not subscribe a person whose address is struck through: %s (C9)',
  async (cell) => {
    const struck = `Email,Status\n"${cell.replaceAll('"', '""')}",active\nbo@x.test,active\n`;
    const files = { 'list.csv': struck, 'more.csv': csv('Email,Status', 'ana@x.test,active') };
    const answered = await readList(files, { statusMap: { '~~': 'skip' } });
    expect(answered.contacts.map(({ email }) => email)).toEqual(['bo@x.test']);
  },
);

test('rejects an address in HTML tags other than strikethrough (F8)', async () => {
  const { contacts, reading } = await readList({ 'list.csv': csv('Email,Status', '<b>ana@x.test</b>,active') });
  expect([contacts, reading.rows.rejected]).toEqual([[], 1]);
});

test.each([
  'NL-',
  '!newsletter',
  '-newsletter',
  '−Newsletter',
  'NL_out',
  'x-newsletter',
  'old newsletter',
  'mailing off',
])('asks the user about the tag %s, which may refuse a newsletter (C10)', async (tag) => {
  const rows = csv('Email,Tags,Status', `ana@x.test,"vip, ${tag}",active`, 'bo@x.test,vip,active');
  const { contacts, finding } = await readList({ 'list.csv': rows });
  expect([contacts.length, finding('unknown_status')]).toMatchObject([1, { level: 'stop', total: 1 }]);
});

test.each(['newsletter', 'Newsletter 2024', 'NL', 'e-mail', '+newsletter', 'xmas newsletter', 'newsletter-2024'])(
  'does not ask the user about the tag %s (C10)',
  async (tag) => {
    const rows = csv('Email,Tags,Status', `ana@x.test,"vip, ${tag}",active`, 'bo@x.test,vip,active');
    expect((await readList({ 'list.csv': rows })).trouble).toEqual([]);
  },
);

const COMPANIES = ['Acme', 'Beta Ltd', 'Gamma GmbH', 'IBM', 'Delta', 'Left Bank Books', 'Zeta', 'Eta'];

/** The subscribed people of a list with usual company names, and one more person with this cell. */
async function withCompany(header: string, cell: string, companies = COMPANIES) {
  const rows = companies.map((company, at) => `p${at}@x.test,active,${company}`);
  const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows, `z@x.test,active,${cell}`) });
  return list.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}

test.each(['Company', 'Organization', 'Firma', 'Account Name', 'Employer', 'City'])(
  'subscribes all but the person with an opt-out mark under %s (C10)',
  async (header) => {
    const marks =
      'DO NOT CONTACT|unsubscribed|Acme (do not mail)|Acme - OPTED OUT|GESPERRT|verstorben|REMOVED|STOP|LEFT|GONE'.split(
        '|',
      );
    for (const mark of marks) {
      expect([mark, await withCompany(header, mark)]).toEqual([mark, COMPANIES.map((_, at) => `p${at}@x.test`)]);
    }
  },
);

test('reads STOP as a company name when all names are in capitals (C10)', async () => {
  const loud = COMPANIES.map((company) => company.toUpperCase());
  expect(await withCompany('Company', 'STOP', loud)).toHaveLength(loud.length + 1);
  expect(await withCompany('Company', 'Removed')).toHaveLength(COMPANIES.length + 1);
  expect(await withCompany('Side', 'LEFT', ['LEFT', 'Right'])).toHaveLength(3);
});

test.each([
  '[{""name"":""newsletter"",""value"":""0""}]',
  '{""prefs"":[{""key"":""opted_out"",""enabled"":true}]}',
  '[{""label"":""Unsubscribed"",""checked"":""yes""}]',
])('reads a JSON field whose name and value are separate: %s (C10)', async (json) => {
  const rows = ['ana@x.test,"[{""name"":""city"",""value"":""0""}]"', `bo@x.test,"${json}"`];
  const list = await readList({ 'list.csv': csv('Email,Meta', ...rows) }, { defaultStatus: { '*': 'subscribed' } });
  const signedUp = list.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
  expect(signedUp).toEqual(['ana@x.test']);
});

const UNKNOWN = { defaultStatus: { '*': 'subscribed' } };

test.each([
  ['Name,Email', 'Ana,ana@x.test', '#Bo,bo@x.test'],
  ['Name,Email', 'Ana,ana@x.test', '// Bo,bo@x.test'],
  ['Id,Email', '1,ana@x.test', ';2,bo@x.test'],
  ['Name,Email', 'Ana,ana@x.test', '~~Bo~~,bo@x.test'],
  ['Email,Name', 'ana@x.test,Ana', 'bo@x.test,<s>Bo</s>'],
  ['Email,Name', 'ana@x.test,Ana', ';bo@x.test,Bo'],
  ['Email,Name', 'ana@x.test,Ana', '(bo@x.test),Bo'],
])('asks the user about a row commented out or struck through: %s (C10)', async (...lines) => {
  const { contacts, finding } = await readList({ 'list.csv': csv(...lines) }, UNKNOWN);
  expect([contacts.map(({ email }) => email), finding('unknown_status')?.level]).toEqual([['ana@x.test'], 'stop']);
});

test.each([
  ['Order,Email', '#1001,ana@x.test', '#1002,bo@x.test'],
  ...['N/A', 'REF!', 'NAME?', 'VALUE!', 'DIV/0!', 'NUM!', 'NULL!', 'SPILL!', 'CALC!'].map((error) => [
    'Plan,Email',
    'Pro,ana@x.test',
    `#${error},bo@x.test`,
  ]),
])('does not ask about # before a number or an error of Excel: %s (C10)', async (...lines) => {
  const { contacts, finding } = await readList({ 'list.csv': csv(...lines) }, UNKNOWN);
  expect([contacts.length, finding('unknown_status')]).toEqual([2, undefined]);
});
