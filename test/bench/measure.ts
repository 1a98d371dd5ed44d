import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One run of a command: wall time, and the highest resident memory that was seen (Linux; else 0). */
export interface Run {
  readonly seconds: number;
  readonly peakMiB: number;
}

/** A figure over several runs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Runs a command to its end; any exit code but those expected is an error with what it printed. */
export async function run(command: readonly string[], expected: readonly number[] = [0]): Promise<Run> {
  const [program = '', ...args] = command;
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors = `${errors}${data}`.slice(-2_000);
  });
  let peakMiB = 0;
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid));
  }, 20);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code === null || !expected.includes(code)) {
    throw new Error(`${command.join(' ')}: exit ${code}\n${errors}`);
  }
  return { seconds: (performance.now() - started) / 1_000, peakMiB };
}

/** Runs both commands in turn, `rounds` times, and returns the spread of the ratio a/b of each pair. */
export async function ratio(rounds: number, a: readonly string[], b: readonly string[]): Promise<Spread> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = await run(a);
    const second = await run(b);
    ratios.push(first.seconds / second.seconds);
  }
  return spread(ratios);
}

/** Median, minimum and maximum. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((x, y) => x - y);
  return { median: sorted[sorted.length >> 1] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

// VmHWM is the kernel's own high-water mark, so a sample shortly before the end is as good as the end.
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
