import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { emulatorFigures } from './emulator.ts';
import {
  checkFigures,
  duplicateFigures,
  historyFigures,
  limitFigures,
  listFigures,
  memoryFigures,
  sizeFigures,
  startFigures,
} from './figures.ts';
import { shapeFigures } from './list-shapes.ts';
import { writeList } from './make-list.ts';
import type { Measurement, Spread } from './measure.ts';

/**
 * `npm run bench [-- --quick] [-- --only <words of a name>]` compares every figure with its bar. Most figures are
 * ratios of two programs that run in turns, so they hold on any machine. Quick runs are smaller and fail only at three
 * times a bar, because the start weighs more and machines may be busy.
 */
const quick = process.argv.includes('--quick');
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';
const folder = 'bench';

/** A figure as printed and kept. */
interface Figure extends Spread {
  readonly name: string;
  readonly meaning: string;
  readonly bar: number;
}

const figures: Figure[] = [];
for (const measured of await plan()) {
  if (measured.name.includes(only)) {
    figures.push(await take(measured));
  }
}
const { node, platform, arch } = { node: process.version, ...process };
const machine = { node, platform, arch, cores: cpus().length };
writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ quick, machine, figures }, null, 2)}\n`);
console.log(datedLine(figures));
const over = figures.filter(({ median, bar }) => median > bar * (quick ? 3 : 1));
for (const { name } of over) {
  console.error(`over its bar: ${name}`);
}
process.exitCode = over.length > 0 ? 1 : 0;

/** The line for docs/figures.md: day, commit and figures. Processor times follow a slash. */
function datedLine(taken: readonly Figure[]): string {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs | %h'], { encoding: 'utf8' });
  const values = taken.map(
    ({ name, median, cpu }) => `${name} ${short(median)}${cpu === undefined ? '' : ` / ${short(cpu)}`}`,
  );
  return `| ${stdout.trim()} | ${values.join(', ')} |`;
}

function short(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** The figures of memory use their own lists, with duplicates. The longest is 1.5 GB. */
async function plan(): Promise<Measurement[]> {
  const rounds = quick ? 3 : 5;
  // With shorter lists, the start of the program would dominate the figure.
  const rows = quick ? 300_000 : 1_000_000;
  const contacts = quick ? 100_000 : 1_000_000;
  const [few, many] = [100_000, quick ? 400_000 : 10_000_000];
  const large = await list(rows, 0);
  const memory = async () => ({
    small: await list(few, 0.01),
    large: await list(many, 0.01),
    moreRows: many - few,
    rounds,
  });
  return [
    ...startFigures(quick ? 5 : 15),
    ...sizeFigures(),
    ...historyFigures(rounds),
    ...limitFigures(),
    ...listFigures({ large, small: large, moreRows: 0, rounds }),
    ...shapeFigures(large, rounds),
    ...('duplicates'.includes(only) ? duplicateFigures({ large: await list(rows, 0.1), rounds }) : []),
    ...('memory'.includes(only) ? memoryFigures(await memory()) : []),
    ...('check memory'.includes(only) ? checkFigures(contacts) : []),
    ...emulatorFigures({ list: await list(contacts, 0), contacts, rounds }),
  ];
}

/** A list with this many rows, made once and equal on every machine. `duplicates` is a share of the rows. */
async function list(rows: number, duplicates: number): Promise<string> {
  const inputs = join(folder, 'inputs');
  mkdirSync(inputs, { recursive: true });
  const path = join(inputs, `list-${rows}-${duplicates}.csv`);
  if (!existsSync(path)) {
    await writeList(path, rows, { seed: 1, duplicates });
  }
  return path;
}

async function take({ name, meaning, bar, measure }: Measurement): Promise<Figure> {
  const figure = { name, meaning, bar, ...(await measure()) };
  const [median, min, max] = [figure.median, figure.min, figure.max].map((value) => value.toFixed(2));
  const cpu = figure.cpu === undefined ? '' : `, processor time ${figure.cpu.toFixed(2)}`;
  console.log(`${name.padEnd(20)} ${median} (${min}–${max})${cpu}, bar ${Number(bar.toFixed(2))}: ${meaning}`);
  return figure;
}
