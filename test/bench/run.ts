import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulatorFigures } from './emulator.ts';
import { writeList } from './make-list.ts';
import { ratio, run, type Spread } from './measure.ts';

/** A figure as printed and kept: its bar is what it has to stay under. */
interface Figure extends Spread {
  readonly name: string;
  readonly meaning: string;
  readonly bar: number;
}

const quick = process.argv.includes('--quick');
const rows = quick ? 100_000 : 1_000_000;
const rounds = quick ? 3 : 5;
const inputs = join('bench', 'inputs');
const state = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const node = process.execPath;
const svc = [node, 'bin/svc.js'];
const dryRun = (path: string) => [
  ...svc,
  'migrate',
  path,
  '--dry-run',
  '-q',
  '--state-dir',
  state,
  '--plan',
  'paid',
  '--default-status',
  'subscribed',
];

const figures: Figure[] = [];

try {
  const small = await list(quick ? 10_000 : 100_000);
  const large = await list(rows);
  await add('survey', 'migrate --dry-run against a bare csv-parse read of the same file', 0.45, () =>
    ratio(rounds, dryRun(large), [node, 'test/bench/bare-parse.ts', large]),
  );
  await add('start --version', 'svc --version against node -e 0', 1.6, () =>
    ratio(rounds * 2, [...svc, '--version'], [node, '-e', '0']),
  );
  await add('start --help', 'svc --help against node -e 0', 2.5, () =>
    ratio(rounds * 2, [...svc, '--help'], [node, '-e', '0']),
  );
  await add('memory', `MiB that ${rows} rows take above a tenth of them`, 60, async () => {
    const more = (await run(dryRun(large))).peakMiB - (await run(dryRun(small))).peakMiB;
    return { median: more, min: more, max: more };
  });
  for (const { name, meaning, bar, measure } of emulatorFigures({ list: large, contacts: rows, rounds })) {
    await add(name, meaning, bar, measure);
  }
} finally {
  rmSync(state, { recursive: true, force: true });
}
writeFileSync(join('bench', 'results.json'), `${JSON.stringify({ quick, rows, figures }, null, 2)}\n`);
const over = figures.filter((figure) => figure.median > figure.bar * (quick ? 2 : 1));
for (const figure of over) {
  console.error(`over its bar: ${figure.name}`);
}
process.exitCode = over.length > 0 ? 1 : 0;

async function list(count: number): Promise<string> {
  mkdirSync(inputs, { recursive: true });
  const path = join(inputs, `list-${count}.csv`);
  if (!existsSync(path)) {
    await writeList(path, count, { seed: 1 });
  }
  return path;
}

async function add(name: string, meaning: string, bar: number, measure: () => Promise<Spread>): Promise<void> {
  const figure = { name, meaning, bar, ...(await measure()) };
  figures.push(figure);
  const numbers = [figure.median, figure.min, figure.max].map((value) => value.toFixed(2));
  console.log(`${name.padEnd(16)} ${numbers[0]} (${numbers[1]}–${numbers[2]}), bar ${bar}: ${meaning}`);
}
