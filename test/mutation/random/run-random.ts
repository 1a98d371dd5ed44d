import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { copyTree, type Tree } from '../tree.ts';
import { nearestTests } from './covering.ts';
import { draw, mutationsOf } from './draw.ts';
import { type Drawn, plantAll } from './mutation.ts';
import type { Play } from './play.ts';

/** The options of the command line. */
export interface RandomSample {
  readonly count: number;
  readonly seed: number;
  /** Parts of paths: only files with one of them are mutated. */
  readonly within: readonly string[];
  /** Mutants of the sample to run, by number. Empty: all. */
  readonly pick: readonly number[];
  /** The least percentage of killed mutants for exit code 0. */
  readonly failUnder: number;
}

const FOLDERS = [
  'import',
  'migrate',
  'enroll',
  'api',
  'runs',
  'ledgers',
  'run-lifecycle',
  'platforms',
  'contacts-check',
  'commands',
  'sending',
];
const SWITCH = 'src/mutant-switch.ts';

/** Each round tries this many more of the nearest test files for the mutants that are still alive. */
const ROUNDS = [3, 9, 24, 72];
const WORKERS = 2;
const MINUTE = 60_000;
const ROUND_TIME = 20 * MINUTE;
/** What one test may take without a mutant. Switches in a loop for each byte make a test several times slower. */
const LONGEST_TEST = 5 * MINUTE;

/** Draws mutants, runs the tests that reach each, and reports the survivors. Returns the exit code. */
export async function runRandom(root: string, { count, seed, within, pick, failUnder }: RandomSample): Promise<number> {
  const files = globSync(`src/{${FOLDERS.join(',')}}/**/*.ts`, { cwd: root }).filter(
    (path) => !path.endsWith('.d.ts') && within.some((part) => path.includes(part)),
  );
  const all = files.sort().flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')));
  const sample = draw(all, count, seed).filter(({ id }) => pick.length === 0 || pick.includes(id));
  const tree = copyTree(root);
  try {
    plantInTree(tree, sample);
    // Some tests start the built program, so it must hold the mutants too.
    tree.build();
    const alive = await killInRounds(tree, sample, nearestTests(root));
    const killed = sample.length - alive;
    const percent = Math.round((100 * killed) / sample.length);
    console.log(`seed ${seed}: ${killed} of ${sample.length} killed, ${percent} %`);
    return percent < failUnder ? 1 : 0;
  } finally {
    tree.remove();
  }
}

function plantInTree({ folder }: Tree, sample: readonly Drawn[]): void {
  writeFileSync(join(folder, SWITCH), readFileSync(join(import.meta.dirname, 'switch.ts')));
  for (const [file, mutations] of Map.groupBy(sample, (mutant) => mutant.file)) {
    const path = join(folder, file);
    const from = relative(dirname(file), SWITCH).replace(/^(?!\.)/, './');
    writeFileSync(path, plantAll(readFileSync(path, 'utf8'), mutations, from));
  }
}

/** A live mutant, and the test files that have reached its place so far. */
interface Alive {
  readonly mutant: Drawn;
  readonly near: readonly string[];
  reaching: number;
}

/** Each round finds the tests that reach live mutants, and runs the new ones. Returns the number of survivors. */
async function killInRounds(
  tree: Tree,
  sample: readonly Drawn[],
  testsOf: (file: string) => readonly string[],
): Promise<number> {
  let alive: Alive[] = sample.map((mutant) => ({ mutant, near: testsOf(mutant.file), reaching: 0 }));
  const recorded = createHits(tree);
  let tried = 0;
  for (const more of ROUNDS) {
    const next = ({ near }: Alive) => near.slice(tried, tried + more);
    await recorded.read(alive.flatMap(next));
    const waiting = alive.values();
    const left: Alive[] = [];
    const work = async () => {
      for (const one of waiting) {
        const files = next(one).filter((file) => recorded.reaches(file, one.mutant.id));
        const outcome = await outcomeOf(tree, one.mutant.id, { files, time: recorded.timeFor(files) });
        one.reaching += files.length;
        outcome ? console.log(describeMutant(one.mutant, outcome)) : left.push(one);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    alive = left;
    tried += more;
  }
  for (const { mutant, reaching } of alive.sort((a, b) => a.mutant.id - b.mutant.id)) {
    console.log(describeMutant(mutant, reaching > 0 ? `SURVIVED ${reaching} test files` : 'NOT COVERED'));
  }
  return alive.length;
}

/**
 * Records which test files reach which mutants, from runs without any active mutant. A failing file counts as reaching
 * none.
 */
function createHits(tree: Tree) {
  const hits = join(tree.folder, 'hits.txt');
  const played = new Set<string>();
  const reached = new Set<string>();
  const took = new Map<string, number>();
  return {
    reaches: (file: string, id: number) => reached.has(`${id} ${file}`),
    /** A mutant may take a minute, and ten times as long as its files without it. A longer time is an endless loop. */
    timeFor: (files: readonly string[]) => files.reduce((sum, file) => sum + 10 * (took.get(file) ?? 0), MINUTE),
    async read(wanted: readonly string[]): Promise<void> {
      const files = [...new Set(wanted)].filter((file) => !played.has(file));
      files.forEach((file) => void played.add(file));
      writeFileSync(hits, '');
      const play = {
        files,
        output: join(tree.folder, 'cover.json'),
        bail: false,
        workers: WORKERS,
        testTimeout: LONGEST_TEST,
      };
      const { results } = await runPlay(tree, play, { env: { SVC_MUTANT_HITS: hits }, time: ROUND_TIME });
      results.forEach(([file, , ms]) => void took.set(file, ms));
      const sound = new Set(results.filter(([, passed]) => passed).map(([file]) => file));
      files.filter((file) => !sound.has(file)).forEach((file) => console.log(`fails without any mutant: ${file}`));
      for (const line of readFileSync(hits, 'utf8').trim().split('\n')) {
        const [id, path = ''] = line.split(' ');
        const file = relative(tree.folder, path);
        sound.has(file) && reached.add(`${id} ${file}`);
      }
    },
  };
}

/** How the mutant was killed; undefined if it survived. */
async function outcomeOf(
  tree: Tree,
  id: number,
  { files, time }: { readonly files: readonly string[]; readonly time: number },
): Promise<string | undefined> {
  if (files.length === 0) {
    return undefined;
  }
  // A test that waits forever ends after half a minute. A slow test needs as long as the files may take.
  const testTimeout = Math.max(MINUTE / 2, time - MINUTE);
  const play = { files, output: join(tree.folder, `mutant-${id}.json`), bail: true, workers: 1, testTimeout };
  const { results, late } = await runPlay(tree, play, { env: { SVC_MUTANT: String(id) }, time });
  const killer = results.find(([, passed]) => !passed)?.[0];
  if (killer) {
    return `killed by ${killer}`;
  }
  return late || results.length === 0 ? 'killed by the time limit' : undefined;
}

function describeMutant({ id, file, line, operator, to, place }: Drawn, outcome: string): string {
  const change = place === 'expression' ? ` → ${to.replaceAll(/\s+/g, ' ').slice(0, 70)}` : '';
  return `${id}. ${file}:${line} ${operator}${change}: ${outcome}`;
}

interface PlayResult {
  readonly results: readonly (readonly [file: string, passed: boolean, ms: number])[];
  readonly late: boolean;
}

async function runPlay(
  { folder }: Tree,
  play: Play,
  { env, time }: { readonly env: Readonly<Record<string, string>>; readonly time: number },
): Promise<PlayResult> {
  if (play.files.length === 0) {
    return { results: [], late: false };
  }
  rmSync(play.output, { force: true });
  const script = join('test', 'mutation', 'random', 'play.ts');
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(play)], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill(-Number(child.pid), 'SIGKILL');
  }, time);
  await once(child, 'close');
  clearTimeout(timer);
  // play.ts writes this file.
  return { results: existsSync(play.output) ? JSON.parse(readFileSync(play.output, 'utf8')) : [], late };
}
