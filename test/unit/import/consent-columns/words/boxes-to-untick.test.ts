import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

const HEADERS = [
  ...[
    'Untick if you do not want emails',
    'Uncheck to unsubscribe',
    'Uncheck this box to opt out',
    'Deselect to opt out',
  ],
  ...['Newsletter (untick to opt out)', 'Please un-tick if you no longer wish to hear from us', 'Untick for no emails'],
  ...['Clear the tick to unsubscribe', 'Remove the tick to stop emails', 'Remove your check mark to opt out'],
  ...['Clear this box if you do not want news', 'Häkchen entfernen, wenn Sie keine Mails möchten'],
  ...['Haken entfernen zum Abmelden', 'Newsletter (abwählen zum Abmelden)', 'Décochez si vous ne voulez pas de mails'],
  ...['Décocher pour se désabonner', 'Desmarcar para no recibir correos', 'Uitvinken om af te melden'],
];

test.each(HEADERS)('asks about a yes and a no under "%s" when the status is active (C10)', async (header) => {
  for (const [yes, no] of [
    ['1', '0'],
    ['Yes', 'No'],
    ['TRUE', 'FALSE'],
  ] as const) {
    const rows = [`a@x.test,active,${yes}`, `b@x.test,active,${no}`];
    const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,"${header}"`, ...rows) });
    expect([yes, contacts]).toEqual([yes, []]);
    const asked = finding('unknown_status')?.message;
    expect(asked).toContain(JSON.stringify(yes));
    expect(asked).toContain(JSON.stringify(no));
  }
});

const OTHERS = ['Tick if you do not want emails', 'Select to unsubscribe', 'Unsubscribed'];

test.each(OTHERS)('reads a yes under %s as an opt-out without a question (C10)', (header) => {
  expect(meaningOf(tableOf([header], { rows: [['1'], ['0']] }), '1')).toBe('unsubscribed');
});

test.each(['Newsletter', 'Tick to receive news', 'Selected', 'Clearance', 'Check'])(
  'does not ask about a yes under %s, which takes no tick away (C10)',
  (header) => {
    expect(['agrees', '-']).toContain(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes'));
  },
);
