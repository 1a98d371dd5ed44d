import { expect, test } from 'vitest';
import { pasteHints } from './paste-hints.ts';
import { csv, readList } from './support.ts';

const STOPS = [
  ...[
    'Stop',
    'Stopped',
    'Halt',
    'Block',
    'Mute',
    'Hold',
    'Pause',
    'Removal',
    'Delete',
    'Cancel',
    'Cancellation',
    'Ban',
  ],
  ...['Leave', 'Left', 'Quit', 'Exit', 'Rejected', 'Denied', 'Exclusion', 'Archive', 'Retired', 'Expired', 'Dropped'],
  ...['Lost', 'Churn', 'End', 'Silenced', 'Restricted', 'Withdrawal', 'Terminated', 'Opt-out', 'Unsubscribe'],
  ...['Sperr', 'Kündigung', 'Gekündigt', 'Cancellato', 'Bloqueo', 'Parado', 'Arrêt', 'Fermo'],
];

test('subscribes no one with a yes under Stop status and the like (C10, C11)', async () => {
  for (const header of STOPS.flatMap((word, at) => (at % 2 === 0 ? [`${word} Status`] : [`Status ${word}`]))) {
    const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,no', 'd@x.test,') };
    const list = await pasteHints(files);
    const signedUp = list?.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
    expect([header, signedUp?.includes('a@x.test')]).toEqual([header, false]);
  }
});

test.each(['Stop Status', 'Block status', 'Mute status'])(
  'offers first to subscribe people with a no under %s (C11)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,no') };
    expect((await pasteHints(files))?.contacts).toEqual([{ email: 'b@x.test' }, { email: 'c@x.test' }]);
  },
);

test.each(['Regional status', 'Campaign status', 'Zone Status'])(
  'asks what a yes means under %s (C4)',
  async (header) => {
    const { contacts, trouble } = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no') });
    expect([contacts, trouble]).toEqual([[], ['stop unknown_status']]);
  },
);

test.each(['Status', 'Email status', 'Newsletter-Status', 'Opt-in Status', 'Statut abonnement', 'marketing_status'])(
  'still subscribes people with a yes under %s (C10)',
  async (header) => {
    const { contacts } = await readList({
      'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,unsubscribed'),
    });
    expect(contacts).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test', status: 'unsubscribed' }]);
  },
);

test.each(['Opt-out', 'Unsubscribed', 'Stop status', 'Suppression status', 'Complaint status'])(
  'asks about active and enabled under %s beside a status (C10, C11)',
  async (header) => {
    for (const word of ['active', 'enabled', 'valid', 'verified', 'ok']) {
      const files = { 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${word}`, 'b@x.test,active,') };
      expect((await readList(files)).finding('unknown_status')?.message).toContain(`"${word}" (1)`);
      expect((await pasteHints(files))?.contacts).toEqual([{ email: 'b@x.test' }]);
    }
  },
);
