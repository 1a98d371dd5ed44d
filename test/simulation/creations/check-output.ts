import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramHome } from './program.ts';
import type { CreatedObject } from './service.ts';
import { type Person, type ProgramResult, secretFile, unfinishedAt } from './wanted.ts';

/** Compares the output and files of a program with the service at that moment. Describes broken promises. */
export function checkResult(person: Person, result: ProgramResult): string[] {
  const { code, err } = result.ended;
  const leaks = checkLeaks(person, result);
  if (code === 'killed') {
    return leaks;
  }
  const bug = code === 70 ? [`exit 70: ${err}`] : [];
  const truth = code === 0 ? checkMade(person, result) : checkUnmade(person, result);
  return [...bug, ...leaks, ...truth].map(
    (problem) => `${result.argv.slice(0, 2).join(' ')}, exit ${code}: ${problem}`,
  );
}

/** Secrets may be in their file or on the terminal only, and API keys in no output (rules W1, K1). */
function checkLeaks({ service, home }: Person, { ended }: ProgramResult): string[] {
  const secrets = service.seen().flatMap(({ secret }) => secret ?? []);
  const kept = bytesUnder(home.state);
  const results = home.terminal ? ended.err : ended.out + ended.err;
  return [
    ...secrets.filter((secret) => results.includes(secret)).map(() => 'W1: a secret is said'),
    ...secrets.filter((secret) => kept.includes(secret)).map(() => 'W1: a secret is in the state folder'),
    ...(`${ended.out}${ended.err}${kept}`.includes(home.apiKey) ? ['K1: the API key is written somewhere'] : []),
  ];
}

function bytesUnder(folder: string): string {
  if (!existsSync(folder)) {
    return '';
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

/** An object that was reported as created exists as reported, its secret is stored, and nothing is left to do. */
function checkMade({ service, home, scenario }: Person, { tag, ended }: ProgramResult): string[] {
  const thing = service.things().find(({ id }) => ended.out.includes(id));
  if (!thing) {
    return [`there is no such thing: ${ended.out}`];
  }
  const ours = service.seen().find(({ id }) => id === thing.id)?.tag === tag;
  const left = unfinishedAt(home);
  const holder = home.terminal ? ended.out : readSecret(home, tag);
  return [
    ...(ours ? [] : [`${thing.id} is another one`]),
    ...(scenario.flags.includes('--json') ? checkFields(thing, JSON.parse(ended.out)) : []),
    ...(left === undefined || scenario.second === 'same folder' ? [] : [`${left} is left unfinished`]),
    ...(thing.secret === undefined || holder.includes(thing.secret) ? [] : ['W1: it is done, and its secret is lost']),
  ];
}

function checkFields({ fields }: CreatedObject, result: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => JSON.stringify(result[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} is said to be ${JSON.stringify(result[name])} and is ${JSON.stringify(value)}`);
}

/** An object that wasn't reported as created doesn't exist, or the output names the run that may have created it. */
function checkUnmade({ service, home, scenario, wanted }: Person, { tag, ended }: ProgramResult): string[] {
  if (scenario.second === 'same folder' || wanted.done) {
    return [];
  }
  const left = unfinishedAt(home);
  if (left !== undefined) {
    return ended.err.includes(left) ? [] : [`${left} is left, and the output does not name it: ${ended.err}`];
  }
  // The older endpoint was named when the newer one was created.
  const named = wanted.results.map((one) => one.ended.err).join('\n');
  const there = service.things().filter((thing) => thing.tag === tag && !named.includes(thing.id));
  return there.map(({ id }) => `${id} is there, and the output does not name it: ${ended.err}`);
}

/** The stored secret of the object with this tag, or an empty text. */
export function readSecret({ folder }: ProgramHome, tag: string): string {
  const path = join(folder, secretFile(tag));
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
