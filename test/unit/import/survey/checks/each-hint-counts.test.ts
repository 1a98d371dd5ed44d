import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';
import { withFlags } from './paste-hints.ts';

/** Users paste one printed command at a time. Each must have an effect, or they can only paste `subscribed`. */

const HEADERS = ['Status', 'Newsletter:', 'a=b', '2', '', '"Q" status', "it's status", '★', '$status', '@status', '*'];
const CELLS = ['foo', 'A+', 'x:y', '2:A', 'a=b', '"q"', "it's", '$x', '--', '?', 'n/a', '*', '-1', '@x.org', '\\', ''];
const MAX_ROUNDS = 20;

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

const listWith = (header: string, cells: readonly string[], name: string) =>
  csv(`Email,${quoted(header)}`, ...cells.map((cell, index) => `${name}${index}@x.test,${quoted(cell)}`));

// Each header meets a quarter of the cells, and each cell meets two or three of the headers.
const CASES = HEADERS.flatMap((header, nth) =>
  everyNth([...CELLS.entries()], 4, nth).map(
    ([index, cell]) => [header, [cell, cell, CELLS[(index + 5) % CELLS.length] ?? '']] as const,
  ),
);

test.each(CASES)('never repeats a stop after a pasted answer: %j, cells %j (C11)', async (header, cells) => {
  const one = { 'l1.csv': listWith(header, cells, 'a') };
  for (const files of [one, { ...one, 'l2.csv': csv('Email,Notes', 'b0@x.test,hello') }]) {
    let answers = {};
    let before = '';
    for (let round = 1; before !== 'none'; round++) {
      const { reading } = await readList(files, answers);
      const stop = reading.findings.find(({ level, check }) => level === 'stop' && /_status$/.test(check));
      const now = stop === undefined ? 'none' : `${stop.message} ${stop.hint}`;

      expect([now, round]).not.toEqual([before, round]);
      expect(round).toBeLessThan(MAX_ROUNDS);
      for (const { flags } of stop?.otherwise ?? []) {
        const after = await readList(files, withFlags(answers, splitShellText(flags)));
        const same = after.reading.findings.find(({ message, hint }) => `${message} ${hint}` === now);
        expect([flags, same]).toEqual([flags, undefined]);
      }
      answers = withFlags(answers, splitShellText(stop?.hint ?? ''));
      before = now;
    }
  }
});
