import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const SUPPRESSED = 'email,reason\nana@example.com,bounced\n';
const SUBSCRIBED = 'email,status\nana@example.com,subscribed\n';
const BOTH = 'email,status\nana@example.com,bounced\nbo@example.com,subscribed\nbad,subscribed\n';

test.each([
  { title: 'only suppressions', commands: ['suppressions import s.csv'] },
  { title: 'a suppressed person', commands: ['suppressions import s.csv', 'contacts import c.csv'] },
  { title: 'a suppression and a contact', commands: ['migrate both.csv --max-failures 50%'] },
  { title: 'no sample', commands: ['migrate c.csv --verify-sample 0'] },
  { title: 'the same list again', commands: ['migrate c.csv', 'migrate c.csv --again'] },
  { title: 'nothing new', commands: ['contacts import c.csv --only-changed', 'contacts import c.csv --only-changed'] },
  { title: 'a check', commands: ['migrate c.csv', 'contacts check c.csv'] },
])('logs each phase as done when a run with $title ends', async ({ commands }) => {
  const world = await createWorld();
  world.file('s.csv', SUPPRESSED);
  world.file('c.csv', SUBSCRIBED);
  world.file('both.csv', BOTH);
  for (const command of commands) {
    const log = join(world.folder, `${commands.indexOf(command)}.log`);
    const line = command.split(' ').map((word) => (word.endsWith('.csv') ? join(world.folder, word) : word));
    const { code } = await world.svc([...line, '--yes', '--log-file', log]);
    expect([0, 3]).toContain(code);
    const text = readFileSync(log, 'utf8');
    expect(text).not.toContain('not finished');
    const lines = [...text.matchAll(/^\S+Z ([a-z ]+): (started|done|\d)/gm)];
    const [begun, ended] = [false, true].map((ends) => lines.filter(([, , word]) => (word === 'done') === ends));
    expect(ended?.map(([, phase]) => phase)).toEqual(begun?.map(([, phase]) => phase));
    expect(ended?.[0]?.[1]).toBe('survey');
  }
});
