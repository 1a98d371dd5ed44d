import { expect, test } from 'vitest';
import { meaningOf, saysNothing, tableOf } from '../vocabulary/golden.ts';

// Answers under the header of a preferred channel. The status beside them says that the person gets mail.

function read(header: string, cell: string, other = 'Email'): string {
  return meaningOf(tableOf([header], { rows: [[other], [cell]] }), cell);
}

test.each([
  ...['[]', '{}', 'none', '-email', '\u2212e-mail', 'sms,-email', '["sms","-email"]'],
  ...['Mail (postal)', 'Mail (Post)', 'mail [letter]', 'Mail (hard copy)', 'Physical mail', 'Mail, physical'],
  ...['Mail by post', 'mail USPS', 'P', 'T', 'TP', 'T/P', 'S, P'],
])('asks about the preferred channel %s (C10)', (cell) => {
  expect(['Preferred channel', 'Channels'].map((header) => read(header, cell))).toEqual(['refused', 'refused']);
});

test.each(['- Email', 'E-mail + Post', 'E-Mail, Post', 'email'])('takes the channel %s for a yes (C10)', (cell) => {
  expect(read('Preferred channel', cell)).toBe('agrees');
});

test('asks about the codes P, T and PT under Werbekanal, not about E (C10)', () => {
  const silent = (header: string, cells: string) => cells.split(' ').filter((cell) => saysNothing(header, 'E', cell));
  expect(['Werbekanal', 'Werbeweg', 'Reclamekanaal'].map((header) => silent(header, 'P T PT Post'))).toEqual([
    [],
    [],
    [],
  ]);
  expect(silent('Werbekanal', 'E EPT Google')).toEqual(['E', 'EPT', 'Google']);
});
