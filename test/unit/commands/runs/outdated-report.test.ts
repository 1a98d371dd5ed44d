import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { runFiles } from '../../../../src/runs/store/state-folder.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { ageRuns } from '../../../support/node/age-runs.ts';
import { failCalls } from '../../../support/node/failing-calls.ts';
import { stepOf } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';

const COMMANDS = [
  ['migrate', 'migrate list.csv --plan paid --json'],
  ['suppressions import', 'suppressions import list.csv --reason unsubscribed --json'],
  ['automations enroll', 'automations enroll {aut} list.csv --concurrency 1 --json'],
] as const;

/** A run that Ctrl-C stopped after its first request that writes. Its report says so. */
async function createStopped(line: string) {
  const world = await createWorld({ plan: 'paid' });
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: 8 }, (_, index) => ({ email: `person${index}@example.com` })));
  world.file('list.csv', people(8));
  const typed = line.replace('{aut}', admin.createAutomation());
  const { json } = await world.svc(typed, stoppedAfterPost(1, createInterruption('SIGINT')));
  expect(json.status).toBe('interrupted');
  ageRuns(join(world.folder, 'state', 'svc'));
  return { world, run: json.run as string, line: typed };
}

/** What `runs ls` and `runs show` say about a run. */
async function shown(world: World, run: string, env: Readonly<Record<string, string>> = {}) {
  const [listed] = (await world.svc('runs ls --json', { env })).json;
  const { json } = await world.svc(`runs show ${run} --json`, { env });
  const text = (await world.svc(`runs show ${run}`, { env })).out;
  const page = await world.svc(`runs show ${run} --html page.html`, { env });
  return { status: listed.status, json, text, page: page.code };
}

describe('runs show of a run with an outdated report', () => {
  test.each(COMMANDS)('runs show says what %s did so far, in a resume and after a kill (D1)', async (_, line) => {
    const { world, run } = await createStopped(line);
    expect((await shown(world, run)).json.object).toBe('run_report');
    const [state, copy] = [join(world.folder, 'state'), join(world.folder, 'copy')];
    const found: Awaited<ReturnType<typeof shown>>[] = [];
    await world.svc(`runs resume ${run} --json`, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (found.length === 0 && (request.method === 'POST' || line.startsWith('suppressions'))) {
            cpSync(state, copy, { recursive: true });
            found.push(await shown(world, run));
          }
          return inner.send(request, signal);
        },
      }),
    });
    const killed = await shown(world, run, { XDG_STATE_HOME: copy });
    expect([found[0]?.status, killed.status]).toEqual(['running', 'unfinished']);
    for (const { json, status, text, page } of [...found, killed]) {
      expect([json.object, json.status, page]).toEqual(['run', status, 2]);
      expect(text).toMatch(status === 'running' ? /^.*\nIt is running now\./ : /^.*\nNot finished: svc was killed\./);
    }
  });

  test.each(COMMANDS)('shows no report of %s when its final status was not stored (D2, D9)', async (_, line) => {
    const counted = await createStopped(line);
    const calls = failCalls({ at: Number.POSITIVE_INFINITY, code: 'ENOSPC', within: folderOf(counted) });
    await counted.world.svc(`runs resume ${counted.run} --json`);
    calls.restore();
    let outdated = 0;
    // The five calls that record the status are among these.
    for (let at = calls.count - 31; at > calls.count - 46; at -= stepOf(4)) {
      const { world, run } = await createStopped(line);
      const failing = failCalls({ at, code: 'ENOSPC', within: folderOf({ world, run }) });
      await world.svc(`runs resume ${run} --json`);
      failing.restore();
      const status = (await world.svc('runs ls --json')).json[0].status;
      const { json } = await world.svc(`runs show ${run} --json`);
      const isEnded = status !== 'running' && status !== 'unfinished';
      expect([json.object, json.status], failing.failed).toEqual([isEnded ? 'run_report' : 'run', status]);
      outdated += !isEnded && existsSync(runFiles(join(world.folder, 'state', 'svc'), run).report) ? 1 : 0;
    }
    expect(outdated).toBeGreaterThan(0);
  });
});

function folderOf({ world, run }: { readonly world: World; readonly run: string }): string {
  return join(world.folder, 'state', 'svc', 'runs', run);
}
