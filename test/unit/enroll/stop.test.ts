import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT, SvcError } from '../../../src/base/lib/errors.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from './support.ts';

const ENROLL = { match: { route: 'POST /v1/automations/*/enroll' } } as const;
const PEOPLE = addresses(6);

test('records outcomes at Ctrl-C, and the resume enrolls the rest (D4)', async () => {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const stopper = new AbortController();
  let asked = 0;
  const first = await world.enroll(bare(PEOPLE), ['--concurrency', '1'], {
    signal: stopper.signal,
    transport: (inner) => ({
      ...inner,
      send: async (request, signal) => {
        asked += request.url.pathname.endsWith('/enroll') ? 1 : 0;
        if (asked === 3) {
          stopper.abort(new SvcError(EXIT.interrupted, 'interrupted', 'stopped by SIGINT'));
        }
        return inner.send(request, signal);
      },
    }),
  });
  expect({ code: first.code, rows: counts(first.json.rows), next: first.json.next }).toEqual({
    code: 130,
    rows: { read: 6, enrolled: 3, unsent: 3 },
    next: [`svc runs resume ${first.json.run}`],
  });

  const second = await world.svc(['runs', 'resume', '--json']);
  expect({ code: second.code, rows: counts(second.json.rows) }).toEqual({ code: 0, rows: { read: 6, enrolled: 6 } });
  expect([first.json.resumed, second.json.resumed]).toEqual([undefined, true]);
  expect(world.enrolled()).toEqual(PEOPLE);
});

test.each([
  ['401 unauthorized', EXIT.auth, []],
  ['403 forbidden', EXIT.auth, []],
  ['403 plan_limit_reached', EXIT.stopped, []],
  ['404 not_found', EXIT.stopped, [expect.stringMatching(/^If the destination was deleted, .* svc runs delete run_/)]],
])('names each next step when the service refuses an enrollment: %s (C11)', async (refusal, exit, further) => {
  const world = await createAutomationWorld(PEOPLE);
  const [status, code = ''] = refusal.split(' ');
  world.refuse('POST /v1/automations/*/enroll', { status: Number(status), code, after: 2 });
  const result = await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  expect({ exit: result.code, rows: counts(result.json.rows), next: result.json.next }).toEqual({
    exit,
    rows: { read: 6, enrolled: 2, unsent: 4 },
    next: [`svc runs resume ${result.json.run}`, ...further],
  });
});

test('an enrollment exits with 75 when a wait exceeds --max-wait (P4)', async () => {
  const world = await createAutomationWorld(PEOPLE);
  world.emulator.admin.addFault({ kind: 'rate_limited', retry_after: '7200', ...ENROLL, after: 2, times: 1 });
  const first = await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  expect({ code: first.code, rows: counts(first.json.rows) }).toEqual({
    code: 75,
    rows: { read: 6, enrolled: 2, unsent: 4 },
  });
  world.clock.set(world.clock.now() + 2 * 60 * 60_000);

  const second = await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  expect({ run: second.json.run, rows: counts(second.json.rows) }).toEqual({
    run: first.json.run,
    rows: { read: 6, enrolled: 6 },
  });
});

test('exits with 7 when the automation of a resumed enrollment is archived', async () => {
  const world = await createAutomationWorld(PEOPLE);
  world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', ...ENROLL, after: 2 });
  await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  world.emulator.admin.setAutomationStatus(world.automation, 'archived');
  world.requests();

  const again = await world.svc(['runs', 'resume', '--json']);

  expect({ code: again.code, error: JSON.parse(again.err).error.code, asked: world.asked() }).toEqual({
    code: 7,
    error: 'automation',
    asked: [],
  });
});

test('refuses a run when another run enrolls in the same automation (I11)', async () => {
  const world = await createAutomationWorld(PEOPLE);
  world.emulator.admin.addFault({ kind: 'slow', ms: 30_000, when: 'before', ...ENROLL, times: 1 });
  const both = await Promise.all([world.enroll(bare(PEOPLE)), world.enroll(bare(PEOPLE))]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 6]);
  expect(world.enrolled().sort()).toEqual(PEOPLE);
});

test('exits with 7 when more enrollments fail than --max-failures', async () => {
  const world = await createAutomationWorld(PEOPLE);
  world.emulator.admin.addFault({ kind: 'error', status: 400, code: 'invalid_email', when: 'before', ...ENROLL });
  const { code, json } = await world.enroll(bare(PEOPLE), ['--max-failures', '2']);
  expect({ code, rows: counts(json.rows) }).toEqual({ code: 7, rows: { read: 6, failed: 3, unsent: 3 } });
});

test('enrolls people of a corrected rejects file with the same command', async () => {
  const world = await createAutomationWorld(PEOPLE);
  const { json } = await world.enroll('Mail\nperson0@example.com\nbroken\n', ['--map', 'Mail=email']);
  const [rejects] = json.files.rejects;
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('\tbroken\n', '\tperson1@example.com\n'));

  const second = await world.svc(['automations', 'enroll', world.automation, rejects, '--json']);

  expect({ code: second.code, rows: counts(second.json.rows) }).toEqual({ code: 0, rows: { read: 1, enrolled: 1 } });
  expect(world.enrolled()).toEqual(addresses(2));
});

test('outcomes.csv names the input file and marks formulas as text (K5)', async () => {
  const world = await createAutomationWorld([]);
  const other = world.file('other.csv', bare(['+plus@example.com']));
  const { json } = await world.enroll(bare(addresses(1)), [other]);
  expect(linesOf(json.files.outcomes)).toEqual([
    'line,email,outcome,file',
    '2,person0@example.com,not_subscribed,list.csv',
    "2,'+plus@example.com,not_subscribed,other.csv",
  ]);
});

test('exits with 7 when the audience of the automation was deleted (O8)', async () => {
  const world = await createAutomationWorld(addresses(2));
  const other = world.emulator.admin.createAudience('Elsewhere');
  const automation = world.emulator.admin.createAutomation({ name: 'Old', audienceId: other });
  world.emulator.admin.deleteAudience(other);
  const { code, err } = await world.svc([
    'automations',
    'enroll',
    automation,
    '--email',
    'person0@example.com',
    '--json',
  ]);
  expect([code, JSON.parse(err).error.code]).toEqual([EXIT.stopped, 'not_found']);
  expect(JSON.parse(err).error.message).toMatch(/^the audience of this run no longer exists: /);
});

describe('a resume after the automation could not run', () => {
  const LIST = bare(addresses(6));

  async function stoppedRun() {
    const world = await createAutomationWorld(addresses(6), { reentry: 'always' });
    const body = { object: 'enrollment_result', outcome: 'automation_not_active' };
    const match = { route: 'POST /v1/automations/*/enroll' };
    world.emulator.admin.addFault({ kind: 'answer', status: 200, body, when: 'before', match, times: 1 });
    return { world, stopped: await world.enroll(LIST) };
  }

  test('a resume enrolls the person whose response stopped the run (D1)', async () => {
    const { world, stopped } = await stoppedRun();
    const resumed = await world.svc(['runs', 'resume', String(stopped.json.run), '--json']);
    expect([stopped.code, resumed.code, counts(resumed.json.rows)]).toEqual([7, 0, { read: 6, enrolled: 6 }]);
    expect(world.enrolled().toSorted()).toEqual(addresses(6));
  });

  test('enrolls no person again when another run enrolled them meanwhile (M5)', async () => {
    const { world, stopped } = await stoppedRun();
    await world.enroll(bare(addresses(1)));
    await world.clock.advance(25 * 3_600_000);
    const resumed = await world.svc(['runs', 'resume', String(stopped.json.run), '--json']);
    expect(counts(resumed.json.rows)).toEqual({ read: 6, enrolled: 5, automation_not_active: 1 });
    expect(world.enrolled().toSorted()).toEqual(addresses(6));
  });

  test('enrolls a person when the service replays automation_not_active (I1)', async () => {
    const world = await createAutomationWorld(addresses(6), { reentry: 'always' });
    const body = { object: 'enrollment_result', outcome: 'automation_not_active' };
    const headers = { 'idempotency-replayed': 'true' };
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', ...ENROLL, times: 1 });
    world.emulator.admin.addFault({
      kind: 'answer',
      status: 200,
      body,
      headers,
      when: 'before',
      ...ENROLL,
      after: 1,
      times: 1,
    });
    const { code, json } = await world.enroll(LIST);
    expect([code, counts(json.rows)]).toEqual([0, { read: 6, enrolled: 6 }]);
    expect(world.enrolled().toSorted()).toEqual(addresses(6));
  });

  test('says when to resume when all 10 key versions got the same outcome (I1)', async () => {
    const world = await createAutomationWorld(addresses(1), { unusable: true });
    const hints: string[] = [];
    for (let run = 0; run < 11; run += 1) {
      const { err } = await world.enroll(bare(addresses(1)));
      hints.push(JSON.parse(err).error.hint);
    }
    const time = new Date(world.clock.now() + 24 * 3_600_000).toISOString().slice(0, 16);
    expect(hints.slice(0, 10).filter((hint) => !hint.startsWith('Publish it again'))).toEqual([]);
    expect(hints[10]).toMatch(/^The service repeats this for up to 24 hours, .* After [^ ]+: svc runs resume r/);
    expect(hints[10]).toContain(time);
  });
});
