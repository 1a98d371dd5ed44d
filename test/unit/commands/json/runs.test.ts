import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import type { RunOptions, World } from '../../../support/world.ts';
import { type Story, testStories } from './stories.ts';

const LIST =
  'email,first_name,status,City\nana@example.com,Ana,subscribed,Bonn\nben@example.com,Ben,bounced,\nlea@example.com,Lea,subscribed,Ulm\n';
const SEED = {
  account: { domains: ['example.com'] },
  contacts: [{ email: 'lea@example.com', status: 'unsubscribed' }, { email: 'max@example.com' }],
  automations: [{ name: 'Welcome' }],
};

const list =
  (text = LIST) =>
  ({ file }: World) =>
    file('list.csv', text);
const BATCH = { match: { route: 'POST *contacts/batch' } } as const;
const ENROLL = { match: { route: 'POST *enroll' } } as const;
type Fault = Parameters<World['emulator']['admin']['addFault']>[0];

/** Adds these faults, and removes the earlier ones. */
const fail =
  (...faults: readonly Fault[]) =>
  ({ emulator }: World) => {
    emulator.admin.clearFaults();
    faults.forEach((fault) => emulator.admin.addFault(fault));
  };
const heal = fail();
const refusing = (status: number, code: string, match: object = BATCH): Fault => ({
  ...{ kind: 'error', status, code, when: 'before' },
  ...match,
});

/** Sends a signal at the first request with this end of its path. */
const signalAt = (end: string, name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => (): RunOptions => {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    transport: (inner) => ({
      ...inner,
      send: (request, signal) => {
        if (request.url.pathname.endsWith(end)) {
          stop.abort(createInterruption(name));
        }
        return inner.send(request, signal);
      },
    }),
  };
};

const typed = (): RunOptions => ({ asTyped: true });

/** The ways in which each import can end. `line` has no flags. */
function endings(title: string, line: string): Story {
  return {
    title,
    options: { seed: SEED },
    steps: [
      { line, when: 'no such file' },
      { line, before: list(''), when: 'an empty file' },
      { line, before: list('email,status\n'), when: 'a header alone' },
      { line, before: list(LIST.replace('bounced', 'zzz')), when: 'an unknown status' },
      { line: `${line} --dry-run`, before: list() },
      { line, run: typed, when: 'no --yes' },
      { line, run: () => ({ env: { SVC_API_KEY: 'svc_wrong' } }), when: 'an unknown key' },
      { line, when: 'a success' },
      { line, when: 'again' },
      { line, before: list(`${LIST}no-address,No,subscribed,\n`), when: 'a row without an address' },
    ],
  };
}

const STORIES: readonly Story[] = [
  endings('migrate', 'migrate list.csv'),
  endings('contacts import', 'contacts import list.csv'),
  endings('suppressions import', 'suppressions import list.csv'),
  endings('automations enroll', 'automations enroll Welcome list.csv'),
  {
    title: 'a migration that ends early',
    options: { seed: SEED },
    steps: [
      { line: 'migrate list.csv', before: list(), run: signalAt('/suppressions', 'SIGTERM'), when: 'SIGTERM' },
      { line: 'migrate list.csv', before: fail(refusing(403, 'plan_limit_reached')), when: 'the plan is full' },
      { line: 'migrate list.csv', before: fail(refusing(401, 'unauthorized')), when: 'the key is revoked' },
      { line: 'migrate list.csv --max-wait 1s', before: fail({ kind: 'rate_limited', retry_after: '90' }) },
      { line: 'migrate list.csv', before: fail({ kind: 'reset', when: 'before', ...BATCH }), when: 'no connection' },
      { line: 'runs resume', before: heal, when: 'a success' },
      { line: 'runs resume', when: 'nothing to resume' },
    ],
  },
  {
    title: 'an audience that flags name',
    options: { seed: SEED },
    steps: [
      { line: 'migrate list.csv --audience Nothing', before: list() },
      'migrate list.csv --audience-name New --create-audience --dry-run',
      'migrate list.csv --audience-name New --create-audience',
      { line: 'migrate list.csv', when: 'two audiences' },
    ],
  },
  {
    title: 'a list that comes again',
    options: { seed: SEED },
    steps: [
      { line: 'contacts import list.csv --only-changed', before: list() },
      'contacts import list.csv --only-changed',
      {
        line: 'contacts import list.csv --only-changed --gone unsubscribe',
        before: list(LIST.replace(/^ana.*\n/m, '')),
        when: 'the check gone stops',
      },
      'contacts import list.csv --only-changed --gone unsubscribe --max-gone 100%',
    ],
  },
  {
    title: 'rows that the service refuses',
    options: { seed: SEED },
    steps: [
      {
        line: 'contacts import list.csv',
        before: (world) => [list()(world), world.emulator.admin.suppress(['ana@example.com'])],
        when: 'a suppressed address',
      },
      {
        line: 'contacts import list.csv',
        before: (world) => [
          list('email,status\nnew@example.com,subscribed\n')(world),
          fail({ kind: 'drop_rows', rows: 1, ...BATCH })(world),
        ],
        when: 'a row is lost in silence',
      },
    ],
  },
  {
    title: 'contacts check and runs verify',
    options: { seed: SEED },
    steps: [
      'runs verify',
      { line: 'contacts check list.csv', before: list() },
      'contacts check list.csv --audience Nothing',
      'contacts check none.csv',
      { line: 'contacts check list.csv', before: list(LIST.replace('bounced', 'zzz')), when: 'an unknown status' },
      { line: 'contacts check list.csv', run: signalAt('/contacts', 'SIGHUP'), before: list(), when: 'SIGHUP' },
      { line: 'migrate list.csv' },
      { line: 'runs verify', when: 'all the same, but for the person who had left' },
      { line: 'runs verify', before: ({ emulator }) => emulator.admin.deleteContact('ana@example.com') },
    ],
  },
  {
    title: 'an enrollment that ends early',
    options: { seed: SEED },
    steps: [
      {
        line: 'automations enroll Nothing list.csv',
        before: list('email\nmax@example.com\nlea@example.com\nnew@example.com\n'),
      },
      { line: 'automations enroll Welcome list.csv', run: signalAt('/enroll', 'SIGINT'), when: 'SIGINT' },
      {
        line: 'automations enroll Welcome list.csv --at-most-once',
        before: fail({ kind: 'reset', when: 'after', ...ENROLL }),
        when: 'each answer is lost',
      },
      { line: 'runs resolve {run} --not-enrolled no@example.com', before: heal },
      'runs delete {run}',
      'runs resolve {run} --all enrolled',
      'runs resolve {run} --all enrolled',
      { line: 'automations enroll Welcome --email max@example.com --reenroll', when: 'an unfinished run' },
      'runs resume',
      'automations enroll Welcome --email max@example.com --reenroll',
      {
        line: 'automations enroll Draft list.csv',
        before: ({ emulator }) => emulator.admin.createAutomation({ name: 'Draft', status: 'draft' }),
      },
    ],
  },
  {
    title: 'runs',
    options: { seed: SEED },
    steps: [
      'runs ls',
      'runs show latest',
      'runs resume',
      'runs verify',
      { line: 'migrate list.csv', before: (world) => [list()(world), fail(refusing(403, 'forbidden'))(world)] },
      'runs ls',
      'runs show {run}',
      { line: 'suppressions import list.csv', before: fail(refusing(403, 'forbidden', {})), when: 'a second one' },
      { line: 'runs resume', before: heal, when: 'two unfinished runs' },
      'runs show run_1',
      'runs resolve {run} --all enrolled',
      'runs delete {run}',
      'runs delete run_1',
      'runs prune --older-than x',
      'runs prune --older-than 1d',
      { line: 'runs prune --older-than 1d', before: ({ clock }) => clock.advance(2 * 86_400_000) },
      { line: 'migrate list.csv --dry-run', before: list() },
      'runs ls --limit 1',
    ],
  },
];

testStories('runs', STORIES);
