import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { everyNth } from '../../../support/sweep.ts';
import { csv, type ReadList, readList } from '../support.ts';
import { withFlags } from '../survey/checks/paste-hints.ts';

/** A column that can say who gets mail, with a cell of a person who stays and a cell of a person who left. */
interface Voice {
  readonly header: string;
  readonly stays: string;
  readonly left: string;
  /** What the cell of a person who stays says beside an opt-out. `nothing`: it is a blank, or about one list only. */
  readonly says: 'subscribed' | 'nothing' | 'nothing beside a general opt-out';
  /** True if the column is about one list or one kind of mail. */
  readonly ofList?: boolean;
}

const VOICES: readonly Voice[] = [
  { header: 'Status', stays: 'active', left: 'unsubscribed', says: 'subscribed' },
  { header: 'List: News', stays: 'subscribed', left: 'unsubscribed', says: 'subscribed', ofList: true },
  { header: 'List: Offers', stays: 'subscribed', left: 'unsubscribed', says: 'subscribed', ofList: true },
  // A column in which all cells are `subscribed` is about consent only beside another list.
  { header: 'Events', stays: 'subscribed', left: 'unsubscribed', says: 'subscribed', ofList: true },
  {
    header: 'Unsubscribed from Tips',
    stays: 'no',
    left: 'yes',
    says: 'nothing beside a general opt-out',
    ofList: true,
  },
  { header: 'Opt-out: A', stays: '', left: 'x', says: 'nothing beside a general opt-out', ofList: true },
  { header: 'Newsletter', stays: 'yes', left: 'no', says: 'subscribed' },
  { header: 'Email opt-in', stays: '1', left: '0', says: 'subscribed' },
  { header: 'Consent status', stays: 'granted', left: 'denied', says: 'subscribed' },
  { header: 'Unsubscribed', stays: 'no', left: 'yes', says: 'subscribed' },
  { header: 'Unsubscribed from all email', stays: 'false', left: 'true', says: 'subscribed' },
  { header: 'Unsubscribed at', stays: '', left: '2023-04-05', says: 'nothing' },
  { header: 'Double opt-in date', stays: '2020-01-02', left: '', says: 'nothing' },
];

/** Columns of a recognized platform, to stand before the pair. The platform reads its own column among them. */
const PLATFORMS: readonly (readonly [name: string, header: string, cells: string, own: Voice | undefined])[] = [
  ['no platform', 'City', 'Rome', undefined],
  [
    'Klaviyo',
    'Klaviyo ID',
    'k1',
    { header: 'Email Marketing Consent', stays: 'SUBSCRIBED', left: 'UNSUBSCRIBED', says: 'subscribed' },
  ],
  [
    'HubSpot',
    'Record ID,Lifecycle Stage,Unsubscribed from all email',
    '1,lead,',
    {
      header: 'Opted out of email: News',
      stays: 'false',
      left: 'true',
      says: 'nothing beside a general opt-out',
      ofList: true,
    },
  ],
  ['Sendy', 'Signed up from', 'web', { header: 'Status', stays: 'Active', left: 'Unsubscribed', says: 'subscribed' }],
  [
    'Ghost',
    'id,complimentary_plan',
    '1,false',
    { header: 'subscribed_to_emails', stays: 'true', left: 'false', says: 'subscribed' },
  ],
];

const PAIRS = PLATFORMS.flatMap(([platform, header, cells, own]) => {
  const isNew = (one: Voice) => !`${header},`.includes(`${one.header},`) && one.header !== own?.header;
  const others = VOICES.filter(isNew);
  const pairs = own
    ? others.flatMap((other) => [[own, other] as const, [other, own] as const])
    : others.flatMap((one) => others.filter((other) => other !== one).map((other) => [one, other] as const));
  return pairs.map(([one, other]) => ({ platform, header, cells, one, other }));
});
type Pair = (typeof PAIRS)[number];

function contradict({ one, other }: Pick<Pair, 'one' | 'other'>): boolean {
  return (
    other.left !== '' &&
    (one.says === 'subscribed' || (one.says === 'nothing beside a general opt-out' && other.ofList === true))
  );
}

/** A list of people who stay, and one person who stays by the first column and left by the second. */
function listOf({ header, cells, one, other }: Pair, before: number) {
  const row = (email: string, second: string) => `${email},${cells},${one.stays},${second}`;
  const others = Array.from({ length: before }, (_, at) => row(`p${at}@x.test`, other.stays));
  const rows = [...others, row('half@x.test', other.left)];
  return { 'list.csv': csv(`Email,${header},${one.header},${other.header}`, ...rows) };
}

const ALL = { defaultStatus: { '*': 'subscribed' } };

function stateOf({ contacts, suppressions }: ReadList): string {
  const contact = contacts.find(({ email }) => email === 'half@x.test');
  const isSuppressed = Object.values(suppressions).flat().includes('half@x.test');
  return isSuppressed ? 'suppressed' : contact ? (contact.status ?? 'subscribed') : 'not sent';
}

const openFindings = ({ reading }: ReadList) =>
  reading.findings.filter(({ level, check }) => level !== 'pass' && check !== 'columns');

/**
 * True if svc stops, or names both columns and shows a row. If the platform has a further column by which the person
 * stays, svc may name that one.
 */
function speaks(list: ReadList, { header, one, other }: Pair): boolean {
  const name = (text: string) => JSON.stringify(text);
  const stays = [one.header, ...header.split(',')].map(name);
  return openFindings(list).some(
    ({ level, message, examples = [] }) =>
      level === 'stop' ||
      (message.includes(name(other.header)) && stays.some((text) => message.includes(text)) && examples.length > 0),
  );
}

const shown = ({ platform, one, other }: Pair) => `${platform}: ${one.header} + ${other.header}`;

/** All flags that a finding offers. */
function answersOf({ hint, otherwise = [] }: Finding): readonly string[] {
  return [...(hint?.startsWith('--') ? [hint] : []), ...otherwise.map(({ flags }) => flags)];
}

test.each([1, 60])(
  'below %i other rows, an opt-out in one of two columns counts (C10)',
  { timeout: 60_000 },
  async (before) => {
    const wrong: string[] = [];
    const pairs = PAIRS.filter(({ other }) => other.left !== '');
    // A long list differs by its sample only, so a part of the pairs has one.
    for (const pair of before === 1 ? pairs : everyNth(pairs, 4)) {
      const list = await readList(listOf(pair, before), ALL);
      if (stateOf(list) === 'subscribed' || (contradict(pair) && !speaks(list, pair))) {
        wrong.push(`${shown(pair)}: ${stateOf(list)}, ${openFindings(list).map(({ message }) => message)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(PAIRS.filter(contradict).length).toBeGreaterThan(150);
  },
);

test('names both columns when one says subscribed and the other is blank (C4)', async () => {
  const wrong: string[] = [];
  for (const pair of PAIRS.filter(({ one, other }) => other.left === '' && one.says === 'subscribed')) {
    const list = await readList(listOf(pair, 1), ALL);
    if (!speaks(list, pair)) {
      wrong.push(`${shown(pair)}: ${openFindings(list).map(({ message }) => message)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const DISAGREES = 'subscribed and unsubscribed';

test('applies each offered answer about two contradicting columns (C11)', async () => {
  const wrong: string[] = [];
  let pasted = 0;
  for (const pair of everyNth(PAIRS.filter(contradict), 3)) {
    const files = listOf(pair, 1);
    const found = openFindings(await readList(files, ALL)).filter(({ check }) => check === 'unknown_status');
    const own = found.filter((finding) => answersOf(finding).some((flags) => flags.includes(DISAGREES)));
    for (const flags of own.flatMap(answersOf)) {
      const list = await readList(files, withFlags(ALL, splitShellText(flags)));
      const stops = openFindings(list).filter(({ level }) => level === 'stop');
      const expected = flags.endsWith("=skip'")
        ? ['not sent']
        : flags.endsWith("=unsubscribed'")
          ? ['unsubscribed']
          : ['subscribed', 'unsubscribed'];
      pasted++;
      if (stops.length > 0 || !expected.includes(stateOf(list))) {
        wrong.push(`${shown(pair)}: ${flags}: ${stateOf(list)}, ${stops.map(({ message }) => message)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(pasted).toBeGreaterThan(100);
});

test('shows a row and each answer when Status and a list column disagree (C10)', async () => {
  const rows = ['a@x.test,active,no', 'half@x.test,active,yes', 'left@x.test,unsubscribed,yes'];
  const list = await readList({ 'list.csv': csv('Email,Status,Unsubscribed from Offers', ...rows) });
  expect(openFindings(list)).toMatchObject([
    {
      level: 'stop',
      message: expect.stringContaining(
        'the columns "Status" and "Unsubscribed from Offers" disagree: "subscribed and unsubscribed" (1)',
      ),
      hint: "--status-map 'subscribed and unsubscribed=skip'",
      examples: [{ line: 3 }],
      total: 1,
      otherwise: [
        { flags: "--status-map 'subscribed and unsubscribed=unsubscribed'" },
        {
          when: 'Only if the audience is not for "Unsubscribed from Offers"',
          flags: "--map 'Unsubscribed from Offers=attributes.unsubscribed_from_offers'",
        },
      ],
    },
  ]);
});

test('warns when a HubSpot list opts a person out of one kind of mail (C10)', async () => {
  const header = 'Record ID,Email,Unsubscribed from all email,Opted out of email: News,Opted out of email: Offers';
  const rows = ['1,a@x.test,,,', '2,half@x.test,,,true', '3,b@x.test,No,No,true', '4,all@x.test,true,,true'];
  const list = await readList({ 'list.csv': csv(header, ...rows) });
  expect([stateOf(list), list.suppressions]).toEqual(['unsubscribed', { unsubscribed: ['all@x.test'] }]);
  expect(openFindings(list)).toMatchObject([
    {
      level: 'warn',
      message:
        'list.csv: 2 rows are subscribed by "Unsubscribed from all email" and not by "Opted out of email: Offers"; the stricter column counts',
      examples: [{ line: 3, value: 'true' }, { line: 4 }],
    },
  ]);
});

test('offers no answer that weakens a suppression (C11)', async () => {
  const rows = ['a@x.test,SUBSCRIBED,', 'half@x.test,SUBSCRIBED,USER_SUPPRESSED'];
  const list = await readList({ 'list.csv': csv('Email,Email Marketing Consent,Email Suppressions', ...rows) });
  const found = openFindings(list);
  expect([stateOf(list), found.map(({ level }) => level), found.flatMap(answersOf)]).toEqual([
    'suppressed',
    ['warn'],
    [],
  ]);
});

test('asks about list columns that disagree, also in unsubscribed.csv (C10)', async () => {
  const rows = ['half@x.test,subscribed,unsubscribed'];
  const list = await readList({ 'unsubscribed.csv': csv('Email,List: News,List: Offers', ...rows) });
  expect([stateOf(list), list.trouble]).toEqual(['not sent', ['stop unknown_status']]);
});

/** Tables of three columns. The second row contradicts itself in one way, and the third row in another way. */
const TWICE: readonly (readonly [header: string, ...rows: string[]])[] = [
  ['Status,Unsubscribed,Unsubscribed from Offers', 'active,,', 'active,yes,', 'active,,yes'],
  ['List: News,List: Offers,Do not email', 'subscribed,subscribed,', 'subscribed,,x', 'subscribed,unsubscribed,'],
  ['Newsletter,Email opt-in,Opt-out: A', 'yes,1,', 'yes,0,', 'yes,1,x'],
  ['Status,Unsubscribed,Email opt-in', 'active,no,1', 'active,yes,1', 'active,no,0'],
];

test.each(TWICE)('an answer about %s changes no row without a contradiction (C11)', async (header, ...rows) => {
  const people = ['stays', 'second', 'third'];
  const files = { 'list.csv': csv(`Email,${header}`, ...rows.map((row, at) => `${people[at]}@x.test,${row}`)) };
  const statesOf = ({ contacts }: ReadList) =>
    people.map((who) => {
      const found = contacts.find(({ email }) => email === `${who}@x.test`);
      return found ? (found.status ?? 'subscribed') : 'not sent';
    });
  const plain = await readList(files, ALL);
  const wrong: string[] = [];
  let pasted = 0;
  for (const finding of openFindings(plain)) {
    const own = new Set(finding.examples?.map(({ line }) => line));
    for (const flags of answersOf(finding).filter((one) => one.includes(DISAGREES))) {
      const states = statesOf(await readList(files, withFlags(ALL, splitShellText(flags))));
      const isChanged = statesOf(plain).some((state, at) => !own.has(at + 2) && states[at] !== state);
      wrong.push(...(isChanged ? [`${flags}: ${states}`] : []));
      pasted++;
    }
  }
  expect(wrong).toEqual([]);
  expect(pasted).toBeGreaterThan(0);
});

test.each([
  ['Products,Press', 'subscribed', 'unsubscribed'],
  ['Kunden,Presse', 'abonniert', 'abgemeldet'],
  ['Oak,Elm', 'subscribed', 'opted out'],
])('names both columns when %s disagree and their headers are unclear (C10)', async (header, stays, left) => {
  const [first, second] = header.split(',');
  const rows = [`a@x.test,${stays},${stays}`, `half@x.test,${stays},${left}`, `b@x.test,${stays},${stays}`];
  const list = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) });
  expect(stateOf(list)).not.toBe('subscribed');
  expect(openFindings(list).map(({ message }) => message)).toEqual([
    expect.stringMatching(`(?:by "${first}" and not by "${second}"|"${first}".*"${second}".*disagree)`),
  ]);
});

test('does not warn about an active account beside a clear opt-out (C10)', async () => {
  const rows = ['a@x.test,active,no', 'half@x.test,active,yes', 'b@x.test,active,no'];
  const list = await readList({ 'list.csv': csv('Email,Account,Unsubscribed', ...rows) });
  expect(openFindings(list)).toEqual([]);
});

test('does not warn about a person who opted out and never complained (C10)', async () => {
  const header = 'Email,Unsubscribed,Marked email as spam';
  const { trouble } = await readList({ 'list.csv': csv(header, 'a@x.test,no,no', 'b@x.test,yes,no') });
  expect(trouble).toEqual([]);
});
