import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

// The built program starts several times quicker than its source.
const MAIN = resolve('bin/svc.js');
const hasTerminals = spawnSync('script', ['--version']).status === 0;
const running: ChildProcessWithoutNullStreams[] = [];
const folder = mkdtempSync(join(tmpdir(), 'svc-bash-'));

afterEach(() => {
  running.splice(0).forEach((child) => child.kill('SIGKILL'));
  // The shell ends shortly after its terminal, and may still write files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

test.skipIf(!hasTerminals)('completes commands and ids with Tab in a real bash', async () => {
  const service = start(process.execPath, [MAIN, 'emulator', 'start', '--port', '0', '--json']);
  const { url, api_key, audience_id } = JSON.parse(await service.until(/^\{.*\}\s/));
  const bash = start('script', ['-qfc', 'bash --norc --noprofile -i', '/dev/null'], {
    SVC_API_KEY: api_key,
    SVC_API_KEY_ORIGIN: url,
  });
  bash.type(
    `svc() { '${process.execPath}' '${MAIN}' "$@"; }; source <(svc completion bash); bind 'set bell-style none'\n`,
  );
  bash.type('PS1=; echo rea""dy\n');
  await bash.until(/ready/);

  bash.type('echo one; svc webho\t');
  await bash.until(/svc webhooks /);
  bash.type('\u0015');
  bash.type(`svc audiences get --base-url ${url} aud\t`);
  await bash.until(new RegExp(`${audience_id} `));
  bash.type('\n');
  expect(await bash.until(/contact_counts\.total/)).toContain(audience_id);
});

interface BashSession {
  type(text: string): void;
  /** Returns the output since the last call, once it matches. */
  until(shape: RegExp): Promise<string>;
}

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): BashSession {
  const { PATH = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, HOME: folder, HISTFILE: '', TERM: 'dumb', COLUMNS: '200', ...env },
  });
  running.push(child);
  let printed = '';
  let show: () => void = () => undefined;
  child.stdout.on('data', (part: Buffer) => {
    printed += part.toString('utf8');
    show();
  });
  return {
    type: (text) => child.stdin.write(text),
    until: (shape) =>
      new Promise((done) => {
        show = () => {
          if (shape.test(printed)) {
            const text = printed;
            printed = '';
            done(text);
          }
        };
        show();
      }),
  };
}
