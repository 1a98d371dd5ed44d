import { expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { csv, readList } from '../support.ts';

const LIST = { 'list.csv': csv('Email,City,Loyalty Points,Status', 'ana@example.com,Bonn,7,subscribed') };

test.each([
  [['City'], { city: 'Bonn' }],
  [['CITY', 'loyalty_points'], { city: 'Bonn', loyalty_points: '7' }],
  [['Loyalty Points'], { loyalty_points: '7' }],
])('sends only the attributes that --attributes %j names', async (attributes, sent) => {
  const { contacts } = await readList(LIST, { attributes });
  expect(contacts[0]?.attributes).toEqual(sent);
});

test.each([
  [['Citty'], 'Citty', 'City'],
  [['City', 'Points'], 'Points', `'City,Loyalty Points'`],
  [['City', 'Shoe size'], 'Shoe size', 'City'],
  [['Shoe size'], 'Shoe size', 'none'],
])('refuses --attributes %j when a name is not a column, and lists columns', async (attributes, unknown, corrected) => {
  const { exit, code, message, hint } = (await readList(LIST, { attributes }).catch(
    (thrown: unknown) => thrown,
  )) as SvcError;
  expect([exit, code, message]).toEqual([2, 'unknown_column', `--attributes: no input has a column "${unknown}"`]);
  const columns = 'Columns: "Email", "City", "Loyalty Points", "Status". Perhaps:\n';
  expect(hint?.startsWith(columns) && hint.endsWith(` with --attributes ${corrected}`)).toBe(true);
});
