import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Journal } from '../../../../src/runs/store/journal.ts';
import { createJournal, openJournalToRead, resumeJournal } from '../../../../src/runs/store/open-journal.ts';
import type { RecordedRequest } from '../../../../src/runs/store/recorded-request.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../base/thrown.ts';
import { startChild } from '../fixtures/child.ts';
import { header, intent, response } from '../samples.ts';

const RUN = 'run_1';

describe('a journal whose process is killed (D1, I9)', () => {
  test.each([0, 1, 17, 60])('the journal keeps keys and outcomes when a kill follows request %d', async (last) => {
    const state = tempFolder();
    createJournal(state, header(RUN)).close();
    const child = startChild('send-requests.ts', [state, RUN]);
    await child.saw(`reported ${last}`);
    const printed = await child.kill();

    const journal = openJournalToRead(state, RUN);
    const requests = recordedRequests(journal);
    const reported = namesAfter('reported ', printed);
    expect(namesAfter('begun ', printed).filter((name) => requests[Number(name)]?.key !== `k${name}`)).toEqual([]);
    expect(reported.filter((name) => requests[Number(name)]?.state !== 'done')).toEqual([]);
    // At a kill one request may be in flight, and one may be recorded but not yet reported. No record is incomplete.
    expect(requests.length - reported.length).toBeLessThanOrEqual(2);
    expect(requests.map(({ state: now, response: kept }) => [now, kept?.failures.length])).toEqual(
      requests.map(({ state: now }) => (now === 'done' ? ['done', 2] : ['pending', undefined])),
    );
    journal.close();
  });

  test('resumes at once a run whose process was killed', async () => {
    const state = tempFolder();
    createJournal(state, header(RUN)).close();
    const child = startChild('send-requests.ts', [state, RUN]);
    await child.saw('reported 3');
    await child.kill();
    const journal = resumeJournal(state, RUN);
    expect(journal.header).toEqual(header(RUN));
    journal.close();
  });
});

describe('a journal on a full or read-only disk (D2)', () => {
  const small = canMount() ? test : test.skip;

  small('records no more requests when the disk is full (needs a mount)', () => {
    const state = join(mountSmall(), 'state');
    const journal = createJournal(state, header(RUN));
    writeFileSync(join(state, '..', 'ballast'), Buffer.alloc(200_000));
    const started: string[] = [];
    const { exit, code, message } = thrownBy(() => beginUntilFull(journal, started));
    expect({ exit, code, named: message.includes(journal.files.folder) }).toEqual({
      exit: 1,
      code: 'disk_full',
      named: true,
    });
    expect(namesOf(journal)).toEqual(started);

    rmSync(join(state, '..', 'ballast'));
    journal.requests.recordIntent(intent('after'));
    journal.close();
    const again = openJournalToRead(state, RUN);
    expect(namesOf(again)).toEqual([...started, 'after']);
    again.close();
  });

  small('refuses a resume when the disk is read-only (needs a mount)', () => {
    const folder = mountSmall();
    const state = join(folder, 'state');
    const journal = createJournal(state, header(RUN));
    journal.requests.recordOutcome(journal.requests.recordIntent(intent('0')), 'done', response());
    journal.close();
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const { exit, code } = thrownBy(() => resumeJournal(state, RUN));
    execFileSync('mount', ['-o', 'remount,rw', folder]);
    expect({ exit, code }).toEqual({ exit: 1, code: 'state_unwritable' });
    const again = openJournalToRead(state, RUN);
    expect(namesOf(again)).toEqual(['0']);
    again.close();
  });

  test('the journal keeps a request pending when its outcome cannot be stored', () => {
    const journal = createJournal(tempFolder(), header(RUN));
    const id = journal.requests.recordIntent(intent('0'));
    const pages = Number(journal.db.prepare('PRAGMA page_count').get()?.page_count);
    journal.db.exec(`PRAGMA max_page_count = ${pages}`);
    const failures = Array.from({ length: 1_000 }, (_, line) => ({ source: 0, line, code: 'invalid_email' }));
    expect(thrownBy(() => journal.requests.recordOutcome(id, 'done', response({ failures }))).code).toBe('disk_full');
    const { state, key, response: kept } = journal.requests.find('contacts', '0') ?? {};
    expect({ state, key, kept, failures: [...journal.requests.failures()] }).toEqual({
      state: 'pending',
      key: intent('0').key,
      kept: undefined,
      failures: [],
    });
    journal.close();
  });
});

function namesAfter(word: string, lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
}

/** All requests, in the order of their intents. */
function recordedRequests({ db, requests }: Journal): RecordedRequest[] {
  const names = db.prepare('SELECT name FROM units ORDER BY id').all();
  return names.flatMap(({ name }) => requests.find('contacts', String(name)) ?? []);
}

function namesOf(journal: Journal): string[] {
  return recordedRequests(journal).map(({ name }) => name);
}

function beginUntilFull(journal: Journal, started: string[]): void {
  for (let index = 0; index < 5_000; index++) {
    journal.requests.recordIntent(intent(`${index}`, { key: `${index}.${'x'.repeat(500)}` }));
    started.push(`${index}`);
  }
}

function mountSmall(): string {
  const folder = join(tempFolder(), 'small');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}
