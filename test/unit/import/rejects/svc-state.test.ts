import { describe, expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const HEADER = 'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email,Status';
const SUBSCRIBED = { contacts: [['a@x.test', undefined]], suppressions: {}, trouble: [] };
const UNSUBSCRIBED = { contacts: [['a@x.test', 'unsubscribed']], suppressions: {}, trouble: [] };
const SKIPPED = { contacts: [], suppressions: {}, trouble: [] };

function suppressedResult(reason: string) {
  return { contacts: [], suppressions: { [reason]: ['a@x.test'] }, trouble: [] };
}

/** The effect of svc_state in a rejects file, when the Status cell of the row says `active`. */
const STATES: readonly (readonly [cell: string, read: object])[] = [
  ['complained', suppressedResult('complained')],
  ['bounced', suppressedResult('bounced')],
  ['suppressed', suppressedResult('unsubscribed')],
  ['unsubscribed', UNSUBSCRIBED],
  ['pending', SKIPPED],
  ['skip', SKIPPED],
  ['subscribed', SUBSCRIBED],
  ['none', SUBSCRIBED],
  ['', SUBSCRIBED],
  ['left', { contacts: [], suppressions: {}, trouble: ['stop unknown_status'] }],
];

describe('a corrected rejects file', () => {
  test.each(STATES)('reads svc_state "%s" the same in any case and with spaces around (C10)', async (cell, read) => {
    for (const written of [cell, cell.toUpperCase(), `  ${cell} `]) {
      expect(await readWith(written, 'active'), written).toEqual(read);
    }
  });

  test.each(STATES)('prefers svc_state "%s" to the Status cell unless blank or none (C10)', async (cell, read) => {
    const own = cell === 'none' || cell === '' ? UNSUBSCRIBED : read;
    expect(await readWith(cell, 'unsubscribed')).toEqual(own);
  });
});

test('names svc_state and its words when a cell has another word (C11)', async () => {
  const rows = ['list.csv,2,Email,invalid_email,no @, Active ,a@x.test,active', ',,,,,,b@x.test,active'];
  for (const statusMap of [{}, { active: 'skip' }, { 'svc_state:active': 'skip' }, { '*': 'subscribed' }] as const) {
    const { contacts, finding, trouble } = await readList({ 'r.csv': csv(HEADER, ...rows) }, { statusMap });
    expect(trouble, JSON.stringify(statusMap)).toContain('stop unknown_status');
    expect(finding('unknown_status'), JSON.stringify(statusMap)).toEqual({
      check: 'unknown_status',
      level: 'stop',
      message: 'r.csv: 1 row has a word in the column svc_state that svc does not know',
      hint: expect.stringContaining('unsubscribed, suppressed, bounced, complained, pending, skip or subscribed'),
      examples: [{ file: 'r.csv', line: 2, column: 'svc_state', value: 'Active' }],
      total: 1,
    });
    expect(contacts.map(({ email }) => email)).not.toContain('a@x.test');
  }
});

async function readWith(state: string, status: string) {
  const list = csv(HEADER, `list.csv,2,Email,invalid_email,no @,${state},a@x.test,${status}`);
  const { contacts, suppressions, trouble } = await readList({ 'list.csv': list });
  return { contacts: contacts.map(({ email, status }) => [email, status]), suppressions, trouble };
}
