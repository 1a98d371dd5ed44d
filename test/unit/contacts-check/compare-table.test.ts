import { describe, expect, test } from 'vitest';
import { comparePerson, type ExpectedPerson } from '../../../src/contacts-check/compare-person.ts';
import type { Contact } from '../../../src/wire/shapes.ts';

const SENT = { email: 'ana@example.com', first_name: 'Ana' };
const SUBSCRIBED: ExpectedPerson = { contact: SENT };
const OPTED_OUT: ExpectedPerson = { contact: { ...SENT, status: 'unsubscribed' } };
const SUPPRESSED: ExpectedPerson = { reason: 'bounced', written: true };
const NOT_WRITTEN: ExpectedPerson = { reason: 'bounced', written: false };

/**
 * First the status in the list. Then the contact in the audience: its status, and perhaps another name. Then the result
 * without and with a suppression of the address: the outcome and the fields that differ.
 */
const CASES: readonly (readonly [
  list: string,
  there: string,
  plain: string,
  suppressed: string,
  expected: ExpectedPerson,
])[] = [
  ['subscribed', 'missing', 'missing', 'opted_out suppression', SUBSCRIBED],
  ['subscribed', 'subscribed', 'same', 'same', SUBSCRIBED],
  ['subscribed', 'unsubscribed', 'opted_out status', 'opted_out status', SUBSCRIBED],
  ['subscribed', 'bounced', 'opted_out status', 'opted_out status', SUBSCRIBED],
  ['subscribed', 'subscribed, renamed', 'different first_name', 'opted_out suppression', SUBSCRIBED],
  ['subscribed', 'unsubscribed, renamed', 'different first_name', 'opted_out suppression', SUBSCRIBED],
  ['opted out', 'missing', 'missing', 'same', OPTED_OUT],
  ['opted out', 'subscribed', 'different status', 'same', OPTED_OUT],
  ['opted out', 'unsubscribed', 'same', 'same', OPTED_OUT],
  ['opted out', 'bounced', 'same', 'same', OPTED_OUT],
  ['opted out', 'subscribed, renamed', 'different first_name,status', 'same', OPTED_OUT],
  ['opted out', 'bounced, renamed', 'different first_name', 'same', OPTED_OUT],
  ['suppressed', 'missing', 'missing suppression', 'same', SUPPRESSED],
  ['suppressed', 'subscribed', 'different suppression', 'same', SUPPRESSED],
  ['suppressed', 'unsubscribed', 'missing suppression', 'same', SUPPRESSED],
  ['suppressed', 'bounced', 'missing suppression', 'same', SUPPRESSED],
  ['suppressed, not written', 'missing', 'same', 'same', NOT_WRITTEN],
  ['suppressed, not written', 'subscribed', 'different suppression', 'same', NOT_WRITTEN],
  ['suppressed, not written', 'unsubscribed', 'same', 'same', NOT_WRITTEN],
];

describe('comparing a person with a contact of the audience (V1)', () => {
  test.each(CASES)(
    'compares list: %s with audience: %s as %s, when suppressed as %s',
    (_, there, plain, suppressed, expected) => {
      expect([compare(expected, there), compare(expected, there, 'complained')]).toEqual([plain, suppressed]);
    },
  );

  test.each(['missing', 'unsubscribed', 'bounced'])(
    'a row to suppress matches a contact that is %s, suppressions unknown',
    (there) => {
      const known = { shownFields: new Set<string>(), areSuppressionsUnknown: true };
      expect(comparePerson(SUPPRESSED, contactOf(there), known).outcome).toBe('same');
    },
  );

  test('reports a subscribed person to suppress when suppressions are unknown', () => {
    const known = { shownFields: new Set<string>(), areSuppressionsUnknown: true };
    expect(comparePerson(SUPPRESSED, contactOf('subscribed'), known).outcome).toBe('different');
  });
});

function compare(expected: ExpectedPerson, there: string, suppressed?: string): string {
  const { outcome, differences } = comparePerson(expected, contactOf(there), {
    shownFields: new Set(['first_name']),
    suppressionReason: suppressed,
  });
  return `${outcome} ${differences.map(({ field }) => field).join()}`.trim();
}

function contactOf(there: string): Contact | undefined {
  const [status = '', renamed] = there.split(', ');
  const contact = { email: 'ana@example.com', status, first_name: renamed ? 'Bo' : 'Ana' };
  return status === 'missing' ? undefined : (contact as Contact);
}
