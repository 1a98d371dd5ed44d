import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { dateMeaning, endOfConsent } from '../../../../src/import/consent-columns/headers/date-headers.ts';
import { createWorld } from '../../../support/world.ts';
import { csv, readList } from '../../import/support.ts';

const STEMS = ['Consent', 'Permission', 'Opt-in', 'Newsletter', 'Marketing consent', 'Einwilligung', 'Toestemming'];
const ENDS = ['end date', 'end', 'ends on', 'ends', 'valid to', 'Ende', 'Enddatum', 'einde', 'einddatum', 'EndDate__c'];
const HEADERS = [
  ...STEMS.flatMap((stem) => ENDS.map((end) => `${stem} ${end}`)),
  ...['consentEndDate', 'ConsentEndDate__c', 'consent_end_date', 'Einwilligungsende', 'Ende der Einwilligung'],
  ...['Data fine consenso', 'Fine consenso', 'Fin de consentement', 'Fecha fin consentimiento', 'Fim do consentimento'],
  ...['Einddatum toestemming', 'End date of consent', 'Date of end of newsletter', 'Slutdatum samtycke'],
  ...['Data zakończenia zgody', 'Konec souhlasu', 'Newsletterende'],
];

test('takes a day under each of the headers for the end of a consent (C10)', () => {
  expect(HEADERS.filter((header) => endOfConsent(header, []) !== 'consent')).toEqual([]);
  expect(HEADERS.filter((header) => dateMeaning(header) === 'agreed')).toEqual([]);
});

const PAIRS = [
  ['Consent from', 'Consent to'],
  ['Subscribed from', 'Subscribed to'],
  ['newsletter_from', 'newsletter_thru'],
  ['Newsletter von', 'Newsletter bis'],
  ['Toestemming vanaf', 'Toestemming tot'],
] as const;

test.each(PAIRS)('reads %s and %s as a first and a last day (C10)', (from, to) => {
  expect(endOfConsent(to, ['Email', from, to])).toBe('consent');
  expect(dateMeaning(to, ['Email', from, to])).not.toBe('agreed');
  expect(endOfConsent(from, ['Email', from, to])).toBe(undefined);
});

test('reads valid_to beside valid_from as the end of a validity (C10)', () => {
  expect(endOfConsent('valid_to', ['Email', 'valid_from', 'valid_to'])).toBe('validity');
});

test.each([
  ...[
    'Consent start date',
    'Consent date',
    'Consent from',
    'Subscribed to',
    'Subscribed to newsletter',
    'Agree to emails',
  ],
  ...['Year-end newsletter', 'High end newsletter', 'End user consent', 'Fine dining newsletter', 'Weekend newsletter'],
  ...[
    'Boletín fin de semana',
    'Fin news',
    'Legend newsletter',
    'Finance newsletter',
    'Newsletter finance',
    'Trend news',
  ],
])('does not read %s as the end of a consent (C10)', (header) => {
  expect(endOfConsent(header, ['Email', 'Status', header])).toBe(undefined);
});

test.each(['Newsletter Fin', 'Newsletter South End', 'Consent West End', 'Opt-in kraj', 'Opt-in backend end'])(
  'takes a day under %s for no end of a consent (C10)',
  (header) => {
    expect(endOfConsent(header, ['Email', header])).toBe(undefined);
  },
);

test.each(['AU', 'AL', 'A', 'DO', 'TO'])(
  'reads %s after Newsletter as a country, not as a word for an end (C10)',
  (country) => {
    const header = ['DE', 'DA', 'FR', country].map((code) => `Newsletter ${code}`);
    expect(endOfConsent(header.at(-1) as string, ['Email', ...header])).toBe(undefined);
  },
);

const ENDED = ['Consent end date', 'Newsletter Ende', 'Consent valid to', 'Data fine consenso'];

test.each(ENDED)('stops at a past day under %s beside a status (C10)', async (header) => {
  const world = await createWorld();
  const today = new Date(world.clock.now());
  const [past, later] = [-1, 1].map((years) => `${today.getUTCFullYear() + years}-06-01`);
  const rows = [`a@x.test,active,2020-01-01,${past}`, `b@x.test,active,2020-01-01,${later}`, 'c@x.test,active,,'];
  const list = world.file('list.csv', csv(`Email,Status,Consent start date,${header}`, ...rows));
  const { json } = await world.svc(['migrate', list, '--dry-run', '--json']);
  const stops = (json.findings as readonly Finding[]).filter(({ level }) => level === 'stop');
  expect(stops).toMatchObject([{ check: 'consent_ends', total: 1 }]);
});

test.each([...ENDED, 'Subscription end date'])(
  'offers no sign-up by a date under %s without a status (C11)',
  async (header) => {
    const list = csv(`Email,${header}`, 'a@x.test,', 'b@x.test,2021-01-01', 'c@x.test,2031-01-01');
    const stop = (await readList({ 'list.csv': list })).finding('no_status');
    const flags = [stop?.hint, ...(stop?.otherwise ?? []).map((answer) => answer.flags)].join('\n');
    expect(flags).toContain('--default-status skip');
    expect(flags).not.toContain(':*=subscribed');
  },
);
