import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measurement, ratio, run, type Spread } from './measure.ts';
import { survey } from './programs.ts';

/** A usual list in another shape, which must not take much longer. */
interface Shape {
  readonly name: string;
  readonly meaning: string;
  readonly bar: number;
  readonly flags?: readonly string[];
  /** Makes the list in this shape from the usual one. */
  change(list: Buffer): Buffer;
}

const SHAPES: readonly Shape[] = [
  {
    name: 'invalid row',
    meaning: 'time of migrate --dry-run of the list with an invalid row in the middle, against the list',
    bar: 1.6,
    change: (list) => withRow(list, 'no address,,,,,,,,,,,,\n'),
  },
  {
    name: 'line break',
    meaning: 'the same with a row in the middle of each 10 KB that has a line break in a cell',
    bar: 1.6,
    change: withLineBreaks,
  },
  {
    name: 'windows-1252',
    meaning: 'the same for the list in windows-1252',
    bar: 1.6,
    flags: ['--encoding', 'windows-1252'],
    change: (list) => Buffer.from(list.toString(), 'latin1'),
  },
];

/** How much longer svc needs for a list that is unusual in one respect. */
export function shapeFigures(list: string, rounds: number): readonly Measurement[] {
  return SHAPES.map((shape) => ({ ...shape, measure: () => measureShape(shape, list, rounds) }));
}

async function measureShape({ change, flags = [] }: Shape, list: string, rounds: number): Promise<Spread> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-shape-'));
  const changed = join(folder, 'list.csv');
  try {
    writeFileSync(changed, change(readFileSync(list)));
    return await ratio(
      rounds,
      () => run(survey(folder, changed, ...flags)),
      () => run(survey(folder, list)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withRow(list: Buffer, row: string): Buffer {
  const middle = list.indexOf('\n', list.length >> 1) + 1;
  return Buffer.concat([list.subarray(0, middle), Buffer.from(row), list.subarray(middle)]);
}

const BYTES_BETWEEN = 10_000;

function withLineBreaks(list: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let to = list.indexOf('\n') + 1; to > 0 && to < list.length; to = list.indexOf('\n', from + BYTES_BETWEEN) + 1) {
    parts.push(list.subarray(from, to), Buffer.from(`break${to}@example.com,,,,,,,,,,,,"two\nlines"\n`));
    from = to;
  }
  return Buffer.concat([...parts, list.subarray(from)]);
}
