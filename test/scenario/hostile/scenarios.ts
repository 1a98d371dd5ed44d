import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Emulator } from '../../../src/emulator/emulator.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { people } from '../../support/lists.ts';

/** A command whose system calls fail one by one. */
export interface Scenario {
  readonly name: string;
  /** The command that is disturbed. */
  readonly line: string;
  /** The command that starts again when no run is left to resume. */
  readonly again: string;
  /** Interrupts an earlier run of `again`. */
  readonly cut?: FaultRule;
}

const HOOK = 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file secret --json';
const MIGRATE = 'migrate list.csv --json --yes';
const MAIL = 'emails send --from me@example.com --to ana@example.com --subject Hi --text Hello --json --yes';
const ENROLL = 'automations enroll FLOW members.csv --json --yes';
const RESUME = 'runs resume --json';

/** A redirect after the effect: svc follows no redirect, so it can't know whether the request had an effect. */
const LOST = { kind: 'answer', status: 302, when: 'after' } as const;
const CUT_BATCH: FaultRule = { ...LOST, match: { route: 'POST /v1/audiences/*/contacts/batch' } };
const CUT_HOOK: FaultRule = { ...LOST, match: { route: 'POST /v1/webhooks' } };
const CUT_MAIL: FaultRule = { ...LOST, match: { route: 'POST /v1/emails' } };
const CUT_ENROLLMENT: FaultRule = {
  ...{ kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before', after: 1 },
  match: { route: 'POST /v1/automations/*/enroll' },
};

export const SCENARIOS: readonly Scenario[] = [
  { name: 'migrate', line: MIGRATE, again: MIGRATE },
  { name: 'automations enroll', line: ENROLL, again: ENROLL },
  {
    name: 'automations enroll --create-contacts',
    line: `${ENROLL} --create-contacts`,
    again: `${ENROLL} --create-contacts`,
  },
  { name: 'webhooks create', line: HOOK, again: HOOK },
  { name: 'emails send', line: MAIL, again: MAIL },
  { name: 'runs resume, of a migration', cut: CUT_BATCH, line: RESUME, again: MIGRATE },
  { name: 'runs resume, of an enrollment', cut: CUT_ENROLLMENT, line: RESUME, again: ENROLL },
  { name: 'runs resume, of webhooks create', cut: CUT_HOOK, line: RESUME, again: HOOK },
  { name: 'webhooks create, again after a lost response', cut: CUT_HOOK, line: HOOK, again: HOOK },
  { name: 'emails send, again after a lost response', cut: CUT_MAIL, line: MAIL, again: MAIL },
  { name: 'migrate, again after a lost response', cut: CUT_BATCH, line: MIGRATE, again: MIGRATE },
];

export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** An account, a folder with lists and a state folder in it, and a way to run commands there. */
export interface Place {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly automation: string;
  readonly state: string;
  /** Runs a command line in the folder. */
  type(words: readonly string[]): Promise<CommandEnd>;
}

/**
 * Puts a domain, people and an automation into an account, and lists into a folder. Returns the id of the automation.
 */
export function fill({ admin }: Emulator, folder: string): string {
  admin.set({ domains: ['example.com'] });
  admin.addContacts([{ email: 'person0@example.com' }, { email: 'gone@example.com', status: 'unsubscribed' }]);
  const otherRows = [
    'left@example.com,Left,unsubscribed',
    'b@example.com,B,bounced',
    'person1@example.com,One,subscribed',
  ];
  writeFileSync(join(folder, 'list.csv'), `${people(4)}${otherRows.join('\n')}\nno-address,N,subscribed\n`);
  const members = ['person0@example.com', 'gone@example.com', 'stranger@example.com', 'no-address'];
  writeFileSync(join(folder, 'members.csv'), `email\n${members.join('\n')}\n`);
  return admin.createAutomation({ name: 'Welcome' });
}

/** Runs a line of a scenario. */
export function typeLine(place: Place, line: string): Promise<CommandEnd> {
  return place.type(line.replace('FLOW', place.automation).split(' '));
}

/** Prepares a place for a scenario: plays the command that a fault cuts off, and clears the request log. */
export async function prepare(place: Place, { cut, again }: Scenario): Promise<void> {
  const { admin } = place.emulator;
  if (cut) {
    admin.addFault(cut);
    await typeLine(place, again);
    admin.clearFaults();
  }
  admin.clearRequests();
}

/** The contents of the service and the secret of this machine, as lines. */
export function stateOf({ emulator: { admin }, automation, folder }: Place): readonly string[] {
  const secret = join(folder, 'secret');
  const kept = existsSync(secret) ? readFileSync(secret, 'utf8') : '';
  return [
    ...admin.contacts().map(({ email, status, first_name }) => `${email} ${status} ${first_name}`),
    ...admin.suppressions().map(({ email, reason }) => `${email} is suppressed: ${reason}`),
    ...admin.enrollments(automation).map(({ email }) => `${email} is enrolled`),
    `${admin.account().sent} messages`,
    ...admin.webhooks().map(({ url, secret: own }) => `${url} with ${own === kept ? 'its secret' : 'another secret'}`),
  ].sort();
}

/** Continues as a user would: with the offered resume, else with the same command. At most three programs. */
export async function continueAsUser(place: Place, scenario: Scenario): Promise<CommandEnd> {
  let last: CommandEnd | undefined;
  for (let time = 0; time < 3 && (last === undefined || !ENDS.includes(last.code ?? -1)); time += 1) {
    last = await typeLine(place, RESUME);
    if (last.code === 2 && /nothing_to_resume|several_unfinished/.test(last.err)) {
      last = await typeLine(place, scenario.again);
    }
  }
  return last!;
}

const ENDS = [0, 3];

/** Describes what is wrong with the end of a disturbed command. `calm` is the exit code without the disturbance. */
export function faultsOf(place: Place, ended: CommandEnd, calm: number | null): string[] {
  return [...exitCodeFaults(ended), ...requestsWithoutKey(place, ended, calm), ...untrue(ended)];
}

const STATED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 75];

function exitCodeFaults({ code, err }: CommandEnd): string[] {
  return STATED.includes(code ?? -1) ? [] : [`exit ${code}: ${err.slice(0, 1_500)}`];
}

/** Every sent request must have its key on disk, unless the run ended well. */
function requestsWithoutKey(place: Place, { code }: CommandEnd, calm: number | null): string[] {
  if (code === calm) {
    return [];
  }
  const keys = journaledKeys(place);
  const posts = place.emulator.admin.requests().filter(({ method }) => method === 'POST');
  return posts
    .filter(({ idempotencyKey: key }) => !keys.has(key ?? ''))
    .map(({ path }) => `sent without a recorded key: ${path}`);
}

function journaledKeys({ state }: Place): ReadonlySet<string> {
  const runs = join(state, 'runs');
  const files = existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run, 'run.db')) : [];
  return new Set(files.filter((path) => existsSync(path)).flatMap(keysIn));
}

function keysIn(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db
      .prepare('SELECT key FROM units')
      .all()
      .map(({ key }) => String(key));
  } catch {
    // The run ended before its tables existed.
    return [];
  } finally {
    db.close();
  }
}

function untrue({ out }: CommandEnd): string[] {
  const { rows } = (out === '' ? {} : JSON.parse(out)) as { rows?: Record<string, number> };
  const { read = 0, ...outcomes } = rows ?? {};
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
  return sum === read ? [] : [`untrue: ${JSON.stringify(rows)}`];
}

/** Compares the place with that of an undisturbed run, and describes the differences. */
export async function endFaults(
  place: Place,
  scenario: Scenario,
  ended: CommandEnd,
  calm: { readonly code: number | null; readonly state: readonly string[] },
): Promise<string[]> {
  const last = ended.code === calm.code ? ended : await continueAsUser(place, scenario);
  const end = stateOf(place);
  const same = end.join() === calm.state.join() ? [] : [`ends with ${JSON.stringify(end)}`];
  const well = last.code === calm.code ? [] : [`ends with exit ${last.code} instead of ${calm.code}: ${last.err}`];
  return [...same, ...well];
}
