import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const URL = 'https://mail.example.test/api';
const MAIL = 'emails send --from me@example.com --to ana@example.org --subject Hi --text Hi';

/** A test setup with an interrupted import. */
async function interrupted(line = 'contacts import list.csv') {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  world.file('list.csv', people(30));
  const isImport = line.includes('list.csv');
  if (!isImport) {
    world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' } });
  }
  expect((await world.svc(line, isImport ? stoppedAfterPost(1) : {})).code).not.toBe(0);
  world.emulator.admin.clearFaults();
  return world;
}

test.each([
  ['names no base URL', 'contacts import list.csv', '', { SVC_BASE_URL: '' }],
  ['names another base URL', 'contacts import list.csv', '--base-url https://a.test', {}],
  ['uses an emulator', 'contacts import list.csv', '--emulator', {}],
  ['of a message names another base URL', MAIL, '--base-url=https://a.test', {}],
])('prints the base URL of the run when the resume %s (K4)', async (_, line, flags, env) => {
  const world = await interrupted(line);
  const { code, err } = await world.svc(`runs resume ${flags}`, { env });
  const command = /svc (runs resume.*)$/m.exec(err)?.[1] ?? '';
  expect([code, command]).toEqual([2, `runs resume --base-url ${URL}`]);
  expect((await world.svc(splitShellText(command), { env })).code).toBe(0);
});
