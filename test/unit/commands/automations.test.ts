import { describe, expect, test } from 'vitest';
import { FIELDS } from '../../contract/coverage/document.ts';
import { createWorld } from '../../support/world.ts';

describe('automations ls', () => {
  test('automations ls lists archived automations only with --status archived', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    Array.from({ length: 104 }, (_, index) => admin.createAutomation({ name: `Flow ${index}` }));
    admin.createAutomation({ name: 'Old', status: 'archived' });
    admin.createAutomation({ name: 'Next', status: 'draft' });
    const counts: number[] = [];
    for (const status of ['', '--status active', '--status archived', '--status draft', '--status paused']) {
      counts.push((await world.svc(`automations ls ${status} --json`)).json.length);
    }
    expect(counts).toEqual([105, 104, 1, 1, 0]);
  });

  test('automations ls shows triggers, and escapes control characters in names', async () => {
    const world = await createWorld();
    const id = world.emulator.admin.createAutomation({ name: 'Wel\u001b[31mcome', trigger: 'audience_join' });
    const { out } = await world.svc('automations ls');
    expect(out).toBe(`${id}\tWel\\u001b[31mcome\tactive\taudience_join\t${world.emulator.audienceId}\t1\tfalse\n`);
  });

  test('automations ls prints every field of the service with --json', async () => {
    const world = await createWorld();
    world.emulator.admin.createAutomation({ name: 'Welcome' });
    const [automation] = (await world.svc('automations ls --json')).json;
    expect(Object.keys(automation).sort()).toEqual(FIELDS.automation.toSorted());
  });

  test('automations ls refuses an unknown status and names the known ones', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('automations ls --status runing');
    expect([code, world.requests()]).toEqual([2, []]);
    expect(err).toContain('draft, active, paused, archived');
  });
});

describe('an automation by its name', () => {
  test('enrolls in an automation by its name, and records its id in the run', async () => {
    const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
    const id = world.emulator.admin.createAutomation({ name: 'Welcome series' });
    const { code, json } = await world.svc([
      ...'--yes automations enroll --json --email ana@example.com'.split(' '),
      'Welcome series',
    ]);
    expect([code, json.automation.id, json.rows.enrolled]).toEqual([0, id, 1]);
  });

  test('finds an archived automation only when no other has its name (M2)', async () => {
    const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
    const enroll = '--yes automations enroll Welcome --json --email ana@example.com';
    world.emulator.admin.createAutomation({ name: 'Welcome', status: 'archived' });
    const archived = await world.svc(enroll);
    expect([archived.code, archived.json.error.message]).toEqual([5, expect.stringContaining('is archived')]);
    const id = world.emulator.admin.createAutomation({ name: 'Welcome' });
    const { code, json } = await world.svc(enroll);
    expect([code, json.automation.id]).toEqual([0, id]);
  });

  test('refuses a name that several automations have, and shows each id (L3)', async () => {
    const world = await createWorld();
    const automations = (['active', 'paused'] as const).map((status) => ({
      status,
      id: world.emulator.admin.createAutomation({ name: 'Welcome', status }),
    }));
    const { code, err } = await world.svc('automations enroll Welcome --email ana@example.com');
    expect(code).toBe(2);
    for (const { id, status } of automations) {
      expect(err).toContain(
        `The one that is ${status}:\n  svc --yes automations enroll ${id} --email ana@example.com\n`,
      );
    }
    expect(world.requests().some(({ method }) => method === 'POST')).toBe(false);
    expect((await world.svc('automations enroll Nothing --email ana@example.com')).code).toBe(2);
  });
});
