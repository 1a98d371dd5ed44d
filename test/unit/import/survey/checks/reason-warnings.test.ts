import { expect, test } from 'vitest';
import { createWorld } from '../../../../support/world.ts';

interface Lists {
  readonly [name: string]: string;
}

/** The warnings about rows that say subscribed, and the number of people that the plan suppresses. */
async function warningsFor(lists: Lists, flags: string) {
  const world = await createWorld();
  Object.entries(lists).forEach(([name, text]) => world.file(name, text));
  const line = `suppressions import ${Object.keys(lists).join(' ')} ${flags} --dry-run --json`;
  const { code, json } = await world.svc(line);
  const messages = json.findings.map(({ message }: { message: string }) => message);
  return { code, warnings: messages.filter((text: string) => text.includes('most rows say subscribed')) };
}

/** A list with a status for each row. */
function withStatus(...statuses: string[]): string {
  return `email,name,status\n${statuses.map((word, row) => `p${row}@example.com,P,${word}`).join('\n')}\n`;
}

const SALESFORCE = `First Name,Last Name,Company / Account,Email,Lead Status,Email Opt Out,Do Not Call
A,A,Acme,a@example.com,Open - Not Contacted,0,0
B,B,Acme,b@example.com,Working - Contacted,1,0
C,C,Acme,c@example.com,Working - Contacted,0,0
`;

const REASONS = ['bounced', 'complained', 'unsubscribed'];

test.each([
  ['3 of 4 subscribed', withStatus('subscribed', 'active', 'subscribed', 'bounced'), '3 of 4'],
  ['consent in a column of yes and no', 'email,Newsletter\na@example.com,yes\nb@example.com,yes\n', '2 of 2'],
  ['opt-outs in a column of an export', SALESFORCE, '2 of 3'],
  ['most rows in one of two status columns', 'email,status,Newsletter\na@example.com,active,\n', '1 of 1'],
])('warns about --reason when most rows say subscribed: %s (C5)', async (_, text, count) => {
  for (const reason of REASONS) {
    const { code, warnings } = await warningsFor({ 'list.csv': text }, `--reason ${reason}`);
    const warning = `list.csv: most rows say subscribed (${count}), and --reason ${reason} suppresses every row. svc can't undo it`;
    expect([code, warnings]).toEqual([0, [warning]]);
  }
});

test.each([
  ['2 of 4 subscribed', withStatus('subscribed', 'active', 'unsubscribed', 'bounced')],
  ['no row subscribed', withStatus('bounced', 'bounced')],
  ['blank statuses', withStatus('', '', '')],
  ['unknown words', withStatus('lorem', 'ipsum')],
  ['no status column', 'email\na@example.com\n'],
])('does not warn about --reason when few rows say subscribed: %s (C5)', async (_, text) => {
  for (const reason of REASONS) {
    expect(await warningsFor({ 'list.csv': text }, `--reason ${reason}`)).toEqual({ code: 0, warnings: [] });
  }
});

test('warns about --reason when the name of an export says subscribed (C5)', async () => {
  const text = 'Email Address,First Name,MEMBER_RATING\na@example.com,A,2\n';
  const { warnings } = await warningsFor({ 'subscribed_members_export_12.csv': text }, '--reason bounced');
  expect(warnings).toHaveLength(1);
});

test('names which of two inputs has mostly rows that say subscribed (C5)', async () => {
  const lists = { 'a.csv': withStatus('bounced', 'bounced'), 'b.csv': withStatus('active', 'active') };
  const { warnings } = await warningsFor(lists, '--reason bounced');
  expect(warnings).toEqual([expect.stringMatching(/^b\.csv: most rows say subscribed \(2 of 2\)/)]);
});

test('does not warn about subscribed rows when --reason is not given', async () => {
  const { warnings } = await warningsFor({ 'list.csv': withStatus('active', 'active', 'bounced') }, '');
  expect(warnings).toEqual([]);
});

test('suppresses every row in spite of the warning (C5)', async () => {
  const world = await createWorld();
  world.file('list.csv', withStatus('active', 'active'));
  const { code, json } = await world.svc('suppressions import list.csv --reason bounced --yes --json');
  expect([code, json.rows.suppressed, world.emulator.admin.suppressions()]).toMatchObject([0, 2, { length: 2 }]);
});
