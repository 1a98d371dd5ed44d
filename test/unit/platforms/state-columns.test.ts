import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../src/import/csv/quoting.ts';
import { stepOf } from '../../support/sweep.ts';
import { readList } from '../import/support.ts';

interface Column {
  readonly header: string;
  /** Cells of a person who may get mail, or cells without a meaning. */
  readonly clear: readonly string[];
  readonly restricting: readonly string[];
}

const STATUS = ['unsubscribed', 'bounced', 'unconfirmed', 'inactive'];

/** Platforms with several status columns, and the headers by which they are recognized. */
const PLATFORMS: readonly (readonly [id: string, own: readonly string[], columns: readonly Column[]])[] = [
  [
    'mailpoet',
    ['List'],
    ['List status', 'Global status'].map((header) => ({ header, clear: ['subscribed'], restricting: STATUS })),
  ],
  [
    'phplist',
    ['html_email', 'uniqid'],
    [
      { header: 'confirmed', clear: ['1'], restricting: ['0'] },
      { header: 'blacklisted', clear: ['0', ''], restricting: ['1'] },
      { header: 'disabled', clear: ['0', ''], restricting: ['1'] },
    ],
  ],
  [
    'moosend',
    ['CreatedOn'],
    [
      { header: 'SubscribeType', clear: ['Subscribed'], restricting: ['Unsubscribed', 'Bounced', 'Removed'] },
      { header: 'UnsubscribedOn', clear: [''], restricting: ['2024-02-03 04:05:06'] },
    ],
  ],
  [
    'buttondown',
    ['creation_date', 'secondary_id'],
    [
      { header: 'type', clear: ['regular', 'premium'], restricting: ['unsubscribed', 'unactivated', 'removed'] },
      { header: 'unsubscription_date', clear: [''], restricting: ['2024-02-03'] },
    ],
  ],
  [
    'salesforce',
    ['AccountId', 'OwnerId'],
    [
      { header: 'HasOptedOutOfEmail', clear: ['false', '0', ''], restricting: ['true', '1'] },
      { header: 'IsEmailBounced', clear: ['false', ''], restricting: ['true'] },
      { header: 'EmailBouncedReason', clear: [''], restricting: ['550 no such user'] },
    ],
  ],
  [
    'zoho',
    ['Contact Owner.id', 'Record Id'],
    [
      { header: 'Email Opt Out', clear: ['false', ''], restricting: ['true'] },
      { header: 'Unsubscribed Mode', clear: [''], restricting: ['Manual'] },
      { header: 'Unsubscribed Time', clear: [''], restricting: ['2024-02-03 04:05:06'] },
    ],
  ],
  [
    'constant-contact',
    ['Email address - home', 'Email address - work', 'Email Lists'],
    ['Email status - home', 'Email status - work'].map((header) => ({
      header,
      clear: ['Active', ''],
      restricting: ['Unsubscribed', 'Removed'],
    })),
  ],
];

test.each(PLATFORMS)(
  'does not subscribe a person when one status column forbids it: %s (C7)',
  async (id, own, columns) => {
    const row = fc.tuple(
      ...columns.map(({ clear, restricting }) =>
        fc.oneof(
          fc.constantFrom(...clear).map((cell) => ({ cell, restricts: false })),
          fc.constantFrom(...restricting).map((cell) => ({ cell, restricts: true })),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
        const header = csvLine(['Email', ...own, ...columns.map((column) => column.header)], ',');
        const lines = rows.map((cells, index) =>
          csvLine([`p${index}@x.test`, ...own.map(() => ''), ...cells.map(({ cell }) => cell)], ','),
        );
        const list = await readList({ 'list.csv': [header, ...lines].join('\n') });
        expect(list.reading.inputs[0]?.platform).toBe(id);
        const subscribed = list.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
        const restricted = rows.flatMap((cells, index) => (cells.some(({ restricts }) => restricts) ? [index] : []));
        expect(restricted.filter((index) => subscribed.includes(`p${index}@x.test`))).toEqual([]);
      }),
      { numRuns: 60 / stepOf(4) },
    );
  },
);

test('stops at an unknown status when another column says subscribed (C4)', async () => {
  const list = await readList({
    'list.csv': 'Email,List status,Global status\na@x.test,subscribed,resting\nb@x.test,resting,subscribed\n',
  });
  expect([list.finding('unknown_status')?.level, list.finding('unknown_status')?.total]).toEqual(['stop', 2]);
});
