import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { openGolden } from '../../../support/golden.ts';
import { everyNth } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';

/**
 * The effect of a signal at each moment of each long command. Moments are the start of a phase or wait, and the
 * response of each kind of request. A line of moments.txt names the moment, then the end of the command, then the end
 * of the resume.
 */
const golden = openGolden(join(import.meta.dirname, 'moments.txt'));
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

// More people than the first request of a run holds.
const LIST =
  'email,first_name,status\nana@example.com,Ana,subscribed\nmax@example.com,Max,subscribed\n' +
  'eva@example.com,Eva,subscribed\nida@example.com,Ida,subscribed\n' +
  'lea@example.com,Lea,subscribed\nben@example.com,Ben,bounced\nuna@example.com,Una,unsubscribed\n';

/** A long command, and its preparation. */
const COMMANDS: readonly (readonly [line: string, before?: (world: World) => Promise<unknown>])[] = [
  ['migrate list.csv'],
  ['contacts import list.csv --only-changed --gone unsubscribe --max-gone 100%', importMore],
  ['automations enroll Welcome list.csv --create-contacts'],
  ['contacts check list.csv'],
  ['contacts export --output out.csv'],
];

async function importMore(world: World): Promise<void> {
  world.file('list.csv', `${LIST}pia@example.com,Pia,subscribed\n`);
  await world.svc('contacts import list.csv --only-changed');
  world.file('list.csv', LIST);
}

async function worldFor(before?: (world: World) => Promise<unknown>): Promise<World> {
  const plain = await createWorld({
    seed: {
      contacts: [{ email: 'lea@example.com', status: 'unsubscribed' }, { email: 'max@example.com' }],
      automations: [{ name: 'Welcome' }],
    },
  });
  const env = { SVC_STATE_DIR: tempFolder() };
  const world: World = { ...plain, svc: (line, run = {}) => plain.svc(line, { ...run, env }) };
  world.file('list.csv', LIST);
  await before?.(world);
  await world.clock.advance(1_000);
  // Faults make each command wait: for the rate limit, or before a repeat.
  const { admin } = world.emulator;
  admin.addFault({ kind: 'rate_limited', retry_after: '70', times: 1, match: { route: 'POST *batch' } });
  admin.addFault({ kind: 'reset', when: 'before', times: 1, match: { route: 'POST *enroll' } });
  admin.addFault({ kind: 'reset', when: 'before', times: 1, match: { route: 'POST /v1/suppressions' } });
  return world;
}

/** Calls `at` with the name of each moment of a command. Repeated events have no name of their own. */
function observe(at: (moment: string) => void): RunOptions {
  let during = '';
  return {
    onEvent: (event: RunEvent) => {
      if (event.type === 'phase') {
        during = event.phase === 'contacts' ? ' of the other contacts' : '';
        at(`phase ${event.phase}`);
      }
      if (event.type === 'wait') {
        at(`a wait, ${event.reason}`);
      }
    },
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        const path = request.url.pathname.replace('/api/v1', '').replace(/[a-z]{3}_[0-9a-f]{10,}|[^/]+%40[^/]+/g, '*');
        at(`${request.method} ${path}${during}`);
        return response;
      },
    }),
  };
}

/** Everything that the service holds about people, and what it did to them. */
function serviceState({ emulator }: World): unknown {
  const { admin } = emulator;
  const contacts = admin.contacts().map(({ email, status, first_name }) => [email, status, first_name]);
  const suppressions = admin.suppressions().map(({ email, reason }) => [email, reason]);
  return [contacts.sort(), suppressions.sort(), admin.state().enrollments];
}

function endOf({ code, out, err }: CommandResult): string {
  const { status = '', rows = {}, counts = rows } = out === '' ? {} : JSON.parse(out);
  const shown = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name}=${count}`]));
  const error = err.split('\n').find((line) => line.startsWith('{'));
  const { error: { message = '', hint = '' } = {} } = error === undefined ? {} : JSON.parse(error);
  const says = [message, ...hint.split('\n')].filter((line: string) => line !== '').join(' / ');
  return [`exit ${code}`, status, ...shown, says === '' ? '' : `"${says}"`].filter((part) => part !== '').join(' ');
}

const steady = (text: string, { folder }: World) =>
  text.replaceAll(folder, '~').replace(/\brun_\d{8}T\d{9}_[0-9a-f]+/g, 'run_1');

/** A moment, and its number among the moments of its command. The signals take turns. */
interface Stop {
  readonly moment: string;
  readonly nth: number;
}

const signalOf = ({ nth }: Stop) => SIGNALS[nth % SIGNALS.length] ?? 'SIGINT';
const headingOf = (stop: Stop) => `  ${signalOf(stop)} at ${stop.moment}`;

/** The recorded lines of a moment. The lines below a heading are indented further. */
function recordedAt(line: string, heading: string): readonly string[] {
  const recorded = golden.lines(line);
  const at = recorded.indexOf(heading);
  const end = recorded.findIndex((each, index) => index > at && !each.startsWith('    '));
  return at < 0 ? [] : recorded.slice(at, end < 0 ? recorded.length : end);
}

/** Stops a command at a moment, then finishes the work with the command that its result names. */
async function stopAt(at: Stop, [line, before]: (typeof COMMANDS)[number]) {
  const { moment } = at;
  const world = await worldFor(before);
  const stop = new AbortController();
  let seen = 0;
  const watched = observe((each) => {
    seen += each === moment ? 1 : 0;
    if (each === moment && seen === 1) {
      stop.abort(createInterruption(signalOf(at)));
    }
  });
  const first = await world.svc(`${line} --json`, { ...watched, signal: stop.signal });
  const unfinished = (await world.svc('runs ls --json')).json.filter((run: { finished: boolean }) => !run.finished);
  const way = unfinished.length > 0 ? 'runs resume' : line;
  const isDone = first.code === 0;
  const second = isDone ? undefined : await world.svc(`${way} --json`);
  const rest = second ? [`    then ${way}: ${endOf(second)}`] : [];
  const text = [headingOf(at), `    ${endOf(first)}`, ...rest].map((each) => steady(each, world));
  return { text, state: serviceState(world), code: second?.code ?? first.code };
}

test.each(COMMANDS.map((command) => ({ line: command[0], command })))(
  'a run ends in the same way after a signal and a resume: $line (D1, D4)',
  async ({ line, command }) => {
    const moments = new Set<string>();
    const quiet = await worldFor(command[1]);
    const whole = await quiet.svc(
      `${line} --json`,
      observe((moment) => moments.add(moment)),
    );
    const lines = [`    ${endOf(whole)}`];
    const all = [...moments].map((moment, nth) => ({ moment, nth }));
    const played = process.env.UPDATE === '1' ? all : everyNth(all, 2, COMMANDS.indexOf(command));
    for (const at of all) {
      if (!played.includes(at)) {
        lines.push(...recordedAt(line, headingOf(at)));
        continue;
      }
      const { text, state, code } = await stopAt(at, command);
      lines.push(...text);
      expect([at.moment, code, state]).toEqual([at.moment, whole.code, serviceState(quiet)]);
    }
    golden.check(line, lines);
  },
);
