import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT, SvcError } from '../../../../src/base/lib/errors.ts';
import { reportText } from '../../../../src/render/report/full-report.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import type { RowCounts } from '../../../../src/run-lifecycle/data/run-report.ts';
import { assembleReport, type RunEnd } from '../../../../src/run-lifecycle/end/assemble-report.ts';
import { people } from '../../../support/lists.ts';
import { stepOf } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { sampleReport } from '../../render/sample.ts';

const EMPTY_LIST = { domains: [], other_domains: 0, signed_up: {}, opted_out: {} };
const OUTCOMES = Object.keys(sampleReport.rows).filter((name) => name !== 'read');

/** The ending of a run with these counts. Without `more` it had no other problem. */
function endingOf(rows: RowCounts, more: Partial<RunEnd> = {}): RunEnd {
  return {
    ...{
      run: 'run_1',
      folder: '/state/runs/run_1',
      resumed: false,
      phase: 'contacts',
      origin: 'https://a.example.com',
    },
    ...{ options: { command: 'migrate', dryRun: false }, audience: undefined, rows, rowsReplayed: 0, skipped: {} },
    ...{
      survey: { inputs: [], preview: [], list: EMPTY_LIST },
      timeline: { started_at: '2026-03-01T10:00:00.000Z', ended_at: '2026-03-01T10:00:09.000Z', sent: [], waits: [] },
      plan: sampleReport.plan,
      findings: [],
      files: {},
      next: [],
    },
    ...{ requests: sampleReport.requests, verification: { status: 'passed', checks: [] }, problem: undefined },
    ...more,
  };
}

const count = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.nat(5_000) },
  { weight: 1, arbitrary: fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY, 0.5) },
);
const anyRows = fc
  .tuple(fc.tuple(...OUTCOMES.map(() => count)), fc.option(fc.integer({ min: -3, max: 3 })))
  .map(([counts, off]) => {
    const sum = counts.reduce((total, each) => total + each, 0);
    const outcomes = Object.fromEntries(OUTCOMES.map((name, at) => [name, counts[at]]));
    return { read: sum + (off ?? 0), ...outcomes } as unknown as RowCounts;
  });
const anyProblem = fc.option(
  fc.constantFrom(...[EXIT.failed, EXIT.stopped, EXIT.auth, EXIT.later, EXIT.interrupted, EXIT.refused]),
  { nil: undefined },
);

describe('the report of a run', () => {
  test('a report says "completed" only when every row has a good outcome (L5)', () => {
    fc.assert(
      fc.property(anyRows, anyProblem, fc.boolean(), (rows, exit, dryRun) => {
        const problem = exit && new SvcError(exit, 'some_problem', 'x');
        const report = assembleReport(endingOf(rows, { problem, options: { command: 'migrate', dryRun } }));
        const { read, ...outcomes } = rows;
        const counts = Object.values(outcomes);
        const whole = counts.every((n) => Number.isInteger(n) && n >= 0) && counts.reduce((a, b) => a + b, 0) === read;
        if (!whole) {
          expect({ status: report.status, exit: report.exit_code }).toEqual({ status: 'bug', exit: 70 });
          expect(report.error).toMatchObject({ code: 'books', message: expect.stringContaining('run_1') });
          expect(report.error?.hint).toContain('/state/runs/run_1');
          const impossible = Object.entries(rows).filter(([, n]) => !Number.isInteger(n) || n < 0);
          const named = report.error?.message.matchAll(/, (\w+) is ([\w.-]+)/g) ?? [];
          expect([...named].map(([, name, n]) => [name, n])).toEqual(impossible.map(([name, n]) => [name, String(n)]));
        } else if (exit) {
          expect(report.exit_code).toBe(exit);
        } else if (rows.unsent > 0 && !dryRun) {
          expect(report).toMatchObject({ status: 'failed', exit_code: 1, error: { code: 'rows_unsent' } });
        }
        const clean = whole && !exit && (dryRun || rows.unsent + rows.rejected + rows.failed + rows.unknown === 0);
        expect(report.exit_code === 0).toBe(clean);
        expect(report.status === 'completed').toBe(clean && !dryRun);
        const isAccounted = reportText(report, createStyle(false, 100)).includes('Every row is accounted for');
        expect(isAccounted).toBe(clean && !dryRun && read > 0);
      }),
      { numRuns: 2_000 / stepOf(4) },
    );
  });

  /** Changes the recorded responses in the journal of the only run. */
  function falsify(world: World, change: (created: number) => number): void {
    const runs = join(world.folder, 'state', 'svc', 'runs');
    const db = new DatabaseSync(join(runs, readdirSync(runs)[0]!, 'run.db'));
    const rows = db.prepare("SELECT id, answer FROM units WHERE state = 'done' AND kind = 'contacts'").all();
    for (const { id, answer } of rows) {
      const kept = JSON.parse(String(answer));
      db.prepare('UPDATE units SET answer = ? WHERE id = ?').run(
        JSON.stringify({ ...kept, created: change(kept.created) }),
        id!,
      );
    }
    db.close();
  }

  test.each([
    ['more rows than were read', (created: number) => created + 7, 70, 'books'],
    ['fewer rows than were sent', (created: number) => created - 7, 1, 'rows_unsent'],
  ])('a report does not say "completed" when the journal counts %s (L5)', async (_, change, exit, code) => {
    const world = await createWorld();
    const stop = new AbortController();
    const list = world.file('list.csv', people(1_500));
    const cut = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--concurrency', '1'], {
      signal: stop.signal,
      transport: (inner) => ({
        close: () => inner.close(),
        send: (request, signal) => {
          if (request.url.pathname.endsWith('/contacts/batch')) {
            stop.abort();
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect(cut.code).toBe(130);
    falsify(world, change);

    const { code: ended, json, err } = await world.svc(['runs', 'resume', '--json']);

    expect({ ended, code: json.error.code, exit: json.exit_code }).toEqual({ ended: exit, code, exit });
    expect(JSON.parse(err).error).toMatchObject({ code, exit_code: exit });
    const folder = join(world.folder, 'state', 'svc', 'runs', json.run);
    const hint = code === 'books' ? `This is a bug in svc. The records of the run are in ${folder}` : undefined;
    expect(json.error.hint).toBe(hint);
    expect(['bug', 'failed']).toContain(json.status);
    const shown = await world.svc(['runs', 'show', json.run]);
    expect(shown.out).not.toContain('accounted for');
  });
});
