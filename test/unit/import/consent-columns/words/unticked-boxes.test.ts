import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const TICKED = ['[x]', '[X]', '(x)', '[ x ]', '[✓]', '(X)'];
const OPEN = ['[ ]', '( )', '[]', '()', '_', '[_]', '[  ]', '__'];

test.each(['Newsletter', 'Opt-in', 'Einwilligung', 'Marketing consent'])(
  'asks about an empty box such as [ ] under %s, just as about ☐ (C4, C10)',
  async (header) => {
    for (const [index, box] of OPEN.entries()) {
      const tick = TICKED[index % TICKED.length] ?? '';
      const listWith = (cell: string) =>
        csv(`Email,Status,${header}`, `a@x.test,active,${tick}`, `b@x.test,active,${tick}`, `c@x.test,active,${cell}`);
      const [open, sign] = [await readList({ 'l.csv': listWith(box) }), await readList({ 'l.csv': listWith('☐') })];
      expect([box, open.trouble, open.contacts]).toEqual([box, sign.trouble, sign.contacts]);
      expect(open.finding('unknown_status')?.message).toContain(JSON.stringify(box));
      expect(open.reading.findings.map(({ message }) => message).join()).not.toContain('is blank');
      const answers = { statusMap: { [`${header}:${box}`]: 'skip', [`${header}:☐`]: 'skip' } };
      const [skipped, other] = [
        await readList({ 'l.csv': listWith(box) }, answers),
        await readList({ 'l.csv': listWith('☐') }, answers),
      ];
      expect([box, skipped.contacts.length]).toEqual([box, other.contacts.length]);
    }
  },
);

test('takes the cells "[ ]" and "_" for blanks when no box has a tick (C4)', async () => {
  for (const cell of ['[ ]', '_']) {
    const rows = ['a@x.test,active,yes', 'b@x.test,active,yes', `c@x.test,active,${cell}`];
    const { finding } = await readList({ 'list.csv': csv('Email,Status,Newsletter', ...rows) });
    expect(finding('unknown_status')?.level).not.toBe('stop');
  }
});
