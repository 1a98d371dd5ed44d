import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

// Headers with a word about consent that are about a paid plan, an address, a parcel or paper.

/** The meaning of a cell below the header, beside usual cells. */
function read(header: string, cell: string, ...others: readonly string[]): string {
  return meaningOf(tableOf([header], { rows: [...others, cell].map((text) => [text]) }), cell);
}

const PLANS =
  'Subscription (paid)|Subscription status (Stripe)|Stripe subscription status|Paid subscription|PayPal subscription|Chargebee subscription status|Abo (bezahlt)|Abonnement payant|Suscripción pagada';

test.each(PLANS.split('|'))('asks about the end of a paid plan below %s, and about nothing else (C10)', (header) => {
  expect(['canceled', 'Cancelled', 'ended'].map((cell) => read(header, cell, 'active', 'active'))).toEqual(
    Array.from({ length: 3 }, () => 'asked'),
  );
  expect(
    ['active', 'trialing', 'past_due', 'unpaid', 'no', 'yes'].filter((cell) => read(header, cell, 'active') !== '-'),
  ).toEqual([]);
  expect(read(header, 'unsubscribed', 'active')).toBe('unsubscribed');
});

test.each(['Newsletter subscription (paid)', 'Email subscription status', 'Paid newsletter subscription'])(
  'asks about "canceled" below %s, because the header names mail (C10)',
  (header) => {
    expect(read(header, 'canceled', 'active', 'active')).not.toBe('-');
  },
);

const CHECKERS =
  'ZeroBounce status|Hunter status|NeverBounce result|Kickbox result|BriteVerify status|Bouncer status|DeBounce result|MillionVerifier result|Emailable state';

test.each(CHECKERS.split('|'))('reads the results of an address checker in the column %s (C10)', async (header) => {
  const valid = csv(`Email,Status,${header}`, 'a@x.test,subscribed,valid', 'b@x.test,subscribed,valid');
  expect((await readList({ 'list.csv': valid })).trouble).toEqual([]);
  expect(['invalid', 'do_not_mail', 'catch-all', 'unknown'].map((cell) => read(header, cell, 'valid'))).toEqual([
    'skipped invalid',
    'unsubscribed',
    'asked',
    'asked',
  ]);
});

test.each(['Postal mail', 'Snail mail', 'Paper mail', 'Correo postal'])(
  'does not ask about a no below %s, which is mail on paper',
  (header) => {
    expect(read(header, 'no', 'yes')).toBe('-');
  },
);

test.each(['Not attending', 'not coming', 'will not attend', 'nimmt nicht teil'])(
  'does not ask about "%s" as the answer of a guest to an invitation',
  (cell) => {
    expect(read('Attendee status', cell, 'Attending')).toBe('-');
    expect(read('Attendee status', 'not subscribed', 'Attending')).not.toBe('-');
  },
);
