import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A measurement, and the bar that its figure must meet. */
export interface Measurement {
  readonly name: string;
  readonly meaning: string;
  readonly bar: number;
  measure(): Promise<Spread>;
}

/** One run of a command: wall time, processor time, and peak memory. The last two are 0 outside Linux. */
export interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** A figure over several runs. `cpu` is the same ratio in processor time, which depends less on other programs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly cpu?: number;
}

/** A command to spawn. `env` is added to the environment of this process. */
export interface Program {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end. Throws with its output if the exit code isn't 0. */
export async function run({ command, env }: Program): Promise<Run> {
  const [program = '', ...args] = command;
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors = `${errors}${data}`.slice(-2_000);
  });
  const used = watchProcess(child);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0) {
    throw new Error(`${command.join(' ')}: exit ${code}\n${errors}`);
  }
  return { seconds, ...used() };
}

/** Runs a and b in turns, `rounds` times. Returns the spread of the ratio a/b of each pair. */
export async function ratio(rounds: number, a: () => Promise<Run>, b: () => Promise<Run>): Promise<Spread> {
  const pairs: (readonly [Run, Run])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await a(), await b()]);
  }
  const cpu = spread(pairs.map(([one, other]) => one.cpuSeconds / other.cpuSeconds)).median;
  // The kernel counts in hundredths of a second, so very short runs have no exact processor time.
  const counted = pairs.every((pair) => pair.every(({ cpuSeconds }) => cpuSeconds >= 0.2));
  return { ...spread(pairs.map(([one, other]) => one.seconds / other.seconds)), ...(counted && { cpu }) };
}

/** Median, minimum and maximum. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((x, y) => x - y);
  return { median: sorted[sorted.length >> 1] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** A figure of one run. */
export function single(value: number): Spread {
  return { median: value, min: value, max: value };
}

// Samples the kernel's counters until the process ends. The last sample is close enough to the end.
function watchProcess(child: ChildProcess): () => Omit<Run, 'seconds'> {
  let used = { cpuSeconds: 0, peakMiB: 0 };
  const watch = setInterval(() => {
    used = countersOf(child.pid) ?? used;
  }, 20);
  return () => {
    clearInterval(watch);
    return used;
  };
}

function countersOf(pid: number | undefined): Omit<Run, 'seconds'> | undefined {
  try {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    // `fields` are those after the program's name in brackets. The kernel counts in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return peak === undefined
      ? undefined
      : { peakMiB: Number(peak) / 1_024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
  } catch {
    return undefined;
  }
}
