import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/base/os/sqlite.ts';
import {
  createJournal,
  openJournalToRead,
  resumeJournal,
  tryReadRun,
} from '../../../../src/runs/store/open-journal.ts';
import { runFiles } from '../../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../base/thrown.ts';
import { header, intent } from '../samples.ts';

const RUN = 'run_1';
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test('the journal of a run has all its data when it is opened again', () => {
  const state = tempFolder();
  const first = createJournal(state, header(RUN, { destination: undefined, inputs: [] }));
  const { destination, inputs } = header(RUN);
  first.amendHeader({ destination: destination ?? { kind: '', id: '', name: '', createdAt: '' } });
  first.amendHeader({ inputs });
  first.setPhase('contacts');
  first.writeNote('mapping', { columns: ['E-mail'] });
  first.saveReport({ object: 'run_report' });
  first.setStatus('failed', 1, 2_000);
  first.close();

  const again = openJournalToRead(state, RUN);
  expect([again.header, again.state, again.readNote('mapping'), again.readNote('other'), again.readReport()]).toEqual([
    header(RUN),
    { status: 'failed', phase: 'contacts', exitCode: 1, endedAt: 2_000 },
    { columns: ['E-mail'] },
    undefined,
    { object: 'run_report' },
  ]);
  again.close();
});

test('gives a resumed run the status "running"', () => {
  const state = tempFolder();
  const first = createJournal(state, header(RUN));
  first.setStatus('interrupted', 130, 2_000);
  first.close();
  const again = resumeJournal(state, RUN);
  expect(again.state).toEqual({ status: 'running', phase: undefined, exitCode: undefined, endedAt: undefined });
  again.close();
});

test('the journal keeps notes apart from its own fields of the same name', () => {
  const journal = createJournal(tempFolder(), header(RUN));
  journal.writeNote('status', 'mine');
  journal.writeNote('header', null);
  expect([journal.state.status, journal.header, journal.readNote('status'), journal.readNote('header')]).toEqual([
    'running',
    header(RUN),
    'mine',
    null,
  ]);
  journal.close();
});

test('the journal removes a note that is set to undefined', () => {
  const journal = createJournal(tempFolder(), header(RUN));
  journal.writeNote('x', 1);
  journal.writeNote('x', undefined);
  expect(journal.readNote('x')).toBe(undefined);
  journal.close();
});

test('the journal refuses other inputs after the first request (I8)', () => {
  const journal = createJournal(tempFolder(), header(RUN));
  journal.requests.recordIntent(intent('0'));
  const { destination } = header(RUN);
  expect(() => journal.amendHeader({ destination })).toThrow('cannot change once something was sent');
  expect(() => journal.amendHeader({ inputs: [] })).toThrow('cannot change once something was sent');
  journal.amendHeader({ keyFingerprint: 'ffff' });
  expect(journal.header).toEqual(header(RUN, { keyFingerprint: 'ffff' }));
  journal.close();
});

describe('the folder of a run (D6)', () => {
  test('makes the folder of a run private from the start', () => {
    const state = tempFolder();
    const journal = createJournal(state, header(RUN));
    journal.saveReport({});
    const { folder, db, lock, report } = journal.files;
    expect([dirname(folder), folder, db, lock, report].map(modeOf)).toEqual(['700', '700', '600', '600', '600']);
    journal.close();
  });

  test('makes the folder of a run private again when the run is opened', () => {
    const state = tempFolder();
    const journal = createJournal(state, header(RUN));
    journal.close();
    const { folder, db } = journal.files;
    chmodSync(folder, 0o755);
    chmodSync(db, 0o644);
    resumeJournal(state, RUN).close();
    expect([folder, db].map(modeOf)).toEqual(['700', '600']);
  });
});

describe('the journal of a run that cannot be opened', () => {
  test.each([
    ['to write', resumeJournal],
    ['to read', openJournalToRead],
  ])('creates no file when svc opens a run that does not exist, %s', (_, open) => {
    const state = tempFolder();
    expect(thrownBy(() => open(state, RUN))).toEqual({
      exit: 2,
      code: 'run_not_found',
      message: `no run ${RUN} in ${state}`,
      hint: 'svc runs ls',
    });
    expect(existsSync(join(state, 'runs'))).toBe(false);
  });

  test('refuses to open the journal of a run that a newer svc wrote', () => {
    const state = tempFolder();
    const journal = createJournal(state, header(RUN));
    journal.db.exec('PRAGMA user_version = 99');
    journal.close();
    expect(thrownBy(() => resumeJournal(state, RUN))).toEqual({
      exit: 2,
      code: 'newer_run',
      message: `${RUN} was written by a newer svc (journal version 99)`,
      hint: 'Update svc, then run the command again',
    });
  });

  test('reports a run as broken when a kill came before its first commit', () => {
    const state = tempFolder();
    createJournal(state, header('run_2')).close();
    const files = runFiles(state, 'run_2');
    const db = openDatabase(files.db);
    db.exec('PRAGMA user_version = 0');
    db.close();
    expect(thrownBy(() => resumeJournal(state, 'run_2'))).toEqual({
      exit: 2,
      code: 'broken_run',
      message: 'run_2 has no journal. It sent nothing, unless a file of it was deleted',
      hint: 'svc runs delete run_2 --confirm run_2',
    });
  });

  test('the journal leaves no lock when svc refuses to open it', () => {
    const state = tempFolder();
    const journal = createJournal(state, header(RUN));
    journal.db.exec('PRAGMA user_version = 99');
    journal.close();
    const codes = [1, 2].map(() => thrownBy(() => resumeJournal(state, RUN)).code);
    expect(codes).toEqual(['newer_run', 'newer_run']);
  });
});

test('a read of a missing or damaged run returns nothing (I11)', () => {
  const state = tempFolder();
  createJournal(state, header('run_1')).close();
  createJournal(state, header('run_2')).close();
  writeFileSync(
    runFiles(state, 'run_2').db,
    'no database, but long enough to be taken for the header of one'.repeat(9),
  );
  const runs = ['run_1', 'run_2', 'run_3'].map((run) => tryReadRun(state, run, (journal) => journal.header.run));
  expect(runs).toEqual(['run_1', undefined, undefined]);
});
