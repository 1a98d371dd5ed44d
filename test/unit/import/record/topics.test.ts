import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { csv, type ReadList, readList } from '../support.ts';
import { withFlags } from '../survey/checks/paste-hints.ts';

function topic(header: string, value = 'on') {
  return { map: [`${header}=topics.top_1`], topicValues: { [header]: value } };
}

/** What svc sends for a list with a status column and one topic column, and what it asks. */
async function readTopic(header: string, cells: readonly string[], value?: string): Promise<ReadList> {
  const rows = cells.map((cell, at) => `p${at}@x.test,active,"${cell}"`);
  return readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) }, topic(header, value));
}

function statesOf(list: ReadList): Readonly<Record<string, string>> {
  const sent = list.contacts.map(({ email, status, topics }) => [
    email,
    `${status ?? 'subscribed'}${topics ? ' on' : ''}`,
  ]);
  const suppressed = Object.entries(list.suppressions).flatMap(([reason, emails]) =>
    emails.map((one) => [one, reason]),
  );
  return Object.fromEntries([...sent, ...suppressed]);
}

const stops = (list: ReadList) => list.trouble.filter((text) => text.startsWith('stop'));

test.each(['Marketing consent', 'Subscribed', 'Email status', 'Consent', 'Opt-in'])(
  'a status in the topic column %s counts for the person (C10)',
  async (header) => {
    const list = await readTopic(header, ['unsubscribed', 'complained', 'bounced', 'yes']);
    expect(statesOf(list)).toEqual({
      'p0@x.test': 'unsubscribed',
      'p1@x.test': 'complained',
      'p2@x.test': 'bounced',
      'p3@x.test': 'subscribed on',
    });
  },
);

const CELLS = ['yes', 'no', 'x', '', 'subscribed', 'unsubscribed', 'complained', 'bounced', 'left July', 'maybe'];
const ABOUT_ALL_MAIL = ['Marketing consent', 'Subscribed', 'Email status', 'Opt-in', 'Unsubscribed', 'Bounced', 'DNC'];

test.each(ABOUT_ALL_MAIL)('reads the statuses under %s the same when --map makes it a topic (C10)', async (header) => {
  const rows = CELLS.map((cell, at) => `p${at}@x.test,active,${cell}`);
  const file = { 'list.csv': csv(`Email,Status,${header}`, ...rows) };
  const [plain, mapped] = [await readList(file), await readList(file, topic(header))];
  const people = ({ contacts, suppressions, finding }: ReadList) => [
    contacts.map(({ email, status }) => [email, status]),
    suppressions,
    finding('unknown_status')?.message,
  ];
  expect(people(mapped)).toEqual(people(plain));
});

test.each([
  ['Marketing consent', 'no'],
  ['Bounced', 'yes'],
  ['Unsubscribed', 'yes'],
  ['Unsubscribed from all email', 'yes'],
  ['Notes', 'please do not mail'],
])('signs no person up when the topic column %s has %s (C10)', async (header, cell) => {
  const list = await readTopic(header, [cell]);
  expect(list.contacts.filter(({ status, topics }) => status === undefined || topics)).toEqual([]);
});

const NO = [
  'no',
  '0',
  'false',
  'unsubscribed',
  'opted out',
  'declined',
  'no thanks',
  'never',
  'off',
  'paused',
  '✗',
  'not subscribed',
  'never subscribed',
  'not opted in',
  'opt-out',
  'unconfirmed',
  'pending',
  'cancelled',
  'N',
  'non',
];

test.each([
  'News',
  'Newsletter',
  'Offers',
  'topic_news',
  'Acme Pro',
  'Newsletter status',
  'Marketing',
  'Weekly digest',
])('asks nothing when the topic column %s has a yes or a no (C10)', async (header) => {
  const list = await readTopic(header, ['yes', 'x', 'subscribed', '2024-05-01', ...NO, '']);
  const all = Object.fromEntries(
    [...NO, '', 1, 2, 3, 4].map((_, at) => [`p${at}@x.test`, `subscribed${at < 4 ? ' on' : ''}`]),
  );
  expect([statesOf(list), stops(list)]).toEqual([all, []]);
});

test.each([
  ['complained', 'complained', []],
  ['hard bounce', 'bounced', []],
  ['unsubscribed from all', 'unsubscribed', []],
  ['opted out of all email', 'unsubscribed', []],
  ['no to all', undefined, ['stop unknown_status']],
  ['550 5.1.1 no such user', undefined, []],
  ['spam', undefined, ['stop unknown_status']],
  ['deceased', undefined, ['stop unknown_status']],
  ['left July', undefined, ['stop unknown_status']],
  ['off since May', undefined, ['stop unknown_status']],
  ['Product A', 'subscribed', []],
  ['maybe', 'subscribed', []],
  ['5', 'subscribed', []],
])('never turns a topic on when a cell says %s (C10)', async (cell, state, asked) => {
  const list = await readTopic('News', [cell]);
  expect([statesOf(list)['p0@x.test'], stops(list)]).toEqual([state, asked]);
});

test.each([
  ['Opted out of email: News', 'on', ['subscribed', 'subscribed', 'subscribed', 'subscribed']],
  ['Opted out of email: News', 'opt_out', ['subscribed on', 'subscribed', 'subscribed', 'subscribed on']],
])('reads a yes in topic column %s as a refusal, topic value %s (C10)', async (header, value, expected) => {
  const list = await readTopic(header, ['yes', 'no', '', '2024-05-01'], value);
  expect(Object.values(statesOf(list))).toEqual(expected);
});

test('keeps a person subscribed when topic columns of two lists differ (C10)', async () => {
  const file = { 'list.csv': csv('Email,Status,Opt-in Berlin,Opt-in Hamburg', 'a@x.test,active,no,yes') };
  const topics = ['Opt-in Berlin', 'Opt-in Hamburg'];
  const list = await readList(file, {
    map: topics.map((header, at) => `${header}=topics.top_${at}`),
    topicValues: Object.fromEntries(topics.map((header) => [header, 'on'])),
  });
  expect([list.contacts, stops(list)]).toEqual([[{ email: 'a@x.test', topics: { top_1: 'on' } }], []]);
});

test('sends no topic when two columns of one topic differ (C7)', async () => {
  const file = {
    'list.csv': csv('Email,Status,A,B', 'a@x.test,active,no,yes', 'b@x.test,active,yes,', 'c@x.test,active,,x'),
  };
  const map = ['A=topics.top_1', 'B=topics.top_1'];
  const list = await readList(file, { map, topicValues: { A: 'on', B: 'on' } });
  expect(statesOf(list)).toEqual({
    'a@x.test': 'subscribed',
    'b@x.test': 'subscribed on',
    'c@x.test': 'subscribed on',
  });
});

test('sends a topic when the user says that a word means yes (C10)', async () => {
  const file = { 'list.csv': csv('Email,Status,Interest in A', 'a@x.test,active,Gold', 'b@x.test,active,no') };
  const list = await readList(file, { ...topic('Interest in A'), statusMap: { 'Interest in A:Gold': 'subscribed' } });
  expect(statesOf(list)).toEqual({ 'a@x.test': 'subscribed on', 'b@x.test': 'subscribed' });
});

test('each offered answer ends the stop about a topic column (C11)', async () => {
  const file = { 'list.csv': csv('Email,Status,Marketing consent', 'a@x.test,active,no', 'b@x.test,active,yes') };
  const answers = topic('Marketing consent');
  const finding = (await readList(file, answers)).finding('unknown_status');
  expect(finding?.otherwise?.at(-1)).toEqual({
    when: 'Only if these cells of "Marketing consent" refuse the topic alone, and not all mail; the other columns decide then',
    flags: "--status-map 'Marketing consent:no=subscribed'",
  });
  const pasted = [finding?.hint ?? '', ...(finding?.otherwise ?? []).map(({ flags }) => flags ?? '')];
  const read = pasted.map(async (flags) => statesOf(await readList(file, withFlags(answers, splitShellText(flags)))));
  expect((await Promise.all(read)).map((states) => states['a@x.test'])).toEqual([
    undefined,
    'unsubscribed',
    'subscribed',
  ]);
});

test('names the words that refuse a topic when a list has no status (C4, C11)', async () => {
  const file = { 'list.csv': csv('Email,Newsletter', 'a@x.test,no', 'b@x.test,yes', 'c@x.test,unsubscribed') };
  const finding = (await readList(file, topic('Newsletter'))).finding('no_status');
  expect(finding?.message).toContain(
    'these columns are sent as topics, and some rows refuse them: "Newsletter": "no" (1), "unsubscribed" (1)',
  );
  expect([finding?.hint, finding?.otherwise]).toEqual([
    '--default-status skip',
    [
      {
        when: 'Only if these words mean no mail at all in "Newsletter", and all others agreed to get mail from you',
        flags:
          '--status-map Newsletter:no=unsubscribed --status-map Newsletter:unsubscribed=unsubscribed --default-status subscribed',
      },
      {
        when: 'Only if every one of these people agreed to get mail from you; this ignores "no" (1), "unsubscribed" (1) in "Newsletter"',
        flags: '--default-status subscribed',
      },
    ],
  ]);
  const flags = splitShellText(finding?.otherwise?.[0]?.flags ?? '');
  expect(statesOf(await readList(file, withFlags(topic('Newsletter'), flags)))).toEqual({
    'a@x.test': 'unsubscribed',
    'b@x.test': 'subscribed on',
    'c@x.test': 'unsubscribed',
  });
});

test('names the topics that people refuse, and the cells that svc can not read', async () => {
  const list = await readTopic('News', ['no', 'no', 'never', 'Product A', 'yes']);
  const messages = list.reading.findings.filter(({ check }) => check === 'topics').map(({ message }) => message);
  expect(messages).toEqual([
    'list.csv: column "News": 3 rows of subscribed people refuse the topic top_1: "no" (2), "never" (1). svc does not write a refusal, because the service document shows no value for it: people who have the topic keep it',
    'list.csv: column "News": 1 row has a text that svc reads neither as a yes nor as a no, so it does not send the topic top_1: "Product A" (1)',
  ]);
});

test('warns when the rows of a person differ in a topic (C7)', async () => {
  const file = { 'list.csv': csv('Email,Status,News', 'a@x.test,active,yes', 'a@x.test,active,no') };
  const list = await readList(file, topic('News'));
  const [, differing] = list.reading.findings.filter(({ check }) => check === 'topics');
  expect([statesOf(list)['a@x.test'], differing?.message]).toEqual([
    'subscribed',
    '1 person has rows that differ in a topic: one chooses it and another does not. The topic is not sent',
  ]);
});

test('refuses a topic value with an equals sign, and says why', async () => {
  const file = { 'list.csv': csv('Email,Status,News', 'a@x.test,active,yes') };
  const read = readList(file, { map: ['News=topics.top_1'], topicValues: { 'News=yes': 'on' } });
  await expect(read).rejects.toMatchObject({
    exit: 2,
    message:
      '--topic-value News=yes=on names the column "News=yes", because svc splits it at its last "=". So no value is given for the topic of column "News"',
    hint: 'Give a value without "=":\n--topic-value \'News=<value>\'',
  });
});
