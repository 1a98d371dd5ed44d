import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterResponse } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

const CONTACTS = { match: { route: 'POST *contacts/batch' } } as const;

/** A run that stopped before its first contact. Then its list was changed. */
async function cutAndChanged(line = 'migrate list.csv'): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const fault = line.startsWith('migrate') ? CONTACTS : { match: { route: 'GET *contacts' } };
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', ...fault });
  expect(await world.svc(line)).toMatchObject({ code: 1 });
  world.emulator.admin.clearFaults();
  world.file('list.csv', people(4));
  return world;
}

interface ResumeStop {
  readonly what: string;
  readonly line: string;
  readonly stop: (world: World) => unknown;
}

const joins = ({ emulator }: World) =>
  emulator.admin.createAutomation({ trigger: 'audience_join', audienceId: emulator.audienceId });

/** Why a resume prints the command of its run, with further flags or as it was. */
const STOPS: readonly ResumeStop[] = [
  { what: 'an import would start an automation', line: 'migrate list.csv', stop: joins },
  {
    what: 'an enrollment would start another automation',
    line: 'automations enroll {aut} list.csv --create-contacts',
    stop: joins,
  },
  {
    what: 'the audience has another name',
    line: 'migrate list.csv',
    stop: (world) => world.svc(`audiences rename ${world.emulator.audienceId} Letters`),
  },
];

const CHANGED = 'list.csv was changed since this run began. The run continues with its copy of the old file.';

describe('a list that changed since its run began', () => {
  test('notes in the report of a resume that the list changed (D5)', async () => {
    const { code, err, json } = await (await cutAndChanged()).svc('runs resume --json -q');
    expect([code, err, json.rows.read]).toEqual([0, '', 3]);
    expect(json.findings.filter(({ level }: { level: string }) => level === 'warn')).toEqual([
      { check: 'input_changed', level: 'warn', message: CHANGED },
    ]);
  });

  test('a resume with --quiet warns when the list changed since (D5)', async () => {
    const { code, out, err } = await (await cutAndChanged()).svc('runs resume -q');
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(new RegExp(`^\\S+Z warning: ${CHANGED.replaceAll('.', '\\.')}\n$`));
  });

  test('notes that the list changed when a contacts check is resumed (D5)', async () => {
    const { json } = await (await cutAndChanged('contacts check list.csv')).svc('runs resume --json -q');
    expect([json.notes, json.rows.read]).toEqual([[CHANGED], 3]);
  });

  test.each(STOPS)('a resume prints no command with that list when $what (D5)', async ({ line, stop }) => {
    const hintAfter = async (change: (world: World) => void) => {
      const world = await createWorld({ plan: 'paid' });
      const automation = world.emulator.admin.createAutomation();
      world.file('list.csv', people(3));
      const refusal = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
      const after = line.startsWith('migrate') ? 0 : 1;
      world.emulator.admin.addFault({ ...refusal, after, match: { route: 'POST *' } });
      expect((await world.svc(line.replace('{aut}', automation))).code).toBe(4);
      world.emulator.admin.clearFaults();
      await stop(world);
      change(world);
      const { code, err } = await world.svc('runs resume');
      expect(code).not.toBe(0);
      return err;
    };
    const withList = /^ *svc (?!runs ).*list\.csv/m;
    expect(await hintAfter(() => {})).toMatch(withList);
    expect(await hintAfter((world) => world.file('list.csv', people(3, 7)))).not.toMatch(withList);
    expect(await hintAfter(({ folder }) => rmSync(join(folder, 'list.csv')))).not.toMatch(withList);
  });
});

// A dry run reads the list itself, and no copy. svc reads the account after it surveyed the list.
test('refuses a plan when the list changes while svc reads the account (D7)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  await world.clock.advance(60_000);
  const change = afterResponse(
    1,
    ({ url }) => url.pathname.endsWith('/contacts'),
    () => void world.file('list.csv', people(4)),
  );
  const { code, out, err } = await world.svc(['migrate', list, '--dry-run', '--plan', 'paid'], change);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining('list.csv was changed')]);
});
