import { readFileSync } from 'node:fs';
import type { CommandResult, RunOptions, World } from './world.ts';

const DAY_MS = 24 * 3_600_000;
const HEADER = 'email,first_name,city';

/** Differences from the usual command line. */
export interface NightOptions extends RunOptions {
  readonly flags?: string;
  readonly header?: string;
  readonly file?: string;
  /** Time since the last night. */
  readonly after?: number;
}

/** Imports a list that comes every night. The requests of earlier nights are dropped from `requests()`. */
export async function runNight(
  world: World,
  rows: readonly string[],
  options: NightOptions = {},
): Promise<CommandResult> {
  const { flags = '', header = HEADER, file = 'users.csv', after = DAY_MS, ...run } = options;
  await world.clock.advance(after);
  world.file(file, `${[header, ...rows].join('\n')}\n`);
  world.requests();
  const line = `contacts import ${file} --default-status subscribed --plan paid --only-changed ${flags} --json`;
  return world.svc(line, run);
}

/** A row for each of these people. */
export function rowsOf(names: readonly string[], city = 'Lisbon'): string[] {
  return names.map((name) => `${name}@example.com,${name},${city}`);
}

/** Invented people: `p1` to `p<count>`. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${index + 1}`);
}

/** The people of all batches since the last night began, each once. */
export function sentPeople(world: World): string[] {
  const batches = world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  const emails = batches.flatMap(({ body }) => JSON.parse(body).contacts.map((one: { email: string }) => one.email));
  return [...new Set(emails.map((email: string) => email.split('@')[0] ?? ''))].sort();
}

/** The city of a person in the audience. */
export function cityOf(world: World, name: string): unknown {
  const contact = world.emulator.admin.contact(`${name}@example.com`);
  return contact && (JSON.parse(contact.attributes) as { city?: string }).city;
}

export function statusOf(world: World, name: string): string | undefined {
  return world.emulator.admin.contact(`${name}@example.com`)?.status;
}

/** The rows of gone.csv as `name outcome`. */
export function goneOf({ json }: CommandResult): string[] {
  const lines = readFileSync(json.files.gone, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.split(',')).map(([email = '', , outcome]) => `${email.split('@')[0]} ${outcome}`);
}
