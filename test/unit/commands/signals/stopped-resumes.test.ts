import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type RunOptions } from '../../../support/world.ts';

const LINES = [
  'migrate list.csv',
  'migrate list.csv --audience-name New --create-audience',
  'contacts import list.csv',
  'automations enroll {aut} list.csv --concurrency 1',
  'automations enroll {aut} list.csv --create-contacts',
];

/** Options for a run that gets Ctrl-C at its request `nth`; before the first one if `nth` is 0. */
function stoppedAtRequest(nth: number): RunOptions & { readonly wasStopped: () => boolean } {
  const stopper = new AbortController();
  const stop = () => stopper.abort(createInterruption('SIGINT'));
  let sent = 0;
  if (nth === 0) {
    stop();
  }
  return {
    signal: stopper.signal,
    wasStopped: () => stopper.signal.aborted,
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        sent += 1;
        if (sent === nth) {
          stop();
        }
        return inner.send(request, signal);
      },
    }),
  };
}

test.each(LINES)('names the command to continue when a resume is stopped early: %s (D1)', async (line) => {
  for (let nth = 0; nth <= 4; nth += 1) {
    const world = await createWorld();
    world.file('list.csv', people(5));
    const { admin } = world.emulator;
    admin.addContacts(Array.from({ length: 5 }, (_, index) => ({ email: `person${index}@example.com` })));
    const automation = admin.createAutomation();
    const first = await world.svc(`${line.replace('{aut}', automation)} --json`, stoppedAfterPost(1));
    const stopped = stoppedAtRequest(nth);

    const { code, err } = await world.svc('runs resume', stopped);

    expect([nth, stopped.wasStopped(), code]).toEqual([nth, true, 130]);
    expect(err).toContain(`svc runs resume ${first.json.run}`);
  }
});

/** Options for a run that is killed before its first request: the state folder is copied then. */
function killedBeforeRequests(state: string, copy: string): RunOptions {
  let isCopied = false;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (!isCopied) {
          isCopied = true;
          cpSync(state, copy, { recursive: true });
        }
        return inner.send(request, signal);
      },
    }),
  };
}

test.each([
  'audiences create News',
  'emails send --from ana@example.com --to ben@example.com --subject Hi --text Hello',
])('names no resume command when a stopped resume deletes its run: %s (D1)', async (line) => {
  const world = await createWorld();
  const [state, copy] = [join(world.folder, 'state'), join(world.folder, 'copy')];
  await world.svc(line, killedBeforeRequests(state, copy));
  rmSync(state, { recursive: true });
  cpSync(copy, state, { recursive: true });
  const before = (await world.svc('runs ls --json')).json;

  const { code, err } = await world.svc('runs resume', stoppedAtRequest(1));

  const after = (await world.svc('runs ls --json')).json;
  expect([before.length, code, after], err).toEqual([1, 130, []]);
  expect(err).not.toContain('svc runs resume');
});
