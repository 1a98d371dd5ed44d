import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EDITS } from '../../support/edits.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld, linesOf } from './support.ts';

const PEOPLE = addresses(6);
/** Other people, and some of the same people. */
const EDITED = bare([...addresses(3, 4), ...addresses(10, 100)]);
const REFUSAL = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
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

/** Enrolls a list, and stops after its first person. Then enrolls another version of the list, or another list. */
async function enrollTwice(second: (world: AutomationWorld) => readonly string[]) {
  const world = await createAutomationWorld(addresses(6));
  const statuses = (word: string) => `email,status\n${addresses(6).join(',subscribed\n')},${word}\n`;
  world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
  const first = await world.enroll(statuses('subscribed'));
  world.file('list.csv', statuses('unsubscribed'));
  const newer = await world.svc(['automations', 'enroll', world.automation, ...second(world)]);
  const { code } = await world.svc(`runs resume ${first.json.run} --json`);
  return { code, newer, enrolled: world.enrolled() };
}

test('resumes no enrollment after one of a newer version of its list (G10)', async () => {
  const { code, newer, enrolled } = await enrollTwice(() => ['list.csv']);
  expect(newer.err).toMatch(/sends an older version of \S+\. It is not finished, and can't continue after this run\n/);
  expect([newer.code, code, enrolled.toSorted()]).toEqual([0, 5, addresses(5)]);
});

test('resumes an enrollment after one of another list (G10)', async () => {
  const { code, enrolled } = await enrollTwice((world) => [
    world.file('other.csv', bare(addresses(2))),
    '--default-status',
    'subscribed',
  ]);
  expect([code, enrolled.toSorted()]).toEqual([0, addresses(6)]);
});
