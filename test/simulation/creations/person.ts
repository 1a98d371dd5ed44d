/** A simulated user who wants one object. The user runs svc until the object exists, and follows its hints. */

import { listRuns } from '../../../src/runs/find/list.ts';
import type { Mood } from '../life.ts';
import type { Mishap, ProgramEnd } from '../machine.ts';
import { checkResult } from './check-said.ts';
import { type Desk, runAt } from './program.ts';
import type { Scenario } from './scenario.ts';
import { EVENTS, type Service, URL_OF_ALL } from './service.ts';

/** An object that a person wants once, and what svc answered so far. */
export interface Errand {
  readonly name: string;
  /** Number of new creations after svc asked to look for the object. */
  attempt: number;
  done: boolean;
  /** Number of running programs of this errand. */
  running: number;
  /** Tags whose outcome svc reported as unknown. */
  readonly unknown: Set<string>;
  readonly results: ProgramResult[];
  readonly problems: string[];
}

/** One program and its output. */
export interface ProgramResult {
  readonly tag: string;
  readonly argv: readonly string[];
  readonly ended: ProgramEnd;
}

/** A person at a desk with an errand. */
export interface Person {
  readonly scenario: Scenario;
  readonly service: Service;
  readonly desk: Desk;
  readonly errand: Errand;
}

/** A new errand. `name` distinguishes it from those of other people. */
export function createErrand(name: string): Errand {
  return { name, attempt: 1, done: false, running: 0, unknown: new Set(), results: [], problems: [] };
}

/** The name or description by which an object is recognized. */
export function tagOf({ name, attempt }: Errand): string {
  return `${name} ${attempt}`;
}

/** The file for the secret of a tag. */
export function secretFile(tag: string): string {
  return `secret ${tag}`;
}

/** Runs programs until the object exists, up to a limit, and follows the hint of each. */
export async function pursue(person: Person, mood: Mood, rounds: number): Promise<void> {
  const { errand, service, desk } = person;
  for (let round = 0; round < rounds && !errand.done; round += 1) {
    if (errand.results.length > 0) {
      await service.clock.sleep(mood.random.pick(RESTS_MS));
      await meddle(person, mood);
    }
    if (!errand.done) {
      const tag = tagOf(errand);
      const argv = nextLine(person, tag, mood);
      errand.running += 1;
      const result = { tag, argv, ended: await runAt(desk, mishapOf(mood), argv) };
      errand.running -= 1;
      errand.results.push(result);
      service.trace?.(`${argv.join(' ')}: ${result.ended.code} ${result.ended.out} ${result.ended.err}`);
      errand.problems.push(...checkResult(person, result));
      await react(person, result);
    }
  }
}

const MINUTE = 60_000;
const RESTS_MS = [0, 1_000, 20_000, MINUTE, 6 * MINUTE, 120 * MINUTE, 25 * 60 * MINUTE];

function mishapOf({ killing, interrupting, touches, random }: Mood): Mishap {
  return {
    killAt: random.chance(killing) ? random.int(1, touches) : undefined,
    interruptAt: random.chance(interrupting) ? random.int(1, touches) : undefined,
  };
}

/** Another person may change or delete the object, while no program waits for the answer of its creation. */
async function meddle({ scenario, service, errand }: Person, { random }: Mood): Promise<void> {
  const ours = service.things().filter(({ tag }) => tag === tagOf(errand));
  if (!errand.done && errand.running === 0 && ours.length > 0 && random.chance(scenario.meddling)) {
    await service.meddle(random.pick(ours));
  }
}

/**
 * The next command: resumes the unfinished run by name or as the only one, or repeats the command. Names of audiences
 * are not unique. While the first run works, a repeat would create another audience.
 */
function nextLine({ scenario, desk }: Person, tag: string, { random }: Mood): string[] {
  const { kind, terminal, flags, second } = scenario;
  const resumes = kind === 'audience' && second === 'same folder' ? 1 : 0.7;
  const unfinished = unfinishedAt(desk);
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

/** The id of a run that can be resumed, or is running. */
export function unfinishedAt({ state }: Desk): string | undefined {
  return listRuns(state).find(({ finished }) => finished === false)?.run;
}

async function react(person: Person, { tag, ended }: ProgramResult): Promise<void> {
  const { errand, desk, service } = person;
  if (ended.code === 0) {
    errand.done = true;
  }
  if (ended.code === 4) {
    desk.apiKey = service.emulator.admin.createKey();
  }
  const forget = /svc (runs delete run_\w+(?: --confirm run_\w+)?)/.exec(ended.err)?.[1];
  if (forget !== undefined && !ended.err.includes('svc runs resume')) {
    await forgetRun(person, tag, forget.split(' '));
  } else if (!errand.done && unfinishedAt(desk) === undefined && service.seen().some((thing) => thing.tag === tag)) {
    // The object was deleted and its run is finished. A person who still wants it starts anew.
    errand.attempt += 1;
  }
}

/** After an unknown outcome a user looks for the object, deletes the record, and creates a missing object again. */
async function forgetRun({ errand, desk, service, scenario }: Person, tag: string, argv: readonly string[]) {
  const { code, err } = await runAt(desk, {}, argv);
  service.trace?.(`${argv.join(' ')}: ${code} ${err}`);
  if (code !== 0 && scenario.second !== 'same folder') {
    errand.problems.push(`${argv.join(' ')}: exit ${code}: ${err}`);
  }
  errand.unknown.add(tag);
  errand.done ||= service.things().some((thing) => thing.tag === tag);
  errand.attempt += errand.done ? 0 : 1;
}
