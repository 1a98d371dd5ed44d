import { hasLeft } from '../api/resources/contacts.ts';
import { compareConsent, compareContact, type Difference, MISSING } from '../migrate/verify/compare-contact.ts';
import type { SuppressionReason } from '../wire/service-words.ts';
import type { BatchContact, Contact } from '../wire/shapes.ts';

/**
 * The result for a person in the list and the audience. `opted_out`: subscribed in the list, opted out in the audience.
 * An import leaves that person unchanged (C1).
 */
export type CheckOutcome = 'same' | 'different' | 'missing' | 'extra' | 'opted_out';

/** A field with its value in the list and its value in the audience. An empty text stands for no value. */
export interface FieldDifference {
  readonly field: string;
  readonly list: string;
  readonly there: string;
}

export interface Comparison {
  readonly outcome: CheckOutcome;
  readonly differences: readonly FieldDifference[];
}

/** What an import writes for a person: a contact, or a suppression. */
export type ExpectedPerson =
  | { readonly contact: BatchContact }
  | {
      readonly reason: SuppressionReason;
      /** True if the address must be on the suppression list, because a run wrote it there. */
      readonly written: boolean;
    };

/** What the account shows about a person, besides the contact itself. */
export interface ServiceView {
  /** Fields that at least one contact of the audience shows. */
  readonly shown: ReadonlySet<string>;
  /** The reason on the account's suppression list. Undefined if the address is not on it, as far as is known. */
  readonly suppressed?: string | undefined;
  /** True if the service does not show the suppression list, or only a part of it. */
  readonly suppressionsUnknown?: boolean;
}

/**
 * Compares a person with the state that the audience should have after an import (V1). Fields that the list does not
 * set are not compared. The service refuses a suppressed contact, so an import does not change a suppressed person.
 */
export function comparePerson(expected: ExpectedPerson, got: Contact | undefined, service: ServiceView): Comparison {
  const comparison =
    'contact' in expected ? asContact(expected.contact, got, service) : asSuppressed(expected, got, service);
  const isFine = comparison.outcome === 'same' || comparison.outcome === 'opted_out';
  return isFine || service.suppressed === undefined ? comparison : excuse(expected, service.suppressed);
}

const SAME: Comparison = { outcome: 'same', differences: [] };

function asContact(sent: BatchContact, got: Contact | undefined, { shown }: ServiceView): Comparison {
  if (got === undefined) {
    return { outcome: 'missing', differences: [] };
  }
  const whole = withShownFields(sent, got, shown);
  const fields = compareContact(sent, whole).map(asField);
  const consent = compareConsent(sent, whole).map(asField);
  if (hasLeft(got) && sent.status !== 'unsubscribed') {
    return fields.length === 0 ? { outcome: 'opted_out', differences: consent } : different(fields);
  }
  // The address bounced in the audience, so it gets no mail either way.
  return different(got.status === 'bounced' ? fields : [...fields, ...consent]);
}

function different(differences: readonly FieldDifference[]): Comparison {
  return differences.length === 0 ? SAME : { outcome: 'different', differences };
}

/**
 * A suppressed person may be missing in the audience, but must not be subscribed there, unless the suppression list has
 * the address.
 */
function asSuppressed(
  { reason, written }: Extract<ExpectedPerson, { reason: SuppressionReason }>,
  got: Contact | undefined,
  { suppressionsUnknown = false }: ServiceView,
): Comparison {
  const mailed = got !== undefined && !hasLeft(got);
  if (!mailed && (!written || suppressionsUnknown)) {
    return SAME;
  }
  const differences = [{ field: 'suppression', list: reason, there: mailed ? got.status : '' }];
  return { outcome: mailed ? 'different' : 'missing', differences };
}

function excuse(expected: ExpectedPerson, suppressed: string): Comparison {
  return 'contact' in expected && expected.contact.status !== 'unsubscribed'
    ? { outcome: 'opted_out', differences: [{ field: 'suppression', list: 'subscribed', there: suppressed }] }
    : SAME;
}

/**
 * A service may leave out empty fields, or never show a field. If other contacts show a field that this contact lacks,
 * the field is empty. If no contact shows it, it is unknown and is not compared.
 */
function withShownFields(sent: BatchContact, got: Contact, shown: ReadonlySet<string>): Contact {
  const text = (field: 'first_name' | 'last_name') => (shown.has(field) ? { [field]: got[field] ?? '' } : {});
  const attributes = shown.has('attributes')
    ? { attributes: { ...withEmptyValues(sent.attributes), ...got.attributes } }
    : {};
  const date = shown.has('unsubscribed_at') ? { unsubscribed_at: got.unsubscribed_at ?? null } : {};
  // A missing status is unknown, so it does not match.
  const status = shown.has('status') ? { status: got.status ?? '' } : {};
  return { ...got, ...text('first_name'), ...text('last_name'), ...status, ...date, ...attributes };
}

function asField({ field, sent, got }: Difference): FieldDifference {
  const isNone = got === MISSING || (field === 'unsubscribed_at' && got === '(null)');
  return { field, list: sent, there: isNone ? '' : got };
}

function withEmptyValues(record: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.keys(record).map((key) => [key, '']));
}
