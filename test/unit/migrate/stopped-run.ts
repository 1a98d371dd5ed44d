import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../support/world.ts';
import { counts } from '../enroll/support.ts';

const BATCH = { match: { route: 'POST *contacts/batch' } } as const;
const FORBIDDEN = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;

/** Five subscribed people, an opted-out one, a bounced one, and a row without an address. */
const LIST = [
  'email,status,unsubscribed_at',
  ...[0, 1, 2, 3, 4].map((index) => `p${index}@example.com,subscribed,`),
  'p5@example.com,unsubscribed,2024-02-05',
  'p6@example.com,bounced,2024-02-06',
  'nobody,subscribed,',
  '',
].join('\n');

export const COMMANDS = {
  migrate: 'migrate list.csv --json',
  'contacts import --only-changed': 'contacts import list.csv --only-changed --json',
} as const;
export type Command = keyof typeof COMMANDS;

/** What a resume leaves: at the service, on disk and on the screen. */
export interface ResumeResult {
  readonly code: number;
  readonly rows: Readonly<Record<string, number>> | undefined;
  /** The code of the error, or the warnings of the report. */
  readonly messages: readonly string[];
  /** The people of each batch that the resume sent. */
  readonly sent: readonly string[];
  /** Responses that the service replayed. */
  readonly replayed: number;
  /** The people of the audience with their status and the date of their opt-out, and the suppressed people. */
  readonly there: readonly string[];
  readonly suppressed: readonly string[];
  /** The rows of the files for the user, without the header. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The people whom the ledger holds as accepted. */
  readonly unchanged: number;
}

/** A run that stopped, and its resume. */
export interface StoppedRun {
  readonly world: World;
  resume(run?: RunOptions): Promise<ResumeResult>;
  /** Resumes with this key. The response to the batch is lost again, then the service refuses the key. */
  stopAgain(key: string): Promise<void>;
}

/** The canary of four is written. The response to the other batch was lost, then the service refused the key. */
export async function stoppedRun(
  command: Command,
  { skewMs = 0, variants = {} }: StartOptions = {},
): Promise<StoppedRun> {
  const world = await createWorld({ variants });
  const { admin } = world.emulator;
  admin.advance(skewMs);
  const env = { SVC_STATE_DIR: tempFolder() };
  world.file('list.csv', LIST);
  const stopAtBatch = (after: number) => {
    admin.addFault({ kind: 'reset', when: 'after', ...BATCH, after, times: 1 });
    admin.addFault({ ...FORBIDDEN, ...BATCH, after: after + 1 });
  };
  stopAtBatch(1);
  const first = await world.svc(COMMANDS[command], { env });
  const beside = command === 'migrate' ? { suppressed: 1 } : { skipped: 1 };
  expect([first.code, counts(first.json.rows)]).toEqual([
    4,
    { read: 8, created: 4, unknown: 2, rejected: 1, ...beside },
  ]);
  admin.clearFaults();
  world.requests();
  return {
    world,
    resume: async (run = {}) => {
      const result = await world.svc('runs resume --json', { ...run, env: { ...env, ...run.env } });
      return leftBy(world, result, env);
    },
    stopAgain: async (key) => {
      stopAtBatch(0);
      expect((await world.svc('runs resume --json', { env: { ...env, SVC_API_KEY: key } })).code).toBe(4);
      admin.clearFaults();
      world.requests();
    },
  };
}

type State = Readonly<Record<'SVC_STATE_DIR', string>>;

/** How far the clock of the service is ahead, and variants of the service. */
export interface StartOptions {
  readonly skewMs?: number | undefined;
  readonly variants?: Readonly<Record<string, string>> | undefined;
}

async function leftBy(world: World, { code, out, err }: CommandResult, env: State): Promise<ResumeResult> {
  const { admin } = world.emulator;
  const report = out === '' ? undefined : JSON.parse(out);
  const warnings = report?.findings.filter(({ level }: { level: string }) => level === 'warn') ?? [];
  const error = /^\{"error".*/m.exec(err)?.[0];
  const batches = world.requests().filter(({ path, method }) => method === 'POST' && path.endsWith('/batch'));
  const files = Object.entries(report?.files ?? {}).filter(([name]) => ['rejects', 'consent'].includes(name));
  return {
    code,
    rows: report && counts(report.rows),
    messages:
      error === undefined ? warnings.map(({ check }: { check: string }) => check) : [JSON.parse(error).error.code],
    sent: batches.map(({ body }) =>
      JSON.parse(body)
        .contacts.map(({ email }: { email: string }) => nameOf(email))
        .join(' '),
    ),
    replayed: report?.requests.replayed ?? 0,
    there: admin.contacts().map(personText).sort(),
    suppressed: admin.suppressions().map(({ email, reason }) => `${nameOf(email)} ${reason}`),
    files: Object.fromEntries(files.map(([name, path]) => [name, rowsOf([path].flat()[0] as string)])),
    unchanged: existsSync(join(env.SVC_STATE_DIR, 'ledgers')) ? await unchangedNextTime(world, env) : 0,
  };
}

/** How many people of the list the next import would not send. */
async function unchangedNextTime(world: World, env: State): Promise<number> {
  world.file('list.csv', LIST);
  return (await world.svc(`${COMMANDS['contacts import --only-changed']} --dry-run`, { env })).json.rows.unchanged;
}

const nameOf = (email: string) => email.split('@')[0] as string;

function personText({
  email,
  status,
  unsubscribed_at,
}: {
  email: string;
  status: string;
  unsubscribed_at: number | null;
}) {
  const date = unsubscribed_at === null ? [] : [new Date(unsubscribed_at).toISOString().slice(0, 10)];
  return [nameOf(email), status, ...date].join(' ');
}

function rowsOf(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
}
