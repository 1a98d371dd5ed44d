import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { joinValues } from '../../../../../src/import/mapping/answers/answer-pairs.ts';
import type { ReadingOptions } from '../../../../../src/import/mapping/reading-answers.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { SAMPLES } from '../../samples.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints } from './paste-hints.ts';

/**
 * Users paste the first command that a stop prints. These tests do so until the list has no stop. No person with an
 * opt-out word in any column may then be subscribed.
 */

const WORDS =
  'не беспокоить|умер|deceased|kein Interesse|please do not email|故人|拒收|수신거부|متوفى|נפטר|decedat|unsubscribed|GESPERRT|borttagen|退会済み'.split(
    '|',
  );
/** Words that are not read as an opt-out in columns such as `Plan` or `City`. */
const MARKS = new Set(['GESPERRT', 'borttagen', '退会済み']);
const NO_MARKS = WORDS.filter((word) => !MARKS.has(word));
const HEADERS =
  'Телефон|Адрес|地址|电话|住所|電話番号|주소|전화|عنوان|هاتف|כתובת|טלפון|ที่อยู่|Διεύθυνση|पता|Հասցե|Город|Компания|備考|Примечание|Заметки|ملاحظات|הערות|备注|Теги|标签|🎉|???|#|Email (2)|Address|Notes|Salutation|Column5'.split(
    '|',
  );
const MAX_ROUNDS = 4;

type Answers = Partial<ReadingOptions>;
type Pairs = Readonly<Record<string, string>>;

/** Adds the flags of a printed command to the answers, such as `--map 'Телефон=attributes.telefon'`. */
function withFlags(answers: Answers, flags: string): Answers {
  const words = splitShellText(flags);
  const valuesOf = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] as string] : []));
  const pairsOf = (flag: string): Pairs => Object.fromEntries(valuesOf(flag).map(pairOf));
  const unread = words.filter(
    (word, at) => at % 2 === 0 && !/^--(?:map|status-map|default-status|date-order)$/.test(word),
  );
  expect(unread, flags).toEqual([]);
  return {
    ...answers,
    map: joinValues('map', answers.map ?? [], valuesOf('--map')),
    statusMap: { ...answers.statusMap, ...pairsOf('--status-map') },
    defaultStatus: { ...answers.defaultStatus, ...pairsOf('--default-status') },
    ...(words.includes('--date-order') && { dateOrder: 'dmy' }),
  };
}

function pairOf(text: string): readonly [string, string] {
  const cut = text.lastIndexOf('=');
  return cut < 0 ? ['*', text] : [text.slice(0, cut), text.slice(cut + 1)];
}

/** The people who are subscribed after a user pasted the first command of each stop, until there is none. */
async function signedUp(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  given: Answers = {},
): Promise<readonly string[]> {
  const quoted = [header, ...rows].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  let answers = given;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { reading, contacts } = await readList({ 'list.csv': `${quoted.join('\n')}\n` }, answers);
    const stops = reading.findings.filter(({ level }) => level === 'stop');
    if (stops.length === 0) {
      return contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
    }
    answers = stops.reduce((before, { hint = '' }) => withFlags(before, hint), answers);
  }
  throw new Error(`still asks after ${JSON.stringify(answers)}`);
}

const person = (at: number) => `p${at}@x.test`;

test.each(HEADERS)('signs up no person with an opt-out word in column %s (C1, C10, C11)', async (name) => {
  const words = /^(?:Город|Компания|Теги|标签)$/u.test(name) ? NO_MARKS : WORDS;
  // All words together, and some of them alone.
  for (const group of [words, ...everyNth(words, 15, HEADERS.indexOf(name)).map((word) => [word])]) {
    const rows = group.map((word, at) => [person(at), 'active', word]);
    const found = await signedUp(['Email', 'Status', name], [...rows, ['ben@x.test', 'active', '12-34 a']]);
    expect(found).toEqual(['ben@x.test']);
  }
});

const CLEAR = ['unsubscribed', 'opted out', 'do not email', 'hard bounce', 'unconfirmed', 'spam complaint'];

const OTHERS = ['Last name', 'City', 'Address', 'Телефон', 'Notes', 'Tags', 'Phone', 'Plan', 'Company', 'Salutation'];

test.each(OTHERS)('signs up no person with blank Status and an opt-out word in %s (C4, C11)', async (name) => {
  const others = ['bo', 'cy', 'di', 'ed'].map((who) => [`${who}@x.test`, `12-34 ${who}`, 'active']);
  for (const word of everyNth(CLEAR, 3, OTHERS.indexOf(name))) {
    const found = await signedUp(['Email', name, 'Status'], [[person(0), word, ''], ...others]);
    expect(found).toEqual(others.map(([email]) => email));
  }
});

test.each([
  ['columns with one attribute key', ['Company / Org', 'Company Org']],
  ['columns that differ in capitals and have no key', ['Телефон', 'телефон']],
  ['columns without a header', ['', '']],
  ['columns with the same header', ['Phone', 'Phone']],
])('subscribes no person with an opt-out word in %s (C1, C10, C11)', async (_, names) => {
  const rows = NO_MARKS.flatMap((word, at) => [
    [person(2 * at), 'active', word, 'x'],
    [person(2 * at + 1), 'active', 'x', word],
  ]);
  const found = await signedUp(['Email', 'Status', ...names], [...rows, ['ben@x.test', 'active', 'a', 'b']]);
  expect(found).toEqual(['ben@x.test']);
});

/** Headers about another channel than mail. */
const CHANNEL = /sms|push|phone opt|call/i;
/** Headers about consent, a status or returned mail. */
const ABOUT_MAIL =
  /status|state|stage|subscri|opt|consent|bounce|complain|suppress|reason|confirm|unsub|marketing|gdpr|active|deliver|block|deleted|clean|valid|email|type|sign|contact|black|disab|newsletter|permission/i;

// Another --map is the same for each platform, so some of the samples have it.
const MAPPED = new Set(everyNth(SAMPLES, 3));

test.each(SAMPLES)('signs up no person with an opt-out word anywhere in $name (C1, C10, C11)', async (sample) => {
  const { header, row } = sample;
  const own = row.find((cell) => /^\S+@\S+$/.test(cell)) ?? '';
  const cellsOf = (at: number) => header.map((_, index) => (row[index] ?? '').replace(own, person(at)));
  const left = header.flatMap((name, at) => (CHANNEL.test(name) || row[at]?.includes('@') ? [] : [at]));
  const rows = left.map((at, index) => cellsOf(index).with(at, NO_MARKS[index % NO_MARKS.length] as string));
  const defaultStatus = { '*': 'subscribed' };
  expect(await signedUp(header, rows, { defaultStatus, map: [] })).toEqual([]);
  if (!MAPPED.has(sample)) {
    return;
  }
  // With an explicit --map, a consent column no longer counts (C10).
  const map = left.map((at) => `${at + 1}=attributes.kept_${at}`);
  const others = left.flatMap((at, index) => (ABOUT_MAIL.test(header[at] ?? '') ? [] : [person(index)]));
  const found = await signedUp(header, rows, { defaultStatus, map });
  expect(found.filter((email) => others.includes(email))).toEqual([]);
});

/** Gives each answer that a stop prints, alone. The same stop may then not come again. */
async function expectNoRepeatedStop(list: Readonly<Record<string, string>>): Promise<void> {
  const stopsWith = async (answers: Answers) => {
    const { reading } = await readList(list, answers);
    return reading.findings.filter(({ level }) => level === 'stop');
  };
  const stops = await stopsWith({});
  expect(stops.length).toBeGreaterThan(0);
  for (const { check, message, hint = '', otherwise = [] } of stops) {
    for (const flags of [hint, ...otherwise.map((one) => one.flags)]) {
      const next = await stopsWith(withFlags({}, flags));
      expect(next.filter((stop) => stop.check === check && stop.message === message)).toEqual([]);
    }
  }
}

test.each<readonly [name: string, word: string]>([
  ...everyNth(HEADERS, 3).map((name) => [name, 'deceased'] as const),
  ['Opted Out', 'maybe'],
  ['Opted Out', 'not interested'],
  ['Status 2', 'Qualified'],
  ['Newsletter', 'no'],
])('does not repeat a question after its answer: %s with %j (C4, C10)', async (name, word) => {
  await expectNoRepeatedStop({
    'list.csv': csv(`Email,Status,${name}`, `${person(0)},active,${word}`, 'ben@x.test,active,'),
  });
});

// In notes and tags such a word needs no question.
const ASKED = OTHERS.filter((name) => !['Notes', 'Tags'].includes(name));

test.each(ASKED)('does not ask again about a word in %s when the status is blank (C11)', async (name) => {
  const others = ['bo', 'cy', 'di', 'ed'].map((who) => `${who}@x.test,12-34 ${who},active`);
  for (const word of everyNth(CLEAR, 3, ASKED.indexOf(name))) {
    await expectNoRepeatedStop({ 'list.csv': csv(`Email,${name},Status`, `${person(0)},${word},`, ...others) });
  }
});

test('asks the user about opt-out words even when --map ignores them (C10)', async () => {
  const list = {
    'list.csv': csv('Email,Status,Телефон', `${person(0)},active,умер`, 'ben@x.test,active,12 34'),
  };
  for (const map of [['Телефон=attributes.telefon'], ['Телефон=ignore']]) {
    expect((await readList(list, { map })).finding('unknown_status')?.level).toBe('stop');
    const harmless = await readList(list, { map, statusMap: { 'Телефон:*': 'subscribed' } });
    expect([harmless.trouble, harmless.contacts.length]).toEqual([[], 2]);
  }
});

test.each(['ignore', 'attributes.kept'])('ignores the Status column when --map says %s (C10)', async (field) => {
  const list = { 'list.csv': csv('Email,Status', `${person(0)},unsubscribed`, `${person(1)},active`) };
  const read = await readList(list, { map: [`Status=${field}`], defaultStatus: { '*': 'subscribed' } });
  expect([read.trouble, read.contacts.map(({ status }) => status)]).toEqual([[], [undefined, undefined]]);
});

test.each([
  [
    'Newsletter,Opt-in',
    ['ja,nein', 'nein,ja', 'ja,ja'],
    '--status-map Opt-in:nein=skip --status-map Newsletter:nein=skip',
  ],
  [
    'Email status,Newsletter status',
    ['active,active', 'hmm,active', 'lost,hmm'],
    "--status-map 'Newsletter status:hmm=skip'",
  ],
  ['Status,Newsletter', ['active,yes', ',yes', 'active,yes'], '--status-map Status:=skip'],
  ['Status,City', ['active,hmm', 'hmm,hmm', ',hmm'], "--status-map hmm=skip --status-map '=skip'"],
])('names the column in an answer when two are about consent: %s (C11)', async (header, cells, flags) => {
  const rows = cells.map((row, at) => `p${at}@x.test,${row}`);
  const { finding } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) });
  expect(finding('unknown_status')?.hint).toContain(flags);
});

test('skips a person with a blank status when another column has a yes (C11)', async () => {
  const rows = ['a@x.test,active,yes', 'b@x.test,,yes', 'c@x.test,active,yes'];
  const list = await pasteHints({ 'list.csv': csv('Email,Status,Newsletter', ...rows) });
  expect(list?.contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
});
