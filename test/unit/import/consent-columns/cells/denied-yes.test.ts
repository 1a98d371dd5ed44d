import { expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { readList } from '../../support.ts';
import { goldenLines, meaningOf, tableOf } from '../vocabulary/golden.ts';

// Headers that ask for consent. Under the last two a text can name lists or a channel.
const CONSENT_HEADERS =
  'Consent|Opt-in|Subscribed|Marketing consent|GDPR|Einwilligung|Frequency|Newsletter|Preferred channel'.split('|');
const MAIL =
  'all|both|any|text|plain|weekly|news|offers|every week|all lists|all emails|email|newsletter|mailing list'.split('|');
const TEXTS: readonly ((end: string, mail: string) => string)[] = [
  (end, mail) => `${end} ${mail}`,
  (end, mail) => `${mail} ${end}`,
  (end, mail) => `${end}: ${mail}`,
  (end, mail) => `${mail} (${end})`,
];

// All words of the status lists that keep mail away under `Consent`, and words that only occur in other lists.
const ENDS = [
  ...goldenLines('status-words.txt').flatMap(({ cells: [word = '', , , underConsent = ''] }) =>
    /^(?:unsub|suppr|bounced|complained|skipped)/.test(underConsent) ? [word] : [],
  ),
  ...'left|removed|quit|stop|none|cancelled|deleted|died|gone|dropped|taken off|returned|wrong address|expired|former'.split(
    '|',
  ),
  ...'gelöscht|verstorben|ausgetreten|supprimé|décédé|baja|eliminado|rimosso|removido|verwijderd|usunięty'.split('|'),
  ...'paused|inactive|lapsed|frozen|pausiert|inaktiv|false|falso|faux|denied|abgelehnt|not interested|nope'.split('|'),
  ...'weg|hold|depart|gel|gesp|desinscr|uitschr|cikti|gest 2021|d. 3/4/2019|†|✝'.split('|'),
  ...'decd|dcd|d 1911|ovl 2021|zm 1999|удален|умер|退会|不要|삭제|✗|❌|🚫'.split('|'),
];

test.each(CONSENT_HEADERS)('never reads an opt-out with a word for mail as a yes, under %s (C10)', (header) => {
  const table = tableOf([header]);
  const cells = ENDS.flatMap((end) => MAIL.flatMap((mail) => TEXTS.map((textOf) => textOf(end, mail))));
  expect(cells.length).toBeGreaterThan(20_000);
  const tried = everyNth(cells, 13, CONSENT_HEADERS.indexOf(header));
  expect(tried.filter((cell) => ['agrees', 'subscribed'].includes(meaningOf(table, cell)))).toEqual([]);
});

const YES =
  'all|any|both|email and sms|email, sms|weekly|weekly digest|daily news|all lists|any channel|email only|yes, weekly|ja, gerne|each Monday|News and offers|non-profit news|Stop-motion weekly|Yes, I agree to get emails. I can cancel at any time.'.split(
    '|',
  );

test.each(['Consent', 'Opt-in', 'Newsletter'])(
  'reads texts about mail without an opt-out as a yes under %s (C10)',
  (header) => {
    const table = tableOf([header]);
    expect(YES.filter((cell) => !['agrees', 'subscribed'].includes(meaningOf(table, cell)))).toEqual([]);
  },
);

test('reads email as allowed when the cell refuses other channels (C10)', () => {
  const table = tableOf(['Preferred channel']);
  const cells = ['email, no phone', 'Email yes, SMS no', 'Email ja, SMS nein', 'any', 'email'];
  expect(cells.map((cell) => meaningOf(table, cell))).toEqual(cells.map(() => 'agrees'));
});

test('reads the Polish `na email` as "by email", but not `n/a email` (C10)', () => {
  const table = tableOf(['Preferred channel']);
  const meanings = (cells: readonly string[]) => cells.map((cell) => meaningOf(table, cell));
  const agreed = ['na email', 'Na e-mail', 'na mail'];
  expect(meanings(agreed)).toEqual(agreed.map(() => 'agrees'));
  const asked = ['n/a email', 'none email', 'email none', 'email: null', 'email - none'];
  expect(meanings(asked)).toEqual(asked.map(() => meaningOf(table, 'left email')));
});

test.each(CONSENT_HEADERS)('asks about `left all` under %s, and offers first to skip (C10, C11)', async (header) => {
  const list = await readList({
    'list.csv': `Email,Status,${header}\nana@x.test,active,email\nben@x.test,active,left all\n`,
  });
  expect([list.trouble, list.finding('unknown_status')?.hint]).toEqual([
    ['stop unknown_status'],
    expect.stringContaining('left all=skip'),
  ]);
});

const UNCERTAIN =
  'old|past|earlier|historic|obsolete|void|by mistake|accidentally|fake|test|tbc|to be confirmed|maybe|unsure|once|by post|by phone|except email|alt|früher|vorher|ausgesetzt|vielleicht|versehentlich|antiguo|vecchio|forse|oud|wygasła|gammal|talvez';

test('never reads a yes as an agreement when a word of doubt follows (C10)', () => {
  const table = tableOf(['Newsletter'], { rows: [['yes'], ['no']] });
  const yesAnd = UNCERTAIN.split('|').flatMap((word) => [`yes (${word})`, `yes, ${word}`, `ja ${word}`]);
  expect(yesAnd.filter((cell) => meaningOf(table, cell) === 'agrees')).toEqual([]);
  const sure = ['yes (Berlin)', 'yes, weekly', 'yes please', 'yes by email', 'yes (old town)', 'yes, tested'];
  expect(sure.filter((cell) => meaningOf(table, cell) !== 'agrees')).toEqual([]);
});
