import { expect, test } from 'vitest';
import { readHeader } from '../../../../src/import/consent-columns/headers/read-header.ts';
import { correctWords, holdsMisspelledOptOut } from '../../../../src/import/consent-columns/words/typing-errors.ts';
import { stateByName } from '../../../../src/import/mapping/state/default-status.ts';
import { mayNameOptedOutPeople } from '../../../../src/import/mapping/state/opt-out-file-names.ts';
import { readList } from '../support.ts';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

/** Misspelled headers of opt-out columns. A yes means that the person opted out. */
const LEAVING =
  'Unsubcribed|Unsubscibed|Unsuscribed|Usubscribed|Unsbuscribed|Unubscribed|Unsucribed|Opt-uot|Otp-out|Opt-ou|Opted-uot|Opted ot|Newsletter opt-uot|Email opt-uot|Newsletter unsuscribed|Blaklist|Blacklsited|Blcoklist|Abgemledet|Abgmeldet|Abgemeltet|Desincrit|Disicritto|Uitgescreven|Uitgeshreven|Dado de bja|Do not conact|Do not emial|Widerufen|Abbestelt|Ausgetargen';

/** Misspelled headers of bounce or complaint columns. A yes would suppress the address, which can't be undone. */
const SUPPRESSING = 'Bonced|Bouned|Bounsed|Complaned|Compained|Supressed|Supppressed|Supression|Complant';

/** Misspelled headers of consent columns. A no means that the person wants no mail. */
const AGREEING =
  'Subcribed|Susbcribed|Newletter|Newsleter|Nwsletter|Newsltter|Consnet|Consen|Permision|Permisson|Marketting|Einwiligung|Zustimung|Angemledet';

/** Correct headers that differ from such a word by one letter. */
const ORDINARY =
  'Compliant|Content|Contents|Convent|Decreased|Bounded|Pounced|Bouncer|Backlist|Abgestellt|Aufgetragen|Output|Option|Opening|Optic|Cop out|Pot luck|Described|Inscription|Prescribed|Oppressed|Suspended until|Diseased|Discount|Permutation|Commission|Marking|Market|News|Letter|Explained|Announced|Consort|Context|Verdorben|Gespart|Zuordnung|Abstimmung|Descrito|Blacklight|Constant';

const lists = (headers: string) => headers.split('|');

function read(header: string, ...cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: cells.map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

test.each(lists(LEAVING))('reads the misspelled header %s as an opt-out (C10)', (header) => {
  expect(read(header, 'yes', 'no')).toEqual(['unsubscribed', expect.stringMatching(/^(?:-|subscribed)$/)]);
});

test.each(lists(SUPPRESSING))('asks the user about a yes under the misspelled header %s (C6, C10)', (header) => {
  expect(read(header, 'yes', 'no', '')).toEqual(['refused', '-', '-']);
});

test.each(lists(AGREEING))('asks the user about a no under the misspelled header %s (C10)', (header) => {
  expect(read(header, 'yes', 'no')).toEqual(['agrees', 'refused']);
});

test('asks the user about yes and no under an ambiguous misspelling (C10)', () => {
  expect(read('Agemeldet', 'ja', 'nein')).toEqual(['asked', 'asked']);
});

test.each(lists(ORDINARY))('does not read the correct header %s as a misspelled one (C10)', (header) => {
  expect([correctWords(header.toLowerCase()), readHeader(header)?.meaning]).not.toContain('optedOut');
  expect(correctWords(header.toLowerCase())).toBeUndefined();
});

test('reads a date under a misspelled header as an opt-out (C10, C12)', () => {
  expect(read('Unsubcribed at', '2024-01-01', '')).toEqual(['unsubscribed', '-']);
  expect(read('Unsbuscribed on', '2024-01-01', '')).toEqual(['unsubscribed', '-']);
});

const TAGS =
  'unsubcribed|usubscribed|unsbuscribed|unsuscribed|unsucribed|opt-uot|otp-out|bonced|supressed|blaklisted|abgmeldet|abgemledet|complaned|desincrit|newsletter unsuscribed|vip, unsbuscribed|vip;opt-uot|uitgescreven';
const PLAIN_TAGS = 'compliant|content|decreased|backlist|output|option|vip|newsletter|opt-in|pot out of clay';

test.each(lists(TAGS))('asks the user about the misspelled tag %s (C10)', (tag) => {
  expect(read('Tags', tag)).toEqual(['refused']);
});

test.each(lists(PLAIN_TAGS))('does not read the correct tag %s as a misspelled one (C10)', (tag) => {
  expect([holdsMisspelledOptOut(tag), read('Tags', tag)[0]]).toEqual([false, '-']);
});

test.each(['unsbuscribed', 'opt-uot', 'abgmeldet'])(
  'asks the user about the misspelled %s in newsletter columns and notes',
  (word) => {
    expect([read('Newsletter', word, 'Weekly')[0], read('Notes', word)[0]]).toEqual(['asked', 'refused']);
  },
);

test.each([
  ['unsbuscribed.csv', true],
  ['opt-uot 2024.csv', true],
  ['abgmeldet.csv', true],
  ['bonced.csv', true],
  ['content.csv', false],
  ['compliant customers.csv', false],
])('says whether the file name %s has a misspelled opt-out word: %s (C4)', (name, doubtful) => {
  expect([
    stateByName({ path: name, entry: undefined, name }),
    mayNameOptedOutPeople({ name, entry: undefined }),
  ]).toEqual([undefined, doubtful]);
});

test('opts out a person with a yes in the column "Opt-uot" (C1, C10)', async () => {
  const { contacts } = await readList(
    { 'list.csv': 'Email,Opt-uot\nana@x.test,no\nben@x.test,yes\n' },
    { defaultStatus: { '*': 'subscribed' } },
  );
  expect(contacts.map(({ email, status = 'subscribed' }) => [email, status])).toEqual([
    ['ana@x.test', 'subscribed'],
    ['ben@x.test', 'unsubscribed'],
  ]);
});
