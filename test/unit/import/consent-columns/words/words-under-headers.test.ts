import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of a cell below the header, beside a cell that says nothing. */
function read(header: string, cell: string): string {
  return meaningOf(tableOf([header], { rows: [['Legitimate Interests'], [cell]] }), cell);
}

test.each([
  ['Consent - Pending', 'pending'],
  ['Consent - Waiting', 'pending'],
  ['Consent - Not Responded', 'pending'],
  ['Consent - Denied', 'unsubscribed'],
  ['Consent withdrawn', 'unsubscribed'],
  ['Stop Processing', 'unsubscribed'],
  ['Delete', 'refused'],
  ['Consent - Obtained', '-'],
  ['Legitimate Interests', '-'],
  ['Contract', '-'],
  ['Legal Obligation', '-'],
  ['Vital Interests', '-'],
  ['Public Interests', '-'],
  ['Not Applicable', '-'],
])('reads the data processing basis %s of Zoho CRM as %s (C10)', (cell, meaning) => {
  expect(['Data Processing Basis', 'Lawful basis'].map((header) => read(header, cell))).toEqual([meaning, meaning]);
});

const CONSENTS = 'consent|permission|Einwilligung|Zustimmung|consentement|consentimiento|consenso|toestemming|zgoda';
const AWAITED = 'pending|waiting|awaited|requested|not responded|ausstehend|wartend|en attente|pendiente|in attesa';

test('reads an awaited consent as pending in each column (C4, C10)', () => {
  const texts = CONSENTS.split('|').flatMap((what) =>
    AWAITED.split('|').flatMap((how) => [`${what} ${how}`, `${how} ${what}`, `${what} - ${how}`]),
  );
  const others = ['Tags', 'Notes', 'City', 'Data Processing Basis'].flatMap((header) =>
    texts.filter((text) => read(header, text) !== 'pending').map((text) => `${header}: ${text}`),
  );
  expect(others).toEqual([]);
});
