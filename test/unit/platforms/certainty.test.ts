import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { platformById, platformIds } from '../../../src/platforms/registry.ts';
import { openGolden } from '../../support/golden.ts';

const SAMPLES = join(import.meta.dirname, '../../../samples');
const files = globSync('**/*.csv', { cwd: SAMPLES }).sort();

const golden = openGolden(join(import.meta.dirname, 'certainties.txt'));

// Each platform that claims the table, the most certain one first. Without its name, a file is known by its columns.
function claims(name: string, [header = [], ...sample]: readonly string[][]): string[] {
  return platformIds()
    .map((id) => ({
      id,
      certainty: platformById(id)?.certainty({ path: name, entry: undefined, name, header, sample }),
    }))
    .filter(({ certainty = 0 }) => certainty > 1)
    .sort((first, second) => (second.certainty ?? 0) - (first.certainty ?? 0))
    .map(({ id, certainty }) => `  ${id} ${certainty}`);
}

test.each(files)('rates how well each platform matches the sample %s', (file) => {
  const rows: string[][] = parse(readFileSync(join(SAMPLES, file)), { relax_column_count: true, bom: true });
  const named = claims(basename(file), rows);
  const unnamed = claims('list.csv', rows);
  golden.check(file, [...named, 'without its name:', ...unnamed]);
  expect(named.length).toBeGreaterThanOrEqual(unnamed.length);
});

// Tables of programs that svc does not know. Some of their headers are also headers of a platform.
test.each([
  ['Magento', 'subscriber_id,store_id,change_status_at,customer_id,subscriber_email,subscriber_status'],
  ['CiviCRM', 'Contact ID,First Name,Email,Do Not Email,No Bulk Emails (User Opt Out)'],
  ['Salesforce NPSP', 'Contact ID,First Name,Last Name,Email,Do Not Contact,Email Opt Out,Deceased,Account Name'],
  ['Klaviyo', 'Email,Suppression Reason,Timestamp'],
  ['Neon', 'Account ID,Account Type,Email 1,Email Opt-Out,Do Not Contact,Account Status,Deceased'],
  ['SuiteCRM', 'ID,First Name,Last Name,Email Address,Opted Out,Invalid Email,Do Not Call,Lead Source'],
  ['a form', 'subscriber_id,email,status,created_at'],
  ['Laravel', 'id,email,name,status,token,created_at,updated_at,unsubscribed_at'],
  ['Devise', 'id,email,confirmed_at,sign_in_count,created_at,updated_at,newsletter'],
  ['Joomla', 'id,name,username,email,block,registerDate,lastvisitDate'],
  ['Pipedrive', 'Person - ID,Person - Name,Person - Email - Work,Person - Marketing status'],
])('recognizes no platform in a table of %s', (_, header) => {
  expect(claims('list.csv', [header.split(',')])).toEqual([]);
});

test('recognizes Salesforce when its opt-out column comes first', () => {
  const header = ['HasOptedOutOfEmail', 'HasOptedOutOfFax', 'DoNotCall', 'Email'];
  expect(claims('list.csv', [header])).toContain('  salesforce 85');
});

test('certainties.txt has one entry for each sample', () => {
  expect(golden.titles()).toEqual(files);
});
