import { EXIT, SvcError } from '../../base/lib/errors.ts';

/**
 * A point that the service document leaves open, and the readings of it that the emulator can play. The first reading
 * is the default.
 */
export interface Variant {
  readonly name: string;
  readonly readings: readonly [string, ...string[]];
  /** The sentence of the service document. In brackets: what it leaves open. */
  readonly sentence: string;
}

/** The open points that decide what a client must do. docs/service-notes.md lists all open points. */
export const VARIANTS = [
  {
    name: 'stored_errors',
    readings: ['yes', 'no'],
    sentence:
      'Idempotency: a retry with the same key within 24 hours returns the stored original status and body. (Refusals too?)',
  },
  {
    name: 'stored_scope_errors',
    readings: ['no', 'yes'],
    sentence: 'Idempotency: ... returns the stored original status and body. (Also of a 403 insufficient_scope?)',
  },
  {
    name: 'claim_owner',
    readings: ['organization', 'key'],
    sentence: 'Idempotency: a retry with the same key ... (Are keys shared by all API keys of an organization?)',
  },
  {
    name: 'omitted_status',
    readings: ['subscribed', 'pending', 'unsubscribed'],
    sentence: 'Writable fields seen: status. (Which status a new contact gets without it is not shown.)',
  },
  {
    name: 'omitted_status_existing',
    readings: ['keep', 'subscribed'],
    sentence:
      'Writable fields seen: status. (Which status an existing contact has after an upsert without it is not shown.)',
  },
  {
    name: 'address_case',
    readings: ['unicode', 'ascii', 'folded'],
    sentence:
      'email (string, canonicalized: trimmed and lowercased). (Which blanks are trimmed, and how capitals beyond ASCII are lowercased, is not shown.)',
  },
  {
    name: 'unsubscribed_at_on_update',
    readings: ['ignored', 'honoured'],
    sentence: 'unsubscribed_at (timestamp, honoured on create). (Whether an update honours it is not shown.)',
  },
  {
    name: 'batch_results',
    readings: ['full', 'failures', 'reversed'],
    sentence:
      'results array whose items carry index, status (failed shown) and, on failure, error.code. (Which rows are listed, in which order, is not shown.)',
  },
  {
    name: 'batch_invalid_row',
    readings: ['row', 'whole'],
    sentence:
      'Other per-row fields: not shown. (Whether an invalid address fails its row or the whole request is not shown.)',
  },
  {
    name: 'upsert_false_existing',
    readings: ['fail', 'update'],
    sentence: 'Batch body upsert (boolean). (What false does with an existing contact is not shown.)',
  },
  {
    name: 'cap_counts',
    readings: ['total', 'subscribed'],
    sentence: 'caps an account at 500 subscribers. (Whether unsubscribed contacts count is not shown.)',
  },
  {
    name: 'suppression_invalid_email',
    readings: ['whole', 'skip'],
    sentence: 'POST /v1/suppressions: emails (string[], up to 1,000). (What an invalid address does is not shown.)',
  },
  {
    name: 'suppressions_paging',
    readings: ['cursor', 'limit_only'],
    sentence: 'GET /v1/suppressions accepts limit. (Whether it pages is not shown.)',
  },
  {
    name: 'suppression_record',
    readings: ['full', 'id_only'],
    sentence: 'Suppression record: fields not shown beyond its id prefix.',
  },
  {
    name: 'suppression_marks_contacts',
    readings: ['no', 'yes'],
    sentence:
      'Contact status: transitions not shown. (Whether a suppression changes the contacts with its address is not shown.)',
  },
  {
    name: 'contact_list',
    readings: ['all', 'subscribed'],
    sentence:
      'GET /v1/audiences/{audience_id}/contacts: cursor-paginated list. (Whether it has people who are not subscribed is not shown.)',
  },
  {
    name: 'contact_record',
    readings: ['full', 'sparse'],
    sentence: 'Contact record: fields not shown beyond those above. (Whether empty fields are left out is not shown.)',
  },
  {
    name: 'rate_window',
    readings: ['log', 'weighted'],
    sentence:
      '600 per minute per organization, sliding window. (Whether it is a log of requests or a weighted counter is not shown.)',
  },
  {
    name: 'rate_counts_refused',
    readings: ['no', 'yes'],
    sentence: '600 per minute per organization, sliding window. (Whether refused requests count is not shown.)',
  },
  {
    name: 'mcp_errors',
    readings: ['result', 'protocol'],
    sentence:
      'MCP server: tool outputs not shown. (Whether a refusal is a result marked as error, or a protocol error.)',
  },
  {
    name: 'mcp_results',
    readings: ['structured', 'text'],
    sentence: 'MCP server: tool outputs not shown. (Whether a result has an object beside the text.)',
  },
  {
    name: 'mcp_answers',
    readings: ['json', 'stream'],
    sentence: 'MCP server: an HTTP endpoint. (Whether it responds with JSON or an event stream is not shown.)',
  },
] as const satisfies readonly Variant[];

/** The name of an open point, as it is typed in `--quirk <name=reading>`. */
export type VariantName = (typeof VARIANTS)[number]['name'];

/** The reading that the emulator plays, for each open point of the service document. */
export type Variants = Readonly<Record<VariantName, string>>;

/**
 * Adds the default reading of each point that `chosen` does not name. Throws SvcError for an unknown name or reading.
 */
export function chooseVariants(chosen: Readonly<Record<string, string>> = {}): Variants {
  for (const [name, reading] of Object.entries(chosen)) {
    assertKnown(name, reading);
  }
  const entries = VARIANTS.map((variant) => [variant.name, chosen[variant.name] ?? variant.readings[0]] as const);
  // Every name is present, because the object is built from VARIANTS.
  return Object.fromEntries(entries) as Variants;
}

function assertKnown(name: string, reading: string): void {
  const variant: Variant | undefined = VARIANTS.find((each) => each.name === name);
  if (!variant) {
    const known = VARIANTS.map((each) => each.name).join(', ');
    const message = `no such quirk: ${name} (known: ${known})`;
    throw new SvcError(EXIT.usage, 'unknown_quirk', message, { hint: 'See: svc emulator quirks' });
  }
  if (!variant.readings.includes(reading)) {
    const known = variant.readings.join(', ');
    throw new SvcError(EXIT.usage, 'unknown_quirk', `no such value of ${name}: ${reading} (known: ${known})`);
  }
}
