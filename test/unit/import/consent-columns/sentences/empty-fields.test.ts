import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

// Fields in a cell that say nothing, or say nothing good: `{"consent":null}`. The status beside them says subscribed.

/** What svc reads in the cell under a header that says nothing, beside a cell with the other value. */
function read(cell: string, other = '{"city":"Rome"}', header = 'settings'): string {
  return meaningOf(tableOf([header], { rows: [[other], [cell]] }), cell);
}

test.each([
  ...['{"consent":null}', '{"consent":""}', '{"preferences":{"newsletter":null}}', '[{"newsletter":null}]'],
  ...[
    '{"notifications":[]}',
    '{"newsletter":{}}',
    '{"emails":[]}',
    '{"channels":[]}',
    '{"name":"newsletter","value":null}',
  ],
  ...['{"emails":"none"}', '{"emails":"keine"}', '{"email":"aucun"}', '{"state":"left"}', '{"stato":"left"}'],
])('asks when a consent field is empty or refuses: %s (C10)', (cell) => {
  expect(read(cell)).toBe('refused');
  expect(read(cell, 'nice', 'Notes')).toBe('refused');
});

test.each([
  'O:8:"stdClass":1:{s:10:"newsletter";b:0;}',
  'O:8:"stdClass":1:{s:10:"newsletter";N;}',
  'C:11:"ArrayObject":37:{x:i:0;a:1:{s:10:"newsletter";b:0;};m:a:0:{}}',
  'a:1:{s:10:"newsletter";N;}',
  'a:1:{s:10:"newsletter";a:0:{}}',
  'a:2:{s:4:"city";s:4:"Rome";s:10:"newsletter";s:2:"no";}',
])('asks when a consent field in PHP data is empty or a no: %s (C10)', (cell) => {
  expect(read(cell, cell.replace(/[bN].?.?.?;?\}+$/, 'b:1;}'))).toBe('refused');
});

test.each([
  ...['{"email":null}', '{"consent_date":null}', '{"sms":{"consent":null}}', '{"unsubscribed_at":null}', '{"tags":[]}'],
  ...['{"consent":null,"newsletter":true}', '{"state":"CA"}', '{"state":"active"}', '{"order":{"state":"cancelled"}}'],
  ...['{"notifications":["email"]}', '{"emails":"all"}', '{"city":null}', 'O:8:"stdClass":1:{s:4:"city";N;}'],
])('asks nothing about the fields %s (C10)', (cell) => {
  expect(['-', 'agrees']).toContain(read(cell));
});
