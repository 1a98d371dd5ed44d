import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

// The header of these lists has two lines. The person `in` is subscribed, and `out` opted out.
const DEFAULT = { defaultStatus: { '*': 'subscribed' } };

async function statuses(text: string): Promise<Record<string, string>> {
  const { contacts, trouble } = await readList({ 'list.csv': text }, DEFAULT);
  expect(trouble.filter((line) => line.startsWith('stop'))).toEqual([]);
  return Object.fromEntries(contacts.map(({ email, status }) => [email.split('@')[0], status ?? 'default']));
}

test.each([
  ['Person,,Do not contact by,', 'Email,Name,E-Mail,Post', 'in@x.test,Ina,no,yes', 'out@x.test,Otto,yes,no'],
  [',,Do not contact by,', 'Email,Name,E-Mail,Post', 'in@x.test,Ina,,x', 'out@x.test,Otto,x,'],
  [',,Newsletter,', 'Email,Name,Yes,No', 'in@x.test,Ina,x,', 'out@x.test,Otto,,x'],
  [',,Newsletter,,Ort', 'E-Mail,Name,Ja,Nein,Stadt', 'in@x.test,Ina,x,,Rom', 'out@x.test,Otto,,x,Rom'],
  [',,Opted out of,,Place', 'Email,Name,Weekly,Monthly,City', 'in@x.test,Ina,,,Rome', 'out@x.test,Otto,x,x,Rome'],
])('reads a header together with the group heading %s above it (C10)', async (...lines) => {
  expect(await statuses(csv(...lines))).toEqual({ in: 'default', out: 'unsubscribed' });
});

test.each([
  ['Bounced', undefined],
  ['Invalid address', undefined],
  ['Spam complaint', undefined],
  ['Suppressed', undefined],
  ['Inactive', undefined],
  ['Blocked', 'unsubscribed'],
])('does not subscribe a person with a tick below the group %s (C10)', async (group, status) => {
  const lines = [
    `,,${group},,Place`,
    'Email,Name,Weekly,Monthly,City',
    'in@x.test,Ina,,,Rome',
    'out@x.test,Otto,x,,Rome',
  ];
  expect(await statuses(csv(...lines))).toEqual({ in: 'default', ...(status && { out: status }) });
});

test.each([
  [',,Interests,,Place', 'Email,Name,Sports,Music,City', 'in@x.test,Ina,x,,Rome', 'also@x.test,Al,,x,Rome'],
  ['Contact,,Do not lose,', 'Email,Name,City,Zip', 'in@x.test,Ina,Rome,1', 'also@x.test,Al,Rome,2'],
])('ignores the group heading %s when it is about something else', async (...lines) => {
  expect(await statuses(csv(...lines))).toEqual({ in: 'default', also: 'default' });
});

test('reads a survey question on the second header line as a header (C10)', async () => {
  const question = 'E-Mail,Please tick if you do NOT want our newsletter,Your name';
  expect(await statuses(csv('Email,Q1,Q2', question, 'in@x.test,,Ina', 'out@x.test,1,Otto'))).toEqual({
    in: 'default',
    out: 'unsubscribed',
  });
});

test('does not read the second header line as the header of another list', async () => {
  const lines = ['StartDate,Email,Q1', 'Start Date,Email address,Would you like our newsletter?', '2024,in@x.test,Yes'];
  const ids = ['{""ImportId"":""a""}', '{""ImportId"":""b""}', '{""ImportId"":""c""}']
    .map((one) => `"${one}"`)
    .join(',');
  expect(await statuses(csv(...lines.toSpliced(2, 0, ids)))).toEqual({ in: 'default' });
});

test('does not read a row without an address as a second header line (C10)', async () => {
  const lines = ['Email,Newsletter,Name', ',no,Dot', 'none,no,Eve', 'in@x.test,yes,Ina'];
  expect(await statuses(csv(...lines))).toEqual({ in: 'default' });
  const note = ['Email,Q1,Name', ',no newsletter please,Dot', 'in@x.test,1,Ina'];
  expect(await statuses(csv(...note))).toEqual({ in: 'default' });
});

test.each(['Newsletter nein', 'Nieuwsbrief: nee', 'Einwilligung: nein', 'Newsletters: none of the above'])(
  'reads a tick under the header %s as a no (C10)',
  async (no) => {
    const lines = [`Email,Newsletter ja,${no}`, 'in@x.test,x,', 'out@x.test,,x'];
    expect(await statuses(csv(...lines))).toEqual({ in: 'default', out: 'unsubscribed' });
  },
);
