import { expect, test } from 'vitest';
import { hasDoubtfulName, stateByName } from '../../../../../src/import/mapping/state/default-status.ts';
import { csv, readList } from '../../support.ts';

/** Words for people who left, objected or never agreed, by the state that they mean. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  unsubscribed: [
    ...[
      'Löschanfragen',
      'loeschantraege',
      'gdpr_requests',
      'GDPR deletion requests',
      'DSGVO-Anfragen',
      'demandes RGPD',
    ],
    ...[
      'rausnehmen',
      'zu löschen',
      'bitte entfernen',
      'un-subscribed',
      'un_subscribed',
      'un subscribed',
      'To be forgotten',
    ],
    ...['ex-subscribed', 'lapsed_subscribed', 'former subscriptions', 'deletion-requests'],
  ],
  suppressed: ['stopliste', 'Stoppliste', 'Sperrdatei', 'Negativliste', 'negative list', 'stoplijst'],
  skip: [
    ...[
      'Ohne Einwilligung',
      'keine Zustimmung',
      'sans consentement',
      'sin consentimiento',
      'senza consenso',
      'no opt-in',
    ],
    ...[
      'zonder toestemming',
      'bez zgody',
      'bez souhlasu',
      'utan samtycke',
      'uden samtykke',
      'kein Opt-in',
      'no permission',
    ],
    ...['DO NOT IMPORT', 'do_not_upload', 'Nicht verwenden', 'nicht importieren', 'ne pas importer', 'niet importeren'],
    ...['non subscribers', 'non-subscribers', 'never subscribers', 'not_subscribed'],
  ],
};

const sourceOf = (name: string) => ({ path: name, entry: undefined, name });

test.each(Object.entries(NAMES))('knows names and titles of lists that mean %s (C4)', async (state, names) => {
  expect(names.map((name) => [name, stateByName(sourceOf(`${name}.csv`))])).toEqual(names.map((name) => [name, state]));
  for (const name of names) {
    const titled = await readList(
      { 'list.csv': `${name}\n\n${csv('Email,Name', 'a@x.test,Ana')}` },
      { defaultStatus: { '*': 'subscribed' } },
    );
    expect([name, titled.contacts, titled.finding('no_status')?.level]).toEqual([name, [], 'stop']);
  }
});

test.each(['Graveyard', 'Former customers', 'Old contacts', 'Archiv 2019', 'List: Graveyard'])(
  'asks the user about rows without a status below the title "%s" (C4)',
  async (title) => {
    const general = { defaultStatus: { '*': 'subscribed' } };
    const asked = await readList({ 'list.csv': `${title}\n\n${csv('Email,Name', 'a@x.test,Ana')}` }, general);
    expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
      [],
      { level: 'stop', hint: '--default-status list.csv=unsubscribed' },
    ]);
    const believed = await readList({ 'list.csv': `${title}\n\n${csv('Email,Status', 'a@x.test,active')}` }, general);
    expect([believed.contacts.length, believed.finding('no_status')]).toEqual([1, undefined]);
  },
);

const HARMLESS = [
  ...['fun subscribers', 'gdpr', 'GDPR consented', 'gdpr training', 'requests', 'song requests', 'Anfragen', 'import'],
  ...[
    'Liste ohne Dubletten',
    'sans frontieres',
    'sin city fans',
    'no sugar club',
    'opt-in',
    'double opt-in',
    'sperrmuell',
  ],
  ...['permission granted', 'negatives film club', 'forgotten gems', 'sun subscribers', 'Verwendung', 'Löschzug Nord'],
  ...['toestemming', 'zgody', 'mit Einwilligung', 'con consenso', 'avec consentement', 'z zgoda', 'med samtycke'],
  ...[
    'Old Spice fans',
    'archive of photos club',
    'subscribers',
    'all subscribers',
    'newsletter subscribed',
    'Stoplicht',
  ],
];

test('reads no opt-out in harmless names and titles (C4)', async () => {
  const asked = HARMLESS.map((name) => sourceOf(`${name}.csv`)).filter(
    (source) => stateByName(source) !== undefined || hasDoubtfulName(source),
  );
  expect(asked.map(({ name }) => name)).toEqual([]);
  for (const title of HARMLESS) {
    const text = `${title}\n\n${csv('Email,Name', 'a@x.test,Ana')}`;
    const { contacts } = await readList({ 'list.csv': text }, { defaultStatus: { '*': 'subscribed' } });
    expect([title, contacts.length]).toEqual([title, 1]);
  }
});
