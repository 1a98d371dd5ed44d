import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { pasteHints } from './paste-hints.ts';

const subscribed = { defaultStatus: { '*': 'subscribed' } };

function seen({ contacts }: Awaited<ReturnType<typeof readList>>): readonly string[] {
  return contacts.map(({ email, status }) => [email[0], status].filter(Boolean).join(' '));
}

test('does not offer a status column as an attribute (C10)', async () => {
  const rows = ['a@x.test,Ана,да', 'b@x.test,Боб,нет'];
  const list = await readList({ 'list.csv': csv('Email,Name,Рассылка', ...rows) });
  const found = list.reading.findings.filter(({ check }) => check === 'attribute_key');
  expect(found).toMatchObject([{ level: 'warn', message: expect.stringContaining('the column holds the status') }]);
  expect(found[0]).not.toHaveProperty('hint');
});

test('offers a consent column as status when two columns have one key (C10)', async () => {
  const rows = ['a@x.test,yes,no', 'b@x.test,no,yes'];
  const list = await readList({ 'list.csv': csv('Email,Newsletter?,Newsletter', ...rows) });
  const found = list.reading.findings.find(({ check }) => check === 'attribute_collision');
  expect(found).toMatchObject({ level: 'stop', hint: '--map Newsletter=status' });
});

test('accepts a --status-map answer for a value in a JSON cell (C11)', async () => {
  const files = {
    'list.csv': csv('Email,meta', 'a@x.test,"{""newsletter"":true}"', 'b@x.test,"{""newsletter"":false}"'),
  };
  const list = await readList(files, subscribed);
  const found = list.reading.findings.find(({ check }) => check === 'unknown_status');
  expect(found).toMatchObject({ level: 'stop', hint: '--status-map false=skip' });
  const answered = await readList(files, { ...subscribed, statusMap: { false: 'skip' } });
  expect(seen(answered)).toEqual(['a']);
});

test('asks the user about a JSON cell when one of its values is unknown (C11)', async () => {
  const files = { 'list.csv': csv('Email,meta', 'a@x.test,"{""newsletter"":false,""email_marketing"":""mhm""}"') };
  const list = await readList(files, { ...subscribed, statusMap: { false: 'subscribed' } });
  expect(list.reading.findings.find(({ check }) => check === 'unknown_status')?.level).toBe('stop');
});

test('applies a --status-map answer for one symbol only to that symbol (C4)', async () => {
  const files = { 'list.csv': csv('Email,Newsletter', 'a@x.test,🟢', 'b@x.test,🔴') };
  const list = await readList(files, { ...subscribed, statusMap: { 'Newsletter:🟢': 'subscribed', '🔴': 'skip' } });
  expect(seen(list)).toEqual(['a']);
});

test.each([
  ['subscribed', '✅', '❌'],
  ['Do you want to hear from us by email?', 'yes', 'no'],
  ["I'd like to stay on the list", 'yes', 'no'],
  ['Kontakt erlaubt', 'wahr', 'falsch'],
  ['Newsletter', 'weekly', 'no longer wants it'],
  ['Mailing list member', 'yes', 'former'],
  ['state', 'status: subscribed', 'status: unsubscribed'],
  ['user status', '1 - Active', '2 - Unsubscribed'],
  ['user status', 'active', 'unsubscribed (2021-01-01)'],
  ['Hard Bounces', '0', '3'],
  ['Why did you leave?', '', 'too many mails'],
  ['수신동의', '동의', '거부'],
  ['メルマガ', '希望する', '希望しない'],
  ['配信状態', '配信中', '配信停止'],
  ['狀態', '有效', '取消訂閱'],
  ['Κατάσταση', 'Ενεργός', 'Διαγραμμένος'],
  ['Status', '<b>Active</b>', '<b>Unsubscribed</b>'],
  ['Status', 'Active&nbsp;', 'Opted&nbsp;out'],
  ['Situação', 'Inscrito', 'Inativo'],
  ['Communication preference', 'Email and post', 'Post only'],
  ['Kontaktart', 'E-Mail', 'keine'],
  ['Remarks', 'met at the fair', 'please do not email'],
  ['Notes', 'never contacted so far', 'opted out by phone'],
  ['Bounces', '0', '4'],
  ['opt', 'in', 'out'],
  ['Unconfirmed', 'no', 'yes'],
  ['GDPR Agreement', 'I consent to having this website store my data', 'I do not consent'],
  ['State', 'ON', 'unsubscribed'],
  ['Marketing consent', 'Given 2022-01-01', 'Withdrawn 2023-01-01'],
  ['Newsletter', 'weekly', 'cancelled 2020'],
  ['Channels', 'email|sms', 'sms'],
  ['channels', '["email"]', '["sms"]'],
  ['Contact you again?', 'Sure', 'never again'],
  ['Staus', 'Active', 'Unsubscibed'],
  ['c7', '有', '退订'],
  ['Mailing', '+', '-'],
  ['Empfänger', 'ja', 'nein'],
  ['GDPR request', 'access', 'erasure'],
  ['GDPR request', '', 'deletion 2024-01-01'],
  ['Emails per month', '4', '0'],
  ['Confirmed', '2023-01-01', 'pending'],
  ['Preferred contact', 'Email', 'Mail'],
  ['Newsletter', 'yes', 'maybe later'],
  ['Newsletter', 'yes', 'to be confirmed'],
  ['Newsletter format', 'HTML', 'Print'],
  ['Bulk mail', '1', '-2'],
  ['Consent status', 'Granted', 'Denied'],
  ['Permission level', 'Express', 'Not obtained'],
  ['メルマガ', '希望する', '受け取らない'],
  ['Result', 'deliverable', 'catch_all'],
  ['Notes', 'I can unsubscribe at any time', 'please unsubscribe me at any time'],
  ['Notes', 'You can unsubscribe at any time', 'Unsubscribed. You can call her any time'],
  ['Newsletter format', 'Text', 'SMS'],
  ['Living', 'yes', 'no'],
])('reads column %j: %j subscribes a person, %j does not (C10)', async (header, stays, left) => {
  const rows = [`a@x.test,${stays}`, `b@x.test,${left}`];
  const list = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) }, subscribed);
  expect(seen(list)).not.toContain('b');
  const other = await readList({ 'list.csv': csv(`Email,${header}`, `a@x.test,${stays}`) }, subscribed);
  expect([seen(other), other.finding('unknown_status')?.level]).toEqual([['a'], undefined]);
});

test.each(['OPT_IN_EMAIL', 'Subscribed'])('asks the user what I and O mean in the column %s (C10)', async (header) => {
  const list = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,I', 'b@x.test,O') });
  expect(list.finding('unknown_status')?.hint).toBe('--status-map I=skip --status-map O=skip');
});

test.each(['Newsletter', 'Subscription', 'Notifications', 'Email frequency'])(
  'asks the user about "frozen" beside "weekly" in the column %s (C10)',
  async (header) => {
    const words = ['paused', 'inactive', 'lapsed', 'frozen', 'sleeping', 'unavailable', 'error', 'неактивен'];
    const rows = words.map((word, at) => `p${at}@x.test,${word}`);
    const list = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,weekly', ...rows) }, subscribed);
    expect(seen(list)).toEqual(['a']);
    expect(list.finding('unknown_status')).toMatchObject({ level: 'stop', total: words.length });
  },
);

test.each(['Subscribed', 'Newsletter', 'Enabled'])(
  'asks the user about cells with only an image tag, in column %s (C10)',
  async (header) => {
    const rows = ['a@x.test,active,<img src="tick.png">', 'b@x.test,active,<img src="cross.png">'];
    const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect(list.finding('unknown_status')).toMatchObject({ level: 'stop', total: 2 });
  },
);

test('asks the user about "-" when other cells hold "+" (C10)', async () => {
  const list = await readList({ 'list.csv': csv('Email,Mailing', 'a@x.test,+', 'b@x.test,-') }, subscribed);
  expect(list.finding('unknown_status')).toMatchObject({ level: 'stop', hint: '--status-map=-=skip' });
});

test('asks the user about "*" in an opt-out column (C12)', async () => {
  const list = await readList({ 'list.csv': csv('Email,Unsubscribed', 'a@x.test,', 'b@x.test,*') }, subscribed);
  expect(list.finding('unknown_status')).toMatchObject({ level: 'stop', hint: "--status-map '\\*=skip'" });
});

test('does not read 1970-01-01 as an opt-out date (C12)', async () => {
  const rows = ['a@x.test,1970-01-01 00:00:00', 'b@x.test,2024-02-02 00:00:00'];
  const list = await readList({ 'list.csv': csv('Email,Opt-out recorded at', ...rows) }, subscribed);
  expect(seen(list)).toEqual(['a', 'b unsubscribed']);
});

test.each(['bajas.csv', 'отписавшиеся.csv', 'former subscribers.csv', '配信停止.csv', 'wypisani.csv'])(
  'does not subscribe the list %s by a default status for all lists (C4)',
  async (name) => {
    const list = await readList({ [name]: csv('Email', 'a@x.test') }, subscribed);
    expect(list.reading.findings.find(({ check }) => check === 'no_status')?.level).toBe('stop');
  },
);

test('offers to skip a list without statuses when another has opt-outs (C11)', async () => {
  const main = csv('email,first_name', 'a@x.test,Ann', 'b@x.test,Bob');
  const left = csv('email,status', 'b@x.test,unsubscribed');
  const list = await readList({ 'contacts.csv': main, 'left.csv': left });
  const found = list.reading.findings.find(({ check }) => check === 'no_status');
  expect(found).toMatchObject({ level: 'stop', hint: expect.stringMatching(/^--default-status \S*skip$/) });
  expect(found?.message).not.toContain('other inputs say');
});

test('offers first to opt out a list of addresses when another has a yes (C11)', async () => {
  const customers = csv('email,name,Actief', 'a@x.test,Ann,ja', 'b@x.test,Bob,ja');
  const list = await readList({ 'klanten.csv': customers, 'bericht.csv': csv('email', 'b@x.test') });
  const found = list.reading.findings.filter(({ check, level }) => check === 'no_status' && level === 'stop');
  expect(found.map(({ hint }) => hint)).toContain('--default-status bericht.csv=unsubscribed');
});

test('offers first to ignore a blank consent column beside a filled one (C11)', async () => {
  const header = 'Email,Consent (Consent),Consent (Description)';
  const files = { 'list.csv': csv(header, 'a@x.test,Checked,', 'b@x.test,Not Checked,') };
  const { finding } = await readList(files);
  expect(finding('unknown_status')?.hint).toContain("--map 'Consent (Description)=ignore'");
  expect((await pasteHints(files))?.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  const blank = { 'list.csv': csv('Email,Status', 'a@x.test,', 'b@x.test,') };
  expect((await pasteHints(blank))?.contacts).toEqual([]);
});
