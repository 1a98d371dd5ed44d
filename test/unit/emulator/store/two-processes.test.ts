import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../../src/emulator/emulator.ts';
import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { takeDueJob } from '../../../../src/emulator/store/jobs.ts';
import { openStore } from '../../../../src/emulator/store/store.ts';
import { createHex } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** Two emulators on one data folder, as two processes have them. They share a clock. */
async function openTwo(options: { readonly variants?: Readonly<Record<string, string>> } = {}) {
  const folder = tempFolder();
  const clock = createManualClock();
  const open = (seed: string) => createEmulator({ dataDir: folder, clock, randomHex: createHex(seed), ...options });
  const [one, two] = [await open('one'), await open('two')];
  onTestFinished(async () => {
    await one.close();
    await two.close();
  });
  return { folder, clock, one, two };
}

/**
 * Runs `work` once, right before any connection begins its next transaction, or runs an SQL text that begins with
 * `sqlStart`.
 */
function beforeNextWrite(work: () => void, sqlStart = 'begin immediate'): void {
  const { exec } = DatabaseSync.prototype;
  const { run } = StatementSync.prototype;
  const restore = () => {
    DatabaseSync.prototype.exec = exec;
    StatementSync.prototype.run = run;
  };
  const workFirst = (sql: string) => {
    if (sql.startsWith('begin immediate') || sql.startsWith(sqlStart)) {
      restore();
      work();
    }
  };
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    workFirst(sql);
    exec.call(this, sql);
  };
  StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
    workFirst(this.sourceSQL);
    return Reflect.apply(run, this, values);
  };
  onTestFinished(restore);
}

function post(emulator: Emulator, body: object, path = '/v1/audiences') {
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  };
  return emulator.handle({ method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) });
}

const LONG = 'x'.repeat(200);

describe('two emulators on one data folder', () => {
  test.each<{ title: string; faults: FaultRule[]; second?: string; status: number; replayed: boolean }>([
    { title: 'it runs at once', faults: [], status: 201, replayed: true },
    { title: 'a fault holds its key', faults: [{ kind: 'slow', ms: 0, when: 'claimed' }], status: 201, replayed: true },
    { title: 'a fault ends it', faults: [{ kind: 'lost_claim', effect: true }], status: 201, replayed: true },
    { title: 'it has another body', faults: [], second: 'Others', status: 409, replayed: false },
  ])(
    'runs only the first of two requests with one key when $title (I11)',
    async ({ faults, second, status, replayed }) => {
      const { one, two } = await openTwo();
      faults.forEach((fault) => {
        one.admin.addFault(fault);
      });
      const before = one.admin.audiences().length;
      let first: ReturnType<typeof post> | undefined;
      beforeNextWrite(() => {
        first = post(two, { name: 'Readers' });
      });
      const response = await post(one, { name: second ?? 'Readers' });
      expect((await first)?.status).toBe(201);
      expect([response.status, response.headers['idempotency-replayed']]).toEqual([
        status,
        replayed ? 'true' : undefined,
      ]);
      expect(one.admin.audiences().map(({ name }) => name)).toEqual(['Readers', 'Newsletter']);
      expect(one.admin.audiences()).toHaveLength(before + 1);
      // The stored response stays that of the request that ran.
      const again = await post(two, { name: 'Readers' });
      expect([again.status, again.body.toString()]).toEqual([201, (await first)?.body.toString()]);
    },
  );

  test.each(['yes', 'no'])(
    'a later refusal replaces no stored response, stored_errors=%s (I11)',
    async (stored_errors) => {
      const { one, two } = await openTwo({ variants: { stored_errors } });
      const batch = { name: LONG };
      let first: ReturnType<typeof post> | undefined;
      // The refused action ends its transaction. The next one records the refusal.
      beforeNextWrite(() =>
        beforeNextWrite(() => {
          first = post(two, { name: 'Readers' });
        }),
      );
      const refused = await post(one, batch);
      expect([(await first)?.status, refused.status]).toEqual([201, 409]);
      expect((await post(two, { name: 'Readers' })).headers['idempotency-replayed']).toBe('true');
    },
  );

  test('leaves a step of a message to the process that took it first (I11)', async () => {
    const { folder, clock, one } = await openTwo();
    const other = openStore(folder);
    onTestFinished(() => other.close());
    const mail = { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' };
    const { id } = JSON.parse((await post(one, mail, '/v1/emails')).body.toString());
    let taken = 0;
    beforeNextWrite(() => {
      taken += takeDueJob(other, clock.now() + 1_000) === undefined ? 0 : 1;
    }, 'delete from jobs');
    await one.admin.advance(1_000);
    const headers = { authorization: `Bearer ${one.apiKey}` };
    const shown = await one.handle({ method: 'GET', path: `/v1/emails/${id}`, headers, body: Buffer.alloc(0) });
    expect([taken, JSON.parse(shown.body.toString()).status]).toEqual([1, 'queued']);
  });
});
