import { expect, test } from 'vitest';
import { platformById } from '../../../src/platforms/registry.ts';
import { differing, goldenLines, meaningOf, tableOf } from '../import/consent-columns/vocabulary/golden.ts';

/**
 * Compares every header and word that svc knows of a platform with a reviewed text file. A word that is lost, changed
 * or misspelled in the source fails here.
 */

const CELLS = ['yes', 'no', '', '2021-03-04', 'xyzzy'];

test('reads each header as platform-headers.txt says (C8, C10, C12)', () => {
  const golden = linesOf('platform-headers.txt', 550);
  const read = golden.map(([platform = '', header = '']) => {
    const table = tableOf([header], { from: platform });
    const proof = table.reading.proofHeaders?.includes(header) ? ' proof' : '';
    const cells = CELLS.map((cell) => meaningOf(table, cell)).join(' | ');
    return [platform, header, `${table.columns[1]?.kind}${proof}`, cells];
  });
  expect(differing(read, golden)).toEqual([]);
});

test('reads each status word as platform-words.txt says (C4, C6)', () => {
  const golden = linesOf('platform-words.txt', 280);
  const read = golden.map(([platform = '', header = '', word = '']) => [
    ...[platform, header, word],
    meaningOf(tableOf([header], { from: platform }), word),
  ]);
  expect(differing(read, golden)).toEqual([]);
});

test('reads the status from the file name of a platform export (C6, C10)', () => {
  const golden = linesOf('platform-files.txt', 70);
  const read = golden.map(([name = '', header = '', cells = '']) => {
    const row = cells.split(',');
    const table = tableOf(header.split(','), { name, rows: [row] });
    return [name, header, cells, table.platform, meaningOf(table, ...row)];
  });
  expect(differing(read, golden)).toEqual([]);
});

test('recognizes each platform by its own headers (C10)', () => {
  const golden = linesOf('platform-recognition.txt', 200);
  const read = golden.map(([, ...headers]) => [tableOf(headers).platform, ...headers]);
  expect(differing(read, golden)).toEqual([]);
});

/** The address headers of each platform, best first. Other address headers may stand before them. */
test.each([
  ['brevo', ['EMAIL']],
  ['buttondown', ['email_address', 'email']],
  ['campaign-monitor', ['Email Address']],
  ['constant-contact', ['Email address', 'Email address - home', 'Email address - work', 'Email address - other']],
  ['eventbrite', ['Email', 'Attendee email', 'Email Address', 'Buyer email']],
  ['google-contacts', ['E-mail 1 - Value']],
  ['hubspot', ['Email']],
  ['klaviyo', ['Email']],
  ['mailchimp', ['Email Address']],
  ['mailerlite', ['Subscriber', 'Email']],
  ['mailgun', ['address']],
  ['postmark', ['EmailAddress', 'Email']],
  ['stripe', ['Email', 'Customer Email']],
  ['wix', ['Email 1']],
  ['zoho', ['Email']],
])('prefers the address column of the platform %s to other columns (F8)', (platform, names) => {
  names.forEach((name, at) => {
    const header = ['Mail', ...names.slice(at).reverse()];
    const shape = { path: 'list.csv', entry: undefined, name: 'list.csv', header, sample: [] };
    const { columns } = platformById(platform)?.read(shape) ?? { columns: [] };
    expect([name, header[columns.findIndex(({ kind }) => kind === 'email')]]).toEqual([name, name]);
  });
});

function linesOf(file: string, fewest: number): readonly (readonly string[])[] {
  const lines = goldenLines(file).map(({ cells }) => cells);
  expect(lines.length).toBeGreaterThan(fewest);
  return lines;
}
