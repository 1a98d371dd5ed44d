import { isUnsubscribed } from '../api/resources/contacts.ts';
import {
  type ContactDifference,
  compareConsent,
  compareContact,
  MISSING_VALUE,
} from '../migrate/compare/compare-contact.ts';
import type { SuppressionReason } from '../wire/service-words.ts';
import type { BatchContact, Contact } from '../wire/shapes.ts';

/**
 * The result for one person. `missing`: only in the list. `extra`: only in the audience. `opted_out`: subscribed in the
 * list, opted out in the audience; an import would leave this person opted out (C1).
 */
export type CheckOutcome = 'same' | 'different' | 'missing' | 'extra' | 'opted_out';

/**
 * A field with its value in the list (`list`) and its value in the audience (`there`). An empty text means no value.
 */
export interface FieldDifference {
  readonly field: string;
  readonly list: string;
  readonly there: string;
}

export interface Comparison {
  readonly outcome: CheckOutcome;
  readonly differences: readonly FieldDifference[];
}

/** What an import would write for a person: a contact or a suppression. */
export type ExpectedPerson =
  | { readonly contact: BatchContact }
  | {
      readonly reason: SuppressionReason;
      /** True if a run wrote the address to the suppression list. Then the address must still be there. */
      readonly written: boolean;
    };

/** What the account shows about a person, besides the contact. */
export interface ServiceView {
  /** Fields that at least one contact of the audience has. */
  readonly shownFields: ReadonlySet<string>;
  /**
   * The reason for which the address is on the account's suppression list. Undefined if the address is not on it, or if
   * svc did not read that far.
   */
  readonly suppressionReason?: string | undefined;
  /** True if svc could not read the whole suppression list. */
  readonly areSuppressionsUnknown?: boolean;
}

/**
 * Compares a person with the state that an import should leave in the audience (V1). Fields that the list does not set
 * are not compared. An import can't change a suppressed person, because the service refuses the contact.
 */
export function comparePerson(expected: ExpectedPerson, got: Contact | undefined, service: ServiceView): Comparison {
  const comparison =
    'contact' in expected
      ? compareAsContact(expected.contact, got, service)
      : compareAsSuppressed(expected, got, service);
  const isFine = comparison.outcome === 'same' || comparison.outcome === 'opted_out';
  return isFine || service.suppressionReason === undefined
    ? comparison
    : compareOnSuppressionList(expected, service.suppressionReason);
}

const SAME: Comparison = { outcome: 'same', differences: [] };

function compareAsContact(sent: BatchContact, got: Contact | undefined, { shownFields }: ServiceView): Comparison {
  if (got === undefined) {
    return { outcome: 'missing', differences: [] };
  }
  const gotWithEmptyFields = withShownFields(sent, got, shownFields);
  const fields = compareContact(sent, gotWithEmptyFields).map(toFieldDifference);
  const consent = compareConsent(sent, gotWithEmptyFields).map(toFieldDifference);
  if (isUnsubscribed(got) && sent.status !== 'unsubscribed') {
    return fields.length === 0 ? { outcome: 'opted_out', differences: consent } : different(fields);
  }
  // A bounced address gets no mail, so consent is not compared, no matter what the list says.
  return different(got.status === 'bounced' ? fields : [...fields, ...consent]);
}

function different(differences: readonly FieldDifference[]): Comparison {
  return differences.length === 0 ? SAME : { outcome: 'different', differences };
}

/**
 * Compares a person whom an import of the list suppresses. The audience may have no contact for this person. If it has
 * one, this contact must get no mail. If a run wrote the suppression, the address must be on the suppression list.
 */
function compareAsSuppressed(
  { reason, written }: Extract<ExpectedPerson, { reason: SuppressionReason }>,
  got: Contact | undefined,
  { areSuppressionsUnknown = false }: ServiceView,
): Comparison {
  const getsMail = got !== undefined && !isUnsubscribed(got);
  if (!getsMail && (!written || areSuppressionsUnknown)) {
    return SAME;
  }
  const differences = [{ field: 'suppression', list: reason, there: getsMail ? got.status : '' }];
  return { outcome: getsMail ? 'different' : 'missing', differences };
}

/**
 * The result for a person who differs and is on the suppression list. The service would refuse to change this contact.
 */
function compareOnSuppressionList(expected: ExpectedPerson, suppressed: string): Comparison {
  return 'contact' in expected && expected.contact.status !== 'unsubscribed'
    ? { outcome: 'opted_out', differences: [{ field: 'suppression', list: 'subscribed', there: suppressed }] }
    : SAME;
}

/**
 * Adds empty fields to a contact. The service may leave out a field because it is empty, or because it never shows the
 * field. If another contact has the field, the service shows it, so the field counts as empty here. If no contact has
 * the field, its value is unknown and is not compared.
 */
function withShownFields(sent: BatchContact, got: Contact, shownFields: ReadonlySet<string>): Contact {
  const shownField = (field: 'first_name' | 'last_name') =>
    shownFields.has(field) ? { [field]: got[field] ?? '' } : {};
  const attributes = shownFields.has('attributes')
    ? { attributes: { ...withEmptyValues(sent.attributes), ...got.attributes } }
    : {};
  const date = shownFields.has('unsubscribed_at') ? { unsubscribed_at: got.unsubscribed_at ?? null } : {};
  // A missing status becomes an empty one, which differs from every status of the list.
  const status = shownFields.has('status') ? { status: got.status ?? '' } : {};
  return { ...got, ...shownField('first_name'), ...shownField('last_name'), ...status, ...date, ...attributes };
}

function toFieldDifference({ field, sent, got }: ContactDifference): FieldDifference {
  const isNone = got === MISSING_VALUE || (field === 'unsubscribed_at' && got === '(null)');
  return { field, list: sent, there: isNone ? '' : got };
}

function withEmptyValues(record: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.keys(record).map((key) => [key, '']));
}
