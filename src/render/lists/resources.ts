import type { Audience, Automation, Contact, Suppression } from '../../wire/shapes.ts';
import { timeCell } from '../text/cell.ts';
import { objectText } from '../text/object.ts';
import type { Style, Tone } from '../text/style.ts';
import { itemTable, renderTable } from '../text/table.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['subscribed', 'green'],
  ['unsubscribed', 'yellow'],
  ['pending', 'dim'],
  ['bounced', 'red'],
]);

export function contactsTable(contacts: readonly Contact[], style: Style): string {
  return itemTable(
    [
      { title: 'id', neverCut: true, dropOrder: 1, cell: ({ id }) => id },
      { title: 'email', minWidth: 30, cell: ({ email }) => email },
      { title: 'status', neverCut: true, cell: ({ status }) => ({ text: status ?? '', tone: TONES.get(status) }) },
      { title: 'first name', dropOrder: 3, cell: ({ first_name }) => first_name },
      { title: 'last name', dropOrder: 2, cell: ({ last_name }) => last_name },
    ],
    contacts,
    style,
  );
}

/** The text of `svc contacts get`: address and status first, then all other fields. */
export function contactText(contact: Contact, style: Style): string {
  const { email, status, unsubscribed_at, id, ...rest } = contact;
  return objectText({ email, status, unsubscribed_at, id, ...rest }, style);
}

/** The table of `svc audiences ls`. It has no numbers of contacts, because the service does not send them in lists. */
export function audiencesTable(audiences: readonly Audience[], now: number, style: Style): string {
  return itemTable(
    [
      { title: 'id', neverCut: true, cell: ({ id }) => id },
      { title: 'name', minWidth: 20, cell: ({ name }) => name },
      { title: 'created', field: 'created_at', dropOrder: 2, cell: ({ created_at }) => timeCell(created_at, now) },
      { title: 'updated', field: 'updated_at', dropOrder: 1, cell: ({ updated_at }) => timeCell(updated_at, now) },
    ],
    audiences,
    style,
  );
}

/**
 * The table of `svc suppressions ls`. Cells other than the id may be empty, because the document promises only the id.
 */
export function suppressionsTable(suppressions: readonly Suppression[], style: Style): string {
  return renderTable(
    [{ title: 'id', neverCut: true }, { title: 'email' }, { title: 'reason' }],
    suppressions.map(({ id, email, reason }) => [id, email, reason]),
    style,
  );
}

const AUTOMATION_TONES: ReadonlyMap<string, Tone> = new Map([
  ['active', 'green'],
  ['paused', 'yellow'],
  ['draft', 'dim'],
  ['archived', 'dim'],
]);

/**
 * The table of `svc automations ls`. Yellow marks automations that start by themselves (M3), and automations that mail
 * only members of the organization (M4).
 */
export function automationsTable(automations: readonly Automation[], style: Style): string {
  return itemTable(
    [
      { title: 'id', neverCut: true, cell: ({ id }) => id },
      { title: 'name', cell: ({ name }) => name },
      { title: 'status', neverCut: true, cell: ({ status }) => ({ text: status, tone: AUTOMATION_TONES.get(status) }) },
      {
        title: 'trigger',
        minWidth: 13,
        cell: ({ trigger }) => ({ text: trigger, tone: trigger === 'api' ? undefined : 'yellow' }),
      },
      { title: 'audience', field: 'audience_id', neverCut: true, dropOrder: 2, cell: ({ audience_id }) => audience_id },
      {
        title: 'version',
        field: 'live_version',
        align: 'right',
        dropOrder: 1,
        cell: ({ live_version }) => live_version,
      },
      {
        title: 'sandbox',
        cell: ({ sandbox }) =>
          sandbox ? { text: 'members only', tone: 'yellow', raw: 'true' } : { text: '', raw: 'false' },
      },
    ],
    automations,
    style,
  );
}
