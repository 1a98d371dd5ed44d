import { parseArgs } from 'node:util';
import type { UndisturbedRun } from './kills.ts';
import { PLAYS } from './plays.ts';
import { type Service, startService } from './service.ts';
import { watchWrites } from './strike.ts';
import { prepareTrial } from './trial.ts';
import { createCounts } from './trial-counts.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    syscalls: { type: 'boolean', default: false },
    shim: { type: 'boolean', default: false },
    undisturbed: { type: 'boolean', default: false },
  },
});
if (values.syscalls) {
  const { failSystemCalls } = await import('./syscalls.ts');
  const failed = await failSystemCalls({
    seconds: Number(values.seconds),
    seed: Number(values.seed),
    shim: values.shim,
  });
  process.exit(failed > 0 ? 1 : 0);
}
if (values.undisturbed) {
  const { repeatUndisturbed } = await import('./repeats.ts');
  const failed = await repeatUndisturbed({ seconds: Number(values.seconds), seed: Number(values.seed) });
  process.exit(failed > 0 ? 1 : 0);
}
const startedAt = Date.now();
const counts = createCounts();

// The list of suppressions grows with every trial and is read after each. So a service is replaced after some trials.
const TRIALS_PER_SERVICE = 40;

let trial = Number(values.seed);
let writes = 0;
while (goesOn()) {
  const service = await startService();
  const undisturbedRun = await measureUndisturbed(service);
  writes = undisturbedRun.writes;
  for (let left = TRIALS_PER_SERVICE; left > 0 && goesOn(); left -= 1) {
    trial += 1;
    await play(service, undisturbedRun);
  }
  await service.stop();
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(JSON.stringify({ ...counts, writes, seconds }));
}
process.exitCode = counts.failed > 0 ? 1 : 0;

function goesOn(): boolean {
  return Date.now() < startedAt + Number(values.seconds) * 1_000 && counts.SIGKILL < Number(values.kills);
}

/**
 * Measures an undisturbed run: the contents of the service after it, the number of its journal writes, and its
 * duration.
 */
async function measureUndisturbed(service: Service): Promise<UndisturbedRun> {
  const trial = await prepareTrial(service, 'calm');
  const counting = watchWrites(trial.state, () => undefined);
  const from = Date.now();
  const end = await trial.begin().exit;
  const ms = Date.now() - from;
  counting.close();
  const found = await trial.contents();
  trial.end();
  if (end.code !== 0 || found.length === 0) {
    throw new Error(`the undisturbed run failed: exit ${end.code}: ${end.err}`);
  }
  return { found, writes: counting.writes, ms };
}

async function play(service: Service, undisturbedRun: UndisturbedRun): Promise<void> {
  counts.trials += 1;
  const problems = await PLAYS[trial % PLAYS.length]?.({ trial, service, undisturbedRun, counts });
  if (problems && problems.length > 0) {
    counts.failed += 1;
    console.log(`trial ${trial} (npm run torture -- --seed ${trial - 1}): ${problems.join('; ').slice(0, 700)}`);
  }
}
