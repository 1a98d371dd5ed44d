import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import type { StatusReading } from './lib/states.ts';
import { BOUNCED, bareWord, COMPLAINED, NONE, SUPPRESSED, skipFor, UNSUBSCRIBED } from './lib/status-words.ts';

/**
 * SendGrid exports: contacts without a state, and one file for each kind of suppression, such as bounces or spam
 * reports.
 */
export const sendgrid: Platform = { id: 'sendgrid', title: 'SendGrid', certainty, read, legacyEncoding };

type Kind =
  | 'contacts'
  | 'bounces'
  | 'blocks'
  | 'invalid_emails'
  | 'spam_reports'
  | 'unsubscribes'
  | 'groups'
  | 'unclear'
  | 'renamed';

const CONTACTS: ColumnRoles = { internal: ['contact_id', 'created_at', 'updated_at'] };
const SUPPRESSIONS: ColumnRoles = { unsubscribed_at: ['created', 'created_at'], isInternal: () => true };
// In bounce files `status` is the code of a mail server, which distinguishes hard from soft bounces. In other files it
// means something else.
const BOUNCES: ColumnRoles = { ...SUPPRESSIONS, state: ['status'] };

function certainty(shape: TableShape): number {
  const { header, name } = shape;
  if (NAMED.test(name)) {
    return 90;
  }
  const contactHeaderCount = countHeaders(header, 'address_line_1', 'state_province_region', 'postal_code');
  return HEADERS.has(bareHeader(header)) || holdsUnixTimes(shape)
    ? 60
    : contactHeaderCount >= 2 && findHeader(header, 'email') >= 0
      ? 70
      : 0;
}

const NAMED =
  /(?:^|[^a-z])(?:suppression_(bounces|blocks|invalid_emails|spam_reports|unsubscribes)|asm_groups_\d+_suppressions)/i;
// The kind of a suppression file, by its header. Bounces (final) and blocks (temporary) have the same header, and only
// the file name distinguishes them. So a renamed file of either kind is `unclear`.
const HEADERS: ReadonlyMap<string, Kind> = new Map([
  ['status,reason,email,created', 'unclear'],
  ['reason,email,created', 'invalid_emails'],
  ['ip,email,created', 'spam_reports'],
]);

// The reasons in these files are texts of other mail servers, in any encoding. svc doesn't send them, so it reads them
// in an encoding in which all bytes are valid.
function legacyEncoding(name: string): string | undefined {
  return NAMED.test(name) ? 'iso-8859-1' : undefined;
}

function read(shape: TableShape): TableReading {
  const kind = exportKindOf(shape);
  const columns = assignColumns(shape, kind === 'contacts' ? CONTACTS : kind === 'bounces' ? BOUNCES : SUPPRESSIONS);
  const hasNoState = kind === 'contacts' || kind === 'unclear' || kind === 'renamed';
  const stateOf = kind === 'bounces' ? bounceRule(shape.header) : () => STATES[kind];
  const suggestedState = kind === 'unclear' ? 'bounced' : kind === 'renamed' ? 'unsubscribed' : undefined;
  return { ...columns, stateSource: hasNoState ? undefined : 'file name', stateOf, dateForm: 'unix', suggestedState };
}

function exportKindOf(shape: TableShape): Kind {
  const { header, name } = shape;
  const match = NAMED.exec(name);
  if (match) {
    return (match[1]?.toLowerCase() as Kind | undefined) ?? 'groups';
  }
  return HEADERS.get(bareHeader(header)) ?? (holdsUnixTimes(shape) ? 'renamed' : 'contacts');
}

// True for an unsubscribe file that was renamed: it has two columns, and its times are Unix seconds.
function holdsUnixTimes({ header, sample }: TableShape): boolean {
  const times = sample.map((row) => row[1]?.trim() ?? '').filter((time) => time !== '');
  return bareHeader(header) === 'email,created' && times.length > 0 && times.every((time) => /^1\d{9}$/.test(time));
}

function bareHeader(header: readonly string[]): string {
  return header.map(bareWord).join(',');
}

const STATES: Readonly<Record<Kind, StatusReading>> = {
  contacts: NONE,
  unclear: NONE,
  renamed: NONE,
  bounces: BOUNCED,
  blocks: skipFor('blocked'),
  invalid_emails: skipFor('invalid'),
  spam_reports: COMPLAINED,
  unsubscribes: SUPPRESSED,
  groups: UNSUBSCRIBED,
};

// The state rule of a file of bounces. A code that begins with 5 is final, and one that begins with 4 is temporary
// (C6). If a row has no status, its reason begins with the code.
function bounceRule(header: readonly string[]): TableReading['stateOf'] {
  const statusAt = findHeader(header, 'status');
  const reasonAt = findHeader(header, 'reason');
  const soft = skipFor('soft_bounce');
  return (cells) => {
    const status = (cells[statusAt] ?? '').trim();
    const code = status || (/^\D{0,3}([45])\d\d\b/.exec(cells[reasonAt] ?? '')?.[1] ?? '');
    return code.startsWith('5') ? BOUNCED : code.startsWith('4') ? soft : { state: 'none', unknown: status };
  };
}
