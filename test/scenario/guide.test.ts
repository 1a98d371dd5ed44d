import { execFile, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/base/lib/clock.ts';
import { createEmulator, type EmulatorOptions } from '../../src/emulator/emulator.ts';
import { diskFolder, tempFolder } from '../support/temp-folder.ts';
import { createWorld } from '../support/world.ts';
import { startEmulator } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/guide');

/** A fenced block of a page: its language, its text, and the file that it shows. */
interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** The account that the pages assume: an automation, besides the audience that each account has. */
const SEED: EmulatorOptions['seed'] = {
  account: { plan: 'paid' },
  automations: [{ name: 'Welcome', status: 'active', trigger: 'api' }],
};

/** The pages that show commands, with the blocks of code of each. */
const pages = readdirSync(GUIDE)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, blocksOf(readFileSync(join(GUIDE, name), 'utf8'))] as const)
  .filter(([, blocks]) => blocks.flatMap(commandsOf).length > 0);

test.each(pages)('the page %s shows commands that work', { timeout: 120_000 }, async (_, blocks) => {
  await runCommands(workFolder(blocks), blocks.flatMap(commandsOf));
});

test('the README shows commands that work', { timeout: 120_000 }, async () => {
  const folder = workFolder();
  cpSync(join(ROOT, 'samples/mailchimp-export.zip'), join(folder, 'export.zip'));
  writeFileSync(join(folder, 'users.csv'), 'email,status\nann@example.com,subscribed\n');
  writeFileSync(join(folder, 'users.json'), '{}');
  const blocks = blocksOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));
  const typed = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('svc ')))
    // Without a terminal, `--yes` confirms.
    .map((line) => line.replace('svc ', 'svc --yes '));
  const nightly = blocks.filter(({ language }) => language === 'cron').flatMap(commandsOf);
  expect([typed.length, nightly.length]).toEqual([5, 1]);
  await runCommands(folder, [...typed, ...nightly]);
});

test('the emulator accepts the files that its page of the guide shows', { timeout: 60_000 }, async () => {
  const folder = workFolder(blocksOf(readFileSync(join(GUIDE, 'emulator.md'), 'utf8')));
  const files = ['--seed', join(folder, 'seed.json'), '--faults', join(folder, 'faults.json'), '--plan', 'paid'];
  const { env } = await startEmulator(files);
  expect(env.SVC_BASE_URL).toMatch(/^http:/);
});

/** Runs the lines in one shell, with an account of their own. Each must end with its stated exit code. */
async function runCommands(folder: string, lines: readonly string[]): Promise<void> {
  const env = {
    ...(await serveAccount()),
    PATH: `${folder}/bin:${process.env.PATH}`,
    HOME: folder,
    SVC_STATE_DIR: join(tempFolder(), 'state'),
  };
  const shell = promisify(execFile)('bash', ['-c', lines.map(withExitCheck).join('\n')], { cwd: folder, env });
  const failed = await shell.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}\n${stderr}`,
  );
  expect(failed).toBe('');
}

/** Serves the account in this process, which is quicker than a program for each page. Returns its address and key. */
async function serveAccount(): Promise<Record<string, string>> {
  const randomHex = (length: number) => randomBytes(length).toString('hex').slice(0, length);
  const emulator = await createEmulator({ clock: createSystemClock(), randomHex, seed: SEED });
  const { url, close } = await emulator.listen(0);
  onTestFinished(async () => {
    await close();
    await emulator.close();
  });
  return { SVC_BASE_URL: url, SVC_API_KEY: emulator.apiKey };
}

describe('the example code of the guide that verifies a signature', () => {
  const blocks = blocksOf(readFileSync(join(GUIDE, 'webhooks.md'), 'utf8'));
  const body = '{"id":"evt_1"}';
  const signed = (time: number | string) => createHmac('sha256', 'whsec_1').update(`${time}.${body}`).digest('hex');

  test.each([
    ['one of two signatures', 0, (now: number) => `t=${now},v1=${'0'.repeat(64)},v1=${signed(now)}`],
    ['a signature in capitals', 0, (now: number) => `t=${now},v1=${signed(now).toUpperCase()}`],
    ['a signature with another secret', 3, (now: number) => `t=${now},v1=${'0'.repeat(64)}`],
    ['another time than was signed', 3, (now: number) => `t=${now - 1},v1=${signed(now)}`],
    ['an old time', 3, (now: number) => `t=${now - 4_000},v1=${signed(now - 4_000)}`],
    ['a time in the future', 3, (now: number) => `t=${now + 4_000},v1=${signed(now + 4_000)}`],
    ['half a signature', 3, (now: number) => `t=${now},v1=${signed(now).slice(0, 32)}`],
    ['letters that are not hexadecimal', 3, (now: number) => `t=${now},v1=${'ä'.repeat(64)}`],
    ['no time', 3, () => `v1=${signed('')}`],
    ['an empty header', 3, () => ''],
  ])(
    'example code accepts or refuses a signature as svc does: %s (W4)',
    { timeout: 60_000 },
    async (_, wanted, headerAt) => {
      const now = Math.floor(Date.now() / 1000);
      const header = headerAt(now);
      const world = await createWorld();
      const { folder } = world;
      blocks.forEach(({ file, text }) => file !== undefined && world.file(file, text));
      writeFileSync(join(folder, 'secret.txt'), 'whsec_1\n', { mode: 0o600 });
      world.clock.set(now * 1000);
      const words = ['webhooks', 'verify', '--secret-file', 'secret.txt', '--payload', '-', `--signature=${header}`];
      const { code } = await world.svc(words, { stdin: body });
      const codes = [
        ['node', 'verify.mjs'],
        ['python3', 'verify.py'],
      ].map(([command = '', script = '']) => spawnSync(command, [script, header], { cwd: folder, input: body }).status);
      expect([code, ...codes]).toEqual([wanted, wanted, wanted]);
    },
  );
});

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)(?: name=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', file, text = '']) => ({
      language,
      file,
      text,
    }),
  );
}

/** The commands of a block: shell commands, and those that cron, systemd or a workflow starts. */
function commandsOf({ language, text }: Block): string[] {
  switch (language) {
    case 'sh':
      return logicalLines(text);
    case 'cron':
      return text
        .trim()
        .split('\n')
        .map((line) => nightly(line.split(' ').slice(5).join(' ')));
    case 'ini':
      return [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = '']) => nightly(line));
    case 'yaml':
      return [...text.matchAll(/- run: (.*)$/gm)].map(([, line = '']) => nightly(line));
    default:
      return [];
  }
}

/** A line for a server, with files and account of the test. */
function nightly(line: string): string {
  return line.replaceAll('/srv/', '').replace(/SVC_\w+=\S+ /g, '');
}

/** The commands of a script. A backslash at the end of a line, or an open quote, joins the next line. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    const quotes = open.split("'").length - 1;
    if (!open.endsWith('\\') && quotes % 2 === 0) {
      lines.push(open);
      open = '';
    }
  }
  return lines;
}

/** The line with a check of its exit code: that of `# exit <code>`, or 0. A failure prints the line. */
function withExitCheck(line: string): string {
  const wanted = /# exit (\d+)$/.exec(line)?.[1] ?? '0';
  const shown = JSON.stringify(line.split('\n')[0]).replaceAll('$', '\\$').replaceAll('`', '\\`');
  return `${line}\ncode=$?; if [ $code -ne ${wanted} ]; then echo ${shown} ended with $code; exit 1; fi`;
}

/** A folder with the samples, the files of the blocks, and the installed program. */
function workFolder(blocks: readonly Block[] = []): string {
  const folder = diskFolder();
  for (const { file, text } of blocks) {
    if (file !== undefined) {
      writeFileSync(join(folder, file), text);
    }
  }
  cpSync(join(ROOT, 'samples'), join(folder, 'samples'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/svc');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/svc.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}
