import { parseArgs } from 'node:util';
import { mountDisk } from './disk-full.ts';
import { type Service, startService } from './service.ts';
import { type Moment, strike, watchWrites } from './strike.ts';
import { finish, prepareTrial, problemsOf } from './trial.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const until = Date.now() + Number(values.seconds) * 1_000;
const counts = { trials: 0, SIGKILL: 0, SIGINT: 0, SIGTERM: 0, full: 0, closed: 0, late: 0, failed: 0 };

// The list of suppressions grows with every trial and is read after each, so a service doesn't live for ever.
const TRIALS_PER_SERVICE = 60;

let trial = Number(values.seed);
let writes = 0;
let durationMs = 0;
while (Date.now() < until) {
  const service = await startService();
  const expected = await undisturbed(service);
  for (let left = TRIALS_PER_SERVICE; left > 0 && Date.now() < until; left -= 1) {
    trial += 1;
    await play(service, expected);
  }
  await service.stop();
}
console.log(JSON.stringify({ ...counts, writes }));
process.exitCode = counts.failed > 0 ? 1 : 0;

/** What the service holds after a run that nobody disturbed; how often its journal is written, and how long it takes. */
async function undisturbed(service: Service): Promise<readonly string[]> {
  const calm = await prepareTrial(service, 'calm');
  const counting = watchWrites(calm.state, () => undefined);
  const startedAt = Date.now();
  const end = await calm.begin().exit;
  durationMs = Date.now() - startedAt;
  writes = counting.writes;
  counting.close();
  const found = await calm.look();
  calm.end();
  if (end.code !== 0 || found.length === 0) {
    throw new Error(`the undisturbed run failed: exit ${end.code}: ${end.err}`);
  }
  return found;
}

/** Trials in turn: kills at every write, kills at random moments, other signals, full disks, a closed pipe. */
async function play(service: Service, expected: readonly string[]): Promise<void> {
  const turn = trial % 10;
  const atWrite: Moment = { kind: 'writes', count: 1 + (Math.floor((trial * 7) / 10) % Math.max(1, writes)) };
  const atTime: Moment = { kind: 'ms', ms: (trial * 37) % Math.max(1, durationMs) };
  counts.trials += 1;
  const problems =
    turn === 8
      ? await fillDisk(service, expected)
      : turn === 9
        ? await closePipe(service, expected)
        : await hit(service, { expected, signal: signalOf(turn), moment: turn < 4 || turn === 6 ? atWrite : atTime });
  if (problems.length > 0) {
    counts.failed += 1;
    console.log(`trial ${trial} (npm run torture -- --seed ${trial - 1}): ${problems.join('; ').slice(0, 700)}`);
  }
}

function signalOf(turn: number): 'SIGKILL' | 'SIGINT' | 'SIGTERM' {
  return turn === 6 ? 'SIGINT' : turn === 7 ? 'SIGTERM' : 'SIGKILL';
}

interface Hit {
  readonly expected: readonly string[];
  readonly signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM';
  readonly moment: Moment;
}

async function hit(service: Service, { expected, signal, moment }: Hit): Promise<string[]> {
  const it = await prepareTrial(service, `t${trial}x`);
  try {
    const program = it.begin();
    await strike(program, signal, { moment, state: it.state });
    const struck = await program.exit;
    const proof = signal === 'SIGKILL' ? struck.signal === signal : [130, 143].includes(struck.code ?? 0);
    counts[proof ? signal : 'late'] += 1;
    if (!proof && struck.code !== 0 && struck.signal !== signal) {
      return [`${signal}: exit ${struck.code}: ${struck.err}`];
    }
    const end = struck.code === 0 ? struck : await finish(it);
    return problemsOf(end, await it.look(), expected);
  } finally {
    it.end();
  }
}

/** A disk with room for a part of the journal; once somebody made room, the run goes on. */
async function fillDisk(service: Service, expected: readonly string[]): Promise<string[]> {
  const disk = mountDisk(24 + ((trial * 13) % 600));
  if (!disk) {
    return [];
  }
  const it = await prepareTrial(service, `t${trial}x`, disk.state);
  try {
    const struck = await it.begin().exit;
    counts.full += struck.code === 1 ? 1 : 0;
    if (struck.code !== 0 && !(struck.code === 1 && struck.err.includes('disk_full'))) {
      return [`disk full: exit ${struck.code} ${struck.signal}: ${struck.err}`];
    }
    disk.grow();
    return problemsOf(struck.code === 0 ? struck : await finish(it), await it.look(), expected);
  } finally {
    it.end();
    disk.remove();
  }
}

/** Nobody reads the report; the work is done all the same (rule D3). */
async function closePipe(service: Service, expected: readonly string[]): Promise<string[]> {
  const it = await prepareTrial(service, `t${trial}x`);
  try {
    const program = it.begin();
    program.child.stdout?.destroy();
    const { code, err } = await program.exit;
    counts.closed += 1;
    const found = await it.look();
    return code === 0 && found.join() === expected.join() ? [] : [`stdout closed: exit ${code}, ${err}`];
  } finally {
    it.end();
  }
}
