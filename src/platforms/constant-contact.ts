import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { filledColumn, stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { createWordReader, NONE, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

// A contact can have an address at home, at work and elsewhere. Each address has its own columns.
const KINDS = ['', ' - home', ' - work', ' - other'];
const withEachKind = (header: string) => KINDS.map((kind) => header + kind);
const DATES = withEachKind('Confirmed Opt-Out Date');
const STATUS = withEachKind('Email status');
const WORDS = statusWords([SUBSCRIBED, 'active'], [UNSUBSCRIBED, 'unsubscribed'], [skipFor('removed'), 'removed']);

// A contact with the status `active` can lack permission, so `Email permission status` counts too. `express` and
// `implied` give no state: they are only proof of consent.
const readPermission = createWordReader(
  statusWords(
    [PENDING, 'pending', 'awaiting confirmation', 'pending confirmation'],
    [skipFor('no_consent'), 'temp hold', 'temporary hold', 'on hold', 'none'],
  ),
);
const PERMISSIONS = withEachKind('Email permission status').map((header) => ({
  header,
  readingOf: (cell: string) => {
    const permission = readPermission(cell);
    return permission.unknown === undefined ? permission : NONE;
  },
}));

/** Constant Contact contact export. */
export const constantContact = definePlatform({
  id: 'constant-contact',
  title: 'Constant Contact',
  roles: {
    email: withEachKind('Email address'),
    unsubscribed_at: DATES,
    state: [...STATUS, ...DATES],
    consent: [
      'Email permission status',
      'Email update source',
      'Confirmed Opt-Out Source',
      'Confirmed Opt-Out Reason',
    ].flatMap(withEachKind),
    internal: ['Source Name', 'Created At', 'Updated At'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Email permission status', 'Email update source', 'Confirmed Opt-Out Date');
    const addresses = countHeaders(header, ...withEachKind('Email address'));
    const ownCountBesideAddresses = countHeaders(header, ...STATUS, 'Email Lists', 'Source Name');
    return ownCount > 0
      ? 90
      : addresses >= 2 && ownCountBesideAddresses > 0
        ? 85
        : /^contact_export_\d+_\d{6}_\d{6}/i.test(name)
          ? 70
          : 0;
  },
  read(shape) {
    // If the table has a status, the opt-out dates do not count: a person may have signed up again after that date.
    const hasStatus = countHeaders(shape.header, ...STATUS) > 0;
    const columns = hasStatus
      ? STATUS.map((header) => statusWordColumn(header, WORDS))
      : DATES.map((header) => filledColumn(header));
    return {
      ...stateByColumns(shape.header, [...columns, ...PERMISSIONS]),
      words: WORDS,
    };
  },
});
