/** A simulated user who wants one object. The user runs svc until the object exists, and follows its hints. */

import type { DisturbanceRates } from '../life.ts';
import type { Disturbance } from '../machine/machine.ts';
import { checkResult } from './check-output.ts';
import { runAt } from './program.ts';
import { EVENTS, URL_OF_ALL } from './service.ts';
import { type Person, type ProgramResult, secretFile, tagOf, unfinishedAt } from './wanted.ts';

/** Runs programs until the object exists, up to a limit, and follows the hint of each. */
export async function runUntilCreated(person: Person, rates: DisturbanceRates, rounds: number): Promise<void> {
  const { wanted, service, home } = person;
  for (let round = 0; round < rounds && !wanted.done; round += 1) {
    if (wanted.results.length > 0) {
      await service.clock.sleep(rates.random.pick(RESTS_MS));
      await changeFromOutside(person, rates);
    }
    if (!wanted.done) {
      const tag = tagOf(wanted);
      const argv = nextLine(person, tag, rates);
      wanted.running += 1;
      const result = { tag, argv, ended: await runAt(home, disturbanceOf(rates), argv) };
      wanted.running -= 1;
      wanted.results.push(result);
      service.trace?.(`${argv.join(' ')}: ${result.ended.code} ${result.ended.out} ${result.ended.err}`);
      wanted.problems.push(...checkResult(person, result));
      await react(person, result);
    }
  }
}

const MINUTE = 60_000;
const RESTS_MS = [0, 1_000, 20_000, MINUTE, 6 * MINUTE, 120 * MINUTE, 25 * 60 * MINUTE];

function disturbanceOf({ killRate, interruptRate, touches, random }: DisturbanceRates): Disturbance {
  return {
    killAt: random.chance(killRate) ? random.int(1, touches) : undefined,
    interruptAt: random.chance(interruptRate) ? random.int(1, touches) : undefined,
  };
}

/** Another person may change or delete the object, while no program waits for the answer of its creation. */
async function changeFromOutside({ scenario, service, wanted }: Person, { random }: DisturbanceRates): Promise<void> {
  const ours = service.things().filter(({ tag }) => tag === tagOf(wanted));
  if (!wanted.done && wanted.running === 0 && ours.length > 0 && random.chance(scenario.outsideChanges)) {
    await service.changeFromOutside(random.pick(ours));
  }
}

/**
 * The next command: resumes the unfinished run by name or as the only one, or repeats the command. Names of audiences
 * are not unique. While the first run works, a repeat would create another audience.
 */
function nextLine({ scenario, home }: Person, tag: string, { random }: DisturbanceRates): string[] {
  const { kind, terminal, flags, second } = scenario;
  const resumes = kind === 'audience' && second === 'same folder' ? 1 : 0.7;
  const unfinished = unfinishedAt(home);
  if (unfinished !== undefined && random.chance(resumes)) {
    return ['runs', 'resume', ...random.pick([[], [unfinished]]), ...flags];
  }
  if (kind === 'audience') {
    return ['audiences', 'create', tag, ...flags];
  }
  const events = EVENTS.flatMap((type) => ['--event', type]);
  const place = terminal ? [] : ['--secret-file', secretFile(tag)];
  return ['webhooks', 'create', '--url', URL_OF_ALL, ...events, '--description', tag, ...place, ...flags];
}

async function react(person: Person, { tag, ended }: ProgramResult): Promise<void> {
  const { wanted, home, service } = person;
  if (ended.code === 0) {
    wanted.done = true;
  }
  if (ended.code === 4) {
    home.apiKey = service.emulator.admin.createKey();
  }
  const forget = /svc (runs delete run_\w+(?: --confirm run_\w+)?)/.exec(ended.err)?.[1];
  if (forget !== undefined && !ended.err.includes('svc runs resume')) {
    await forgetRun(person, tag, forget.split(' '));
  } else if (!wanted.done && unfinishedAt(home) === undefined && service.seen().some((thing) => thing.tag === tag)) {
    // The object was deleted and its run is finished. A person who still wants it begins a new attempt.
    wanted.attempt += 1;
  }
}

/** After an unknown outcome a user looks for the object, deletes the record, and creates a missing object again. */
async function forgetRun({ wanted, home, service, scenario }: Person, tag: string, argv: readonly string[]) {
  const { code, err } = await runAt(home, {}, argv);
  service.trace?.(`${argv.join(' ')}: ${code} ${err}`);
  if (code !== 0 && scenario.second !== 'same folder') {
    wanted.problems.push(`${argv.join(' ')}: exit ${code}: ${err}`);
  }
  wanted.unknown.add(tag);
  wanted.done ||= service.things().some((thing) => thing.tag === tag);
  wanted.attempt += wanted.done ? 0 : 1;
}
