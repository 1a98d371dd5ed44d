import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactTexts } from '../../../../src/import/batch/contact-text.ts';
import { cutTextBatches } from '../../../../src/import/batch/cut-batches.ts';
import { createJsonWriter } from '../../../../src/import/batch/json-bytes.ts';
import { rereadContacts } from '../../../../src/import/batch/reread-list.ts';
import { csvLine } from '../../../../src/import/csv/quoting.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { stepOf } from '../../../support/sweep.ts';
import { readList } from '../support.ts';

const { signal } = new AbortController();
const BARE: Partial<ReadingOptions> = { defaultStatus: { '*': 'subscribed' } };

async function both(csv: string, answers: Partial<ReadingOptions>) {
  const { reading, people } = await readList({ 'list.csv': csv }, answers);
  const items = await Array.fromAsync(rereadContacts({ survey: reading, people }, { signal }));
  // Each contact is written before the next ones are read, because those overwrite its bytes.
  const written = Array.fromAsync(contactTexts({ survey: reading, people }, { signal }), (part) =>
    part.map(({ write, ...text }) => {
      const to = createJsonWriter();
      write(to);
      return { ...text, json: to.take().toString() };
    }),
  );
  return {
    items,
    texts: (await written).flat(),
    inOrder: await Array.fromAsync(cutTextBatches(contactTexts({ survey: reading, people }, { signal }), { size: 2 })),
  };
}

test.each<[string, string, Partial<ReadingOptions>]>([
  ['plain cells', 'Email,First Name,Last Name,Plan\na@x.test,Ana,Berg,free\nB@x.test,,,', BARE],
  [
    'characters that JSON escapes',
    'Email,Note\na@x.test,"a ""b"" \\ c\nd\te\u0001 \u007f \u2028 😀"\nb@x.test,\u001f',
    BARE,
  ],
  ['a name in the first column', 'First Name,Email\nAna,a@x.test\nBo,b@x.test\n', BARE],
  ['blanks around cells', 'Email,First Name,Note,Plan\na@x.test, Ana , a\u00a0,free \nb@x.test,Bo ,"  ","x "\n', BARE],
  ['an address with wide letters', 'Email,Note\nüñ@x.test,日本\n', BARE],
  ['states and dates', 'Email,Status,Unsubscribed at\na@x.test,unsubscribed,2024-02-01\nb@x.test,subscribed,\n', {}],
  ['people in several rows', 'Email,Plan,City\na@x.test,free,\nb@x.test,,Oslo\nA@x.test,,Lyon\n', BARE],
  ['a name in one cell', 'Email,Name\na@x.test,Ana Berg\n', { ...BARE, map: ['Name=name'] }],
  ['blank cells with --empty clear', 'Email,First Name,Plan\na@x.test,,\n', { ...BARE, empty: 'clear' }],
  ['two columns with one key', 'Email,Plan,plan\na@x.test,free,free\nb@x.test,,paid\n', BARE],
])('writes a contact as JSON exactly as JSON.stringify does: %s', async (_, csv, answers) => {
  const { items, texts, inOrder } = await both(csv, answers);
  expect(items.length).toBeGreaterThan(0);
  expect(texts).toEqual(
    items.map(({ source, line, contact }) => ({
      source,
      line,
      email: contact.email,
      optsOut: contact.status === 'unsubscribed',
      json: JSON.stringify(contact),
    })),
  );
  expect(inOrder.flatMap((blockSize) => blockSize.items)).toEqual(items);
  expect(inOrder[0]?.body.toString()).toBe(
    JSON.stringify({ upsert: true, contacts: items.slice(0, 2).map(({ contact }) => contact) }),
  );
});

test('keeps the fields of a look-alike that waits for the next batch (F8)', async () => {
  // A service could merge the first two addresses, so the second waits for the next batch. Meanwhile svc reads several
  // blocks.
  const note = (index: number) => `note ${index} `.repeat(20).trim();
  const others = Array.from({ length: 3_000 }, (_, index) => `p${index}@x.test,${note(index)}`);
  const csv = ['Email,Note', 'straße@x.test,first', 'strasse@x.test,second', ...others].join('\n');
  const { reading, people } = await readList({ 'list.csv': csv }, BARE);
  const batches = await Array.fromAsync(cutTextBatches(contactTexts({ survey: reading, people }, { signal })));
  const contactOf = (email: string) =>
    batches.flatMap(({ items }) => items).find((item) => item.contact.email === email);
  expect(batches[1]?.items[0]?.contact).toEqual({ email: 'strasse@x.test', attributes: { note: 'second' } });
  expect(contactOf('p2999@x.test')?.contact.attributes).toEqual({ note: note(2_999) });
});

test('writes any cell as JSON exactly as JSON.stringify does', async () => {
  const cell = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/[\0\ufeff]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 }), async (rows) => {
      const lines = rows.map((cells, index) => csvLine([`p${index}@x.test`, ...cells], ','));
      const { items, texts } = await both(['Email,First Name,Plan,Note', ...lines].join('\n'), {
        ...BARE,
        delimiter: ',',
      });
      expect(texts.map(({ json }) => json)).toEqual(items.map(({ contact }) => JSON.stringify(contact)));
    }),
    { numRuns: 150 / stepOf(10) },
  );
});

test('stops writing contacts when the signal aborts', async () => {
  const { reading, people } = await readList({ 'list.csv': 'Email\na@x.test\n' }, BARE);
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(Array.fromAsync(contactTexts({ survey: reading, people }, { signal: aborted }))).rejects.toThrow(
    'enough',
  );
});
