import { beforeAll, expect, test } from 'vitest';
import { listRuns } from '../../../src/runs/find/list-runs.ts';
import { preload } from '../../support/node/preload.ts';
import { stepOf } from '../../support/sweep.ts';
import { readSecret } from './check-output.ts';
import { playWithoutFaults } from './home.ts';
import { type ProgramHome, runAt } from './program.ts';
import type { Kind } from './scenario.ts';
import { EVENTS, type Service, URL_OF_ALL } from './service.ts';
import { secretFile } from './wanted.ts';

const TAG = 'First 1';
const WEBHOOK = ['webhooks', 'create', '--url', URL_OF_ALL, '--event', EVENTS[0]!];
const IMPORT = ['migrate', 'list.csv', '--yes', '--plan', 'paid', '--default-status', 'subscribed'];

/** A command that creates an object. */
interface Creation {
  readonly kind: Kind;
  readonly argv: readonly string[];
  readonly terminal?: boolean;
}

const CREATIONS = {
  'an endpoint with --secret-file': { kind: 'webhook', argv: [...WEBHOOK, '--secret-file', secretFile(TAG)] },
  'an endpoint created at a terminal': { kind: 'webhook', argv: WEBHOOK, terminal: true },
  'an audience': { kind: 'audience', argv: ['audiences', 'create', TAG] },
  'the audience of an import': { kind: 'audience', argv: [...IMPORT, '--audience-name', TAG, '--create-audience'] },
} as const satisfies Readonly<Record<string, Creation>>;

// After this time the service replays no response, so the same key creates a second object.
const AFTER_REPLAYS_MS = 25 * 3_600_000;

// A 404 in the first minute does not show that an object was deleted (I4).
const SHOWN_LATE_MS = 60_000;

// The interruption comes after the program opened its run, and before its first request.
const INTERRUPT_AT = 8;

/**
 * Creates an object whose response is lost, deletes it, and resumes: once with a kill, once without. A run that knows
 * of the deletion is resumed 25 hours later. It must not need the response then.
 */
async function play(service: Service, home: ProgramHome, { kind, argv }: Creation, killAt: number) {
  const { admin } = service.emulator;
  admin.addFault({ kind: 'reset', when: 'after', match: { route: `POST /v1/${kind}s` } });
  await runAt(home, {}, argv);
  admin.clearFaults();
  service.things().forEach(({ id }) => (kind === 'webhook' ? admin.deleteWebhook(id) : admin.deleteAudience(id)));
  await service.clock.sleep(SHOWN_LATE_MS);
  const { code } = await runAt(home, { killAt }, ['runs', 'resume']);
  if (readSecret(home, TAG) !== '') {
    // The secret of a deleted endpoint must not outlive the run that removes it.
    await runAt(home, { interruptAt: INTERRUPT_AT }, ['runs', 'resume']);
  }
  const left = listRuns(home.state);
  const isReported = left.some(({ exitCode }) => exitCode === 7);
  await service.clock.sleep(left.some(({ unknown }) => unknown > 0) ? 0 : AFTER_REPLAYS_MS);
  await runAt(home, {}, ['runs', 'resume']);
  const secrets = ['', ...service.things().map(({ secret }) => secret)];
  return {
    killed: code === 'killed',
    keepsSecret: !secrets.includes(readSecret(home, TAG)),
    createsAgain: service.things().length > 0 && !isReported,
  };
}

function resumeKilledAt(killAt: number, creation: Creation) {
  const { kind, terminal = false } = creation;
  const stage = { kind, terminal, list: 'email\np1@example.com\n' };
  return playWithoutFaults(stage, (service, home) => play(service, home, creation, killAt));
}

const STEP = stepOf(4);

beforeAll(preload);

test.each(Object.entries(CREATIONS))(
  'reports the deletion of %s when a kill ends a resume (I7, I9, W1)',
  { timeout: 240_000 },
  async (_, creation) => {
    const broken: string[] = [];
    let killed = true;
    // The creations begin at different touches, so that together they meet each of them.
    let killAt = 1 + (Object.values(CREATIONS).indexOf(creation) % STEP) - STEP;
    while (killed) {
      killAt += STEP;
      const resumed = await resumeKilledAt(killAt, creation);
      killed = resumed.killed;
      broken.push(...(resumed.keepsSecret ? [`secret kept after touch ${killAt}`] : []));
      broken.push(...(resumed.createsAgain ? [`created again after touch ${killAt}`] : []));
    }
    expect(killAt).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  },
);
