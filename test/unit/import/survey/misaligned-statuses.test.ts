import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

// Each broken row has a valid address, and a status that no other row has.
const BROKEN: readonly (readonly [reason: string, lines: readonly string[]])[] = [
  ['too_many_fields', ['ben@example.com,Acme,cold,x']],
  ['text_after_closing_quote', ['ben@example.com,"Acme"x,cold']],
  ['backslash_before_quote', ['ben@example.com,"Acme \\"Ltd\\"",cold']],
  ['rows_in_quotes', ['ben@example.com,"Acme', 'cleo@example.com,Beta",cold']],
  ['below_other_header', ['Email,City,Status', 'ben@example.com,Acme,cold']],
];

test.each(BROKEN)('does not ask about the status word of a rejected row: %s (C9)', async (reason, lines) => {
  const whole = Array.from({ length: 30 }, (_, index) => `p${index}@example.com,Acme,active`);
  const list = await readList({ 'list.csv': csv('Email,Company,Status', ...whole, ...lines) }, { escape: '"' });
  expect(list.reading.rejections?.map((one) => [one.reason, one.total])).toContainEqual([reason, 1]);
  expect(list.finding('unknown_status')).toBeUndefined();
  expect(list.contacts.map(({ email }) => email)).toEqual(whole.map((row) => row.split(',')[0]));
});
