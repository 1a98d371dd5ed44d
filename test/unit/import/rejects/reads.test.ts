import { expect, test } from 'vitest';
import { hasRejectedRows, readRejectedRows } from '../../../../src/import/rejects/given-rejects.ts';
import { csv } from '../support.ts';

const HEADER = 'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email';
const FORMS = [{}, { encoding: 'utf-8' }];

/** A rejects file that counts how often it is read. */
function countedFile(header: string, rows: number) {
  const lines = Array.from({ length: rows }, (_, index) => `list.csv,${index + 2},Email,invalid_email,,,x${index}`);
  const bytes = Buffer.from(csv(header, ...lines));
  let reads = 0;
  const source = {
    ...{ index: 0, path: 'list.csv', entry: undefined, name: 'list.csv', size: bytes.length },
    async *bytes() {
      reads += 1;
      yield bytes;
    },
  };
  return { file: { source, head: header }, reads: () => reads };
}

test.each([
  ['the rows of a given file once for each form', HEADER, true, [4, 2]],
  ['no rows of a given file when the headers differ', `${HEADER},Name`, false, [2, 1]],
] as const)('reads %s (F9)', async (_, header, expected, reads) => {
  const given = countedFile(HEADER, 3);
  const read = readRejectedRows(given.file);
  const stored = Array.from({ length: 6 }, () => countedFile(header, 5));
  for (const [index, one] of stored.entries()) {
    const form = FORMS[index % FORMS.length] ?? {};
    expect(await hasRejectedRows(one.file, form, await read(form))).toBe(expected);
  }
  expect([given.reads(), stored[0]?.reads()]).toEqual(reads);
});
