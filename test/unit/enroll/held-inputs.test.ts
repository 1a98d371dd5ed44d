import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EDITS } from '../../support/edits.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from './support.ts';

const PEOPLE = addresses(6);
/** Other people, and some of the same people. */
const EDITED = bare([...addresses(3, 4), ...addresses(10, 100)]);
const EACH_EDIT = Object.entries(EDITS);

async function automationWorld() {
  const world = await createAutomationWorld([...PEOPLE, ...addresses(10, 100)], { reentry: 'always' });
  return { ...world, list: join(world.folder, 'list.csv') };
}

describe('the list of an enrollment, which svc copies because other programs may edit it', () => {
  test.each(EACH_EDIT)('enrolls the list as first read when it is %s during the run (D7)', async (_, edit) => {
    const world = await automationWorld();
    let asked = 0;
    const { code, json } = await world.enroll(bare(PEOPLE), ['--concurrency', '1'], {
      transport: (inner) => ({
        ...inner,
        send: (request, signal) => {
          asked += request.url.pathname.endsWith('/enroll') ? 1 : 0;
          if (asked === 2 && request.url.pathname.endsWith('/enroll')) {
            edit(world.list, EDITED);
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect([code, counts(json.rows)]).toEqual([0, { read: 6, enrolled: 6 }]);
    expect(world.enrolled()).toEqual(PEOPLE);
  });

  test.each(EACH_EDIT)('enrolls the list as first read when it is %s at the prompt (D7)', async (_, edit) => {
    const world = await automationWorld();
    const { code } = await world.enroll(bare(PEOPLE), [], { answers: ['y'], onAsk: () => edit(world.list, EDITED) });
    expect([code, world.enrolled().sort()]).toEqual([0, PEOPLE]);
  });

  test.each(EACH_EDIT)('resumes an enrollment from the copy when the list was %s (D5, D7)', async (_, edit) => {
    const world = await automationWorld();
    const route = 'POST /v1/automations/*/enroll';
    world.refuse(route, { status: 403, code: 'forbidden', after: 2 });
    const first = await world.enroll(bare(PEOPLE), ['--concurrency', '1', '--create-contacts']);
    expect(first.code).toBe(4);
    world.emulator.admin.clearFaults();
    edit(world.list, EDITED);
    const second = await world.svc(['runs', 'resume']);
    expect(second.err).toContain('since this run began. The run continues with its copy');
    expect([second.code, world.enrolled()]).toEqual([0, PEOPLE]);
  });

  test('outcomes.csv names people of the list as svc first read it (D7)', async () => {
    const world = await automationWorld();
    world.emulator.admin.suppress(['person1@example.com'], 'bounced');
    const { json } = await world.enroll(bare(PEOPLE), [], {
      answers: ['y'],
      onAsk: () => EDITS['replaced by rename']?.(world.list, EDITED),
    });
    expect(linesOf(json.files.outcomes)).toEqual([
      'line,email,outcome',
      expect.stringMatching(/^3,person1@example.com,/),
    ]);
  });
});

test('prints how to delete the unfinished run of an older list (C11)', async () => {
  const world = await automationWorld();
  const match = { route: 'POST *' };
  world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', times: 1, match });
  const { json } = await world.enroll(bare(PEOPLE));
  world.file('list.csv', EDITED);
  const { code, err } = await world.svc(['automations', 'enroll', world.automation, 'list.csv']);
  const [, hint = ''] = /If it must not continue: svc (runs delete .*)\n/.exec(err) ?? [];
  expect([code, hint]).toEqual([0, `runs delete ${json.run} --confirm ${json.run}`]);
  const runs = async () => (await world.svc('runs ls --json')).json.map(({ run }: { run: string }) => run);
  const before = await runs();
  expect([before.length, before.includes(json.run)]).toEqual([2, true]);
  expect((await world.svc(hint)).code).toBe(0);
  expect(await runs()).toEqual(before.filter((run: string) => run !== json.run));
});
