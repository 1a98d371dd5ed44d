import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { people } from '../support/lists.ts';
import { startProgram } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { start, startEmulator } from './program.ts';

/** The number of contacts in the audience. The service stores one contact for each address. */
async function contactsIn({ url, key, audience }: Awaited<ReturnType<typeof startEmulator>>): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/audiences/${audience}`, { headers });
  return ((await answer.json()) as { contact_counts: { total: number } }).contact_counts.total;
}

/** True once the only run has recorded a request, as it does before it sends the first byte. */
function hasRecordedRequest(stateFolder: string): boolean {
  const [name] = globSync('runs/*/run.db', { cwd: stateFolder });
  if (name === undefined) {
    return false;
  }
  const db = new DatabaseSync(join(stateFolder, name), { readOnly: true });
  try {
    return db.prepare('SELECT 1 FROM units').get() !== undefined;
  } catch {
    // The tables are not there yet.
    return false;
  } finally {
    db.close();
  }
}

/** Stops a migration of this many people by a signal while its third batch is in flight, and resumes it. */
async function stopAndResume(signal: 'SIGKILL' | 'SIGINT' | 'SIGHUP' | 'SIGTERM', count: number): Promise<void> {
  const folder = tempFolder();
  const list = join(folder, 'list.csv');
  writeFileSync(list, people(count));
  const slow = join(folder, 'faults.json');
  writeFileSync(
    slow,
    JSON.stringify({
      rules: [
        {
          kind: 'slow',
          ms: 2_500,
          when: 'before',
          match: { route: 'POST /v1/audiences/*/contacts/batch' },
          // The signal comes while this request is in flight.
          after: 3,
          times: 1,
        },
      ],
    }),
  );
  const emulator = await startEmulator(['--rate-limit', '0', '--faults', slow]);
  const env = { ...emulator.env, SVC_STATE_DIR: join(folder, 'state') };

  const run = start(['migrate', list, '--json', '--yes', '--plan', 'paid', '--concurrency', '1', '-v'], env);
  // The first POST request holds the first people of the run, the canary.
  await new Promise<void>((resolve) => {
    let log = '';
    run.child.stderr?.on('data', (data: Buffer) => {
      log += String(data);
      if (log.split('/contacts/batch').length > 3) {
        resolve();
      }
    });
  });
  run.child.kill(signal);
  const ended = await run.exit;
  expect(signal === 'SIGKILL' ? ended.signal : ended.code).toBe(
    { SIGKILL: 'SIGKILL', SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal],
  );
  const between = await contactsIn(emulator);
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(count);

  const resumed = await start(['runs', 'resume', '--json'], env).exit;
  expect({ code: resumed.code, err: resumed.err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(resumed.out).rows).toMatchObject({ read: count, created: count, unsent: 0, unknown: 0 });
  expect(await contactsIn(emulator)).toBe(count);
}

describe('the built program', () => {
  test('prints the version, and reports an unknown flag as a usage error in JSON', async () => {
    expect((await start(['--version']).exit).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const wrong = await start(['migrate', '--nonsense', '--json']).exit;
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.err).error).toMatchObject({ code: 'usage', exit_code: 2 });
  });

  test('stderr has only the JSON error when NO_COLOR and FORCE_COLOR are set', async () => {
    const { env } = await startEmulator();
    const stranger = { ...env, SVC_API_KEY: 'svc_live_example', NO_COLOR: '1', FORCE_COLOR: '1' };
    const refused = await start(['audiences', 'ls', '--json'], stranger).exit;
    expect([refused.code, JSON.parse(refused.err).error.exit_code]).toEqual([4, 4]);
  });

  // Each of them waits for a slow response, so they wait at the same time. A worker thread reads the longest list.
  test('a run ends the same after a signal or SIGKILL and a resume (D1, D4)', { timeout: 60_000 }, async () => {
    const ends = [
      ['SIGTERM', 52_000],
      ['SIGKILL', 3_500],
      ['SIGINT', 3_500],
      ['SIGHUP', 3_500],
    ] as const;
    await Promise.all(ends.map(([signal, count]) => stopAndResume(signal, count)));
  });

  test.each([
    ['migrate', 'list.csv', '--yes'],
    ['runs', 'resume'],
  ])('a second signal in %s prints how to continue (D1, D4)', async (...words) => {
    const folder = tempFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, people(20));
    // No response comes before the second signal.
    const slow = join(folder, 'faults.json');
    const match = { route: 'POST /v1/audiences/*/contacts/batch' };
    writeFileSync(slow, JSON.stringify({ rules: [{ kind: 'slow', ms: 20_000, when: 'before', match }] }));
    const emulator = await startEmulator(['--rate-limit', '0', '--faults', slow]);
    const env = { ...emulator.env, SVC_STATE_DIR: join(folder, 'state') };
    const interruptTwice = async (line: readonly string[], isBegun: (log: string) => boolean) => {
      const run = start(line, env);
      let log = '';
      run.child.stderr.on('data', (data: Buffer) => {
        log += String(data);
      });
      await expect.poll(() => isBegun(log), { timeout: 20_000 }).toBe(true);
      run.child.kill('SIGINT');
      run.child.kill('SIGTERM');
      return run.exit;
    };
    const first = await interruptTwice(['migrate', list, '--yes'], () => hasRecordedRequest(env.SVC_STATE_DIR));
    // A resume opens its run after the first request, and reads the account then.
    const resume = () => interruptTwice([...words, '-v'], (log) => log.split('GET /v1/').length > 3);
    const ended = words[0] === 'migrate' ? first : await resume();
    expect([130, 143]).toContain(ended.code);
    // If nothing is in flight yet, a resume ends at the first signal, and prints its result.
    const begin = words[0] === 'migrate' ? 'To continue' : '(?:To continue|Next)';
    const line = new RegExp(`^ *${begin}: (?:npx )?svc runs resume run_\\w+$`);
    expect(ended.err.trimEnd().split('\n').at(-1)).toMatch(line);
  });

  // A script repeats a command that ends as interrupted, and `emails send` would send its message again.
  test.each([
    'contacts import list.csv --yes --json',
    'emails send --from us@example.com --to a@example.com --subject Hi --text Hi --yes',
  ])('a finished command ends with 0 when a signal follows its output: %s (D4)', async (line) => {
    const ends = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(async (signal) => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'list.csv'), people(20));
      const emulator = await startEmulator();
      const env = { ...emulator.env, SVC_STATE_DIR: join(folder, 'state') };
      const run = start(line.replace('list.csv', join(folder, 'list.csv')).split(' '), env);
      run.child.stdout.once('data', () => run.child.kill(signal));
      const { code, err } = await run.exit;
      return { signal, code, err };
    });
    expect(await Promise.all(ends)).toEqual(
      ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => ({ signal, code: 0, err: '' })),
    );
  });

  // `svc migrate … 2>&1 | head -1`. With -v the program prints a line for each request.
  test('the program writes all contacts when its output is closed early (D3)', async () => {
    const folder = tempFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, people(20));
    const emulator = await startEmulator();
    const env = { ...emulator.env, SVC_STATE_DIR: join(folder, 'state') };
    const run = start(['migrate', list, '--yes', '-v'], env);
    run.child.stdout.destroy();
    run.child.stderr.destroy();
    expect((await run.exit).code).toBe(0);
    expect(await contactsIn(emulator)).toBe(20);
    expect(JSON.parse((await start(['runs', 'ls', '--json'], env).exit).out)).toMatchObject([{ status: 'completed' }]);
  });

  test
    .runIf(existsSync('/dev/full'))
    .each([
      '--version',
      'runs --version',
      '--help',
      'help',
      'help mapping',
      'help exit-codes',
      'migrate --help',
      'runs resume -h',
      'completion bash',
    ])('svc %s fails when the disk of its stdout is full (D2)', async (line) => {
    const under = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const { code, err } = await startProgram(line.split(' '), {}, { under }).exit;
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^svc: the output could not be written: ENOSPC.*\n {2}The /),
    ]);
  });

  test.each(['--version', '--help'])('svc %s ends with 0 when its stdout is closed (D3)', async (line) => {
    const program = start([line]);
    program.child.stdout.destroy();
    expect(await program.exit).toMatchObject({ code: 0, err: '' });
  });

  test.runIf(existsSync('/dev/full'))('the program fails when the disk of its stdout is full (D2)', async () => {
    const folder = tempFolder();
    const under = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const { code, out, err } = await startProgram(['runs', 'ls', '--json', '--state-dir', folder], {}, { under }).exit;
    expect([code, out, JSON.parse(err).error.code]).toEqual([1, '', 'output_lost']);
  });

  test('the program stops reading a list when its stdout is closed (D3)', async () => {
    const folder = tempFolder();
    const seed = join(folder, 'seed.json');
    const contacts = Array.from({ length: 4_000 }, (_, index) => ({ email: `p${index}@example.com` }));
    writeFileSync(seed, JSON.stringify({ contacts }));
    const { env, url, key } = await startEmulator(['--seed', seed]);
    const list = start(['contacts', 'ls', '--state-dir', join(folder, 'state')], env);
    await list.firstLine;
    list.child.stdout.destroy();
    expect((await list.exit).code).toBe(0);
    const response = await fetch(`${url}/_emulator/requests`, { headers: { authorization: `Bearer ${key}` } });
    const pages = JSON.stringify(await response.json()).match(/contacts\?/g) ?? [];
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.length).toBeLessThan(20);
  });
});
