import { parseArgs } from 'node:util';
import { preload } from '../support/node/preload.ts';
import { simulateCreation } from './creations/simulate.ts';
import { simulateLies } from './lies/simulate.ts';
import { simulateNights } from './nights/simulate.ts';
import { createSimulator } from './simulate.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    // Ends the campaign after this time.
    minutes: { type: 'string', default: 'Infinity' },
    trace: { type: 'boolean', default: false },
    // Plays nightly imports of one list instead of single runs.
    nights: { type: 'boolean', default: false },
    // Plays only creations, which take a sixth of the time.
    creations: { type: 'boolean', default: false },
    // Plays services that show people or treat them in another way than svc expects.
    lies: { type: 'boolean', default: false },
  },
});
const [first, runs] = [Number(values.seed), Number(values.runs)];
const total = { failed: 0, programs: 0, kills: 0, requests: 0 };
const simulate = createSimulator();
// Each seed plays an import or an enrollment, and a creation with its own random source.
const KINDS = { nights: simulateNights, creations: simulateCreation, lies: simulateLies } as const;
const asked = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((name) => values[name]);
const plays = asked ? [KINDS[asked]] : [simulate, simulateCreation];
const kind = asked ? `--${asked} ` : '';
const startedAt = Date.now();
const endsAt = startedAt + Number(values.minutes) * 60_000;
await preload();

let seed = first;
for (; seed < first + runs && Date.now() < endsAt; seed += 1) {
  const problems: string[] = [];
  for (const play of plays) {
    const played = await run(play, seed);
    problems.push(...played.problems);
    total.programs += played.programs;
    total.kills += played.kills;
    total.requests += played.requests;
  }
  if (problems.length > 0) {
    total.failed += 1;
    console.log(`seed ${seed}: ${problems.slice(0, 3).join('; ').slice(0, 600)}`);
    console.log(`  npm run simulate -- ${kind}--runs 1 --seed ${seed} --trace`);
  }
  if ((seed - first + 1) % 1_000 === 0) {
    console.log(summary(seed - first + 1));
  }
}
console.log(summary(seed - first));
process.exitCode = total.failed > 0 ? 1 : 0;

async function run(play: (typeof plays)[number], seed: number) {
  try {
    return await play(seed, values.trace ? (line) => console.log(line) : undefined);
  } catch (error) {
    return {
      problems: [`the simulation itself failed: ${(error as Error).stack}`],
      programs: 0,
      kills: 0,
      requests: 0,
    };
  }
}

function summary(done: number): string {
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const { failed, programs, kills, requests } = total;
  const work = `${done} runs, ${programs} programs, ${kills} kills, ${requests} requests`;
  const { user, system } = process.cpuUsage();
  // Processor time shows how long a campaign takes on an idle machine.
  const pace = `${Math.round((done / (user + system)) * 60_000_000)} runs a minute of processor time`;
  return `${work} in ${seconds} s, ${pace}: ${failed} failed`;
}
