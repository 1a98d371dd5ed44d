import { expect, test } from 'vitest';
import { isDate, isDayInDigits } from '../../../../../src/import/consent-columns/cells/days.ts';
import { readList } from '../../support.ts';

const HEADERS =
  'Unsubscribed|Opted out at|Opt-in date|Confirmed at|Newsletter|Consent|Status|Bounced|Invalid|Complained|Inactive|Deceased|Death|Out|Left|Suppressed|Bounces|Preferred channel|Unsubscribe reason|Notes|Email consent status|Mail error|Double opt-in|Consent valid until|End date|Newsletter 2024-05-01|Created'.split(
    '|',
  );
// The same day, first as the quick test knows it, then in a form that svc looks up in the tables of words.
const FORMS = [
  ['2024-05-01 10:00:00', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01', '2024-05-01 UTC'],
  ['5/1/2024 10:05 AM', '5/1/2024, 10:05 AM'],
] as const;

async function outcomeOf(header: string, cell: string) {
  const rows = [`p@x.test,active,"${cell}"`, 'q@x.test,active,'];
  const { contacts, trouble } = await readList({ 'list.csv': `Email,State,"${header}"\n${rows.join('\n')}\n` });
  return { contacts: contacts.map(({ email, status }) => [email, status]), trouble };
}

test.each(HEADERS)('reads a date under %s the same in a usual and in a rare form (C10)', async (header) => {
  for (const [usual, rare] of FORMS) {
    expect([isDayInDigits(usual), isDayInDigits(rare), isDate(rare)]).toEqual([true, false, true]);
    expect([usual, await outcomeOf(header, usual)]).toEqual([usual, await outcomeOf(header, rare)]);
  }
});
