import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type RunOptions } from '../../../support/world.ts';

/** A command with --log-file that a signal stops at the event of this type. Returns its log. */
async function logOf(line: string, type: string, signal: 'SIGINT' | 'SIGTERM') {
  const world = await createWorld();
  world.file('list.csv', people(30));
  const stopper = new AbortController();
  const options: RunOptions = {
    signal: stopper.signal,
    onEvent: (event) => {
      if (event.type === type) {
        stopper.abort(createInterruption(signal));
      }
    },
  };
  const { code } = await world.svc(`${line} --log-file log.txt`, options);
  return { code, log: readFileSync(join(world.folder, 'log.txt'), 'utf8') };
}

test.each([
  ['SIGINT', 130, 'stopped with Ctrl-C'],
  ['SIGTERM', 143, 'stopped by SIGTERM'],
] as const)('says in the log file what stopped the command at %s (D4)', async (signal, exit, words) => {
  const lines = [
    'contacts import list.csv --plan paid',
    'suppressions import list.csv --reason unsubscribed',
    'contacts check list.csv --default-status subscribed',
  ];
  for (const line of lines) {
    for (const type of ['doing', 'phase', 'request', 'progress']) {
      const { code, log } = await logOf(line, type, signal);
      const last = log.trimEnd().split('\n').at(-1);
      expect(log, `${line} at ${type}`).not.toContain('[object Object]');
      expect([code, log.includes(words)], `${line} at ${type}: ${last}`).toEqual([exit, true]);
    }
  }
});
