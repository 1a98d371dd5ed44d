import type { Audience, Automation, Contact, Suppression } from '../../wire/shapes.ts';
import { type Cell, timeCell } from '../text/cell.ts';
import { objectText } from '../text/object.ts';
import type { Style, Tone } from '../text/style.ts';
import { table } from '../text/table.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['subscribed', 'green'],
  ['unsubscribed', 'yellow'],
  ['pending', 'dim'],
  ['bounced', 'red'],
]);

export function contactsTable(contacts: readonly Contact[], style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true, dropOrder: 1 },
      { title: 'email', minWidth: 30 },
      { title: 'status', neverCut: true },
      { title: 'first name', dropOrder: 3 },
      { title: 'last name', dropOrder: 2 },
    ],
    contacts.map(({ id, email, status, first_name, last_name }) => [
      id,
      email,
      { text: status ?? '', tone: TONES.get(status) },
      first_name,
      last_name,
    ]),
    style,
  );
}

/** `svc contacts get`: address and status first, then all other fields from the service. */
export function contactText(contact: Contact, style: Style): string {
  const { email, status, unsubscribed_at, id, ...rest } = contact;
  return objectText({ email, status, unsubscribed_at, id, ...rest }, style);
}

/** `svc audiences ls`: without counts, because the list of the service has none. */
export function audiencesTable(audiences: readonly Audience[], now: number, style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true },
      { title: 'name', minWidth: 20 },
      { title: 'created', field: 'created_at', dropOrder: 2 },
      { title: 'updated', field: 'updated_at', dropOrder: 1 },
    ],
    audiences.map((audience) => [
      audience.id,
      audience.name,
      timeCell(audience.created_at, now),
      timeCell(audience.updated_at, now),
    ]),
    style,
  );
}

/** `svc suppressions ls`: the service document shows only the id, so the other cells may be empty. */
export function suppressionsTable(suppressions: readonly Suppression[], style: Style): string {
  return table(
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

/** `svc automations ls`: which automations start by themselves (rule M3), and which mail members only (M4). */
export function automationsTable(automations: readonly Automation[], style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true },
      { title: 'name' },
      { title: 'status', neverCut: true },
      { title: 'trigger', minWidth: 13 },
      { title: 'audience', field: 'audience_id', neverCut: true, dropOrder: 2 },
      { title: 'version', field: 'live_version', align: 'right', dropOrder: 1 },
      { title: 'sandbox' },
    ],
    automations.map(automationRow),
    style,
  );
}

function automationRow(automation: Automation): Cell[] {
  const { id, name, status, trigger, audience_id, live_version, sandbox } = automation;
  return [
    id,
    name,
    { text: status, tone: AUTOMATION_TONES.get(status) },
    { text: trigger, tone: trigger === 'audience_join' ? 'yellow' : undefined },
    audience_id,
    live_version,
    sandbox ? { text: 'members only', tone: 'yellow', raw: 'true' } : { text: '', raw: 'false' },
  ];
}
