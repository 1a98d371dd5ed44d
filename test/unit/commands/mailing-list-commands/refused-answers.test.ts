import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { createWorld, type World } from '../../../support/world.ts';

const LIST = 'Email,Status\nana@example.com,moved\nben@example.com,subscribed\n';

/** Adds an answer that this version of svc refuses to a run, as an earlier version recorded it. */
function recordAnswer(world: World, run: string, { subject = '', state = '', isTyped = true }): void {
  const db = new DatabaseSync(join(world.folder, 'state', 'svc', 'runs', run, 'run.db'));
  const stored = db.prepare("SELECT key, value FROM meta WHERE value LIKE '%statusMap%'").get();
  const { key, value } = stored as { key: string; value: string };
  const parsed = JSON.parse(value);
  parsed.options.reading.statusMap[subject] = state;
  parsed.typed.words.push('--status-map', `${subject}=${state}`);
  parsed.typed = isTyped ? parsed.typed : undefined;
  db.prepare('UPDATE meta SET value = ? WHERE key = ?').run(JSON.stringify(parsed), key);
  db.close();
}

test.each([
  ['Moved', 'subscribed', 'contradicting_answers'],
  ['lsit.csv:Status:moved', 'unsubscribed', 'unknown_input'],
  ['Sttus:moved', 'unsubscribed', 'unknown_column'],
])('prints commands that work when a resume refuses %s=%s (C11)', async (subject, state, error) => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const line = 'migrate list.csv --status-map moved=unsubscribed --yes --json';
  const { json } = await world.svc(line, stoppedAfterPost(1));
  recordAnswer(world, json.run, { subject, state });
  const resumed = await world.svc('runs resume --json');
  const { code, hint } = JSON.parse(resumed.err).error;
  const commands = hint.split('\n').filter((text: string) => text.startsWith('svc '));

  expect([resumed.code, code]).toEqual([2, error]);
  expect(commands.length).toBeGreaterThan(0);
  const pasted = await world.svc(splitShellText(commands[0]).slice(1));
  expect(pasted.code, pasted.err).toBe(0);
  expect(
    world.emulator.admin
      .contacts()
      .map(({ email, status }) => [email, status])
      .sort(),
  ).toEqual([
    ['ana@example.com', 'unsubscribed'],
    ['ben@example.com', 'subscribed'],
  ]);
});

test('names contradictory flags when the run recorded no command line (C11)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const line = 'migrate list.csv --status-map moved=unsubscribed --yes --json';
  const { json } = await world.svc(line, stoppedAfterPost(1));
  recordAnswer(world, json.run, { subject: 'Moved', state: 'subscribed', isTyped: false });
  const { code, err } = await world.svc('runs resume --json');

  expect([code, JSON.parse(err).error.hint]).toEqual([
    2,
    'Keep one of them:\nType the command again without --status-map Moved=subscribed\nType the command again without --status-map moved=unsubscribed',
  ]);
});
