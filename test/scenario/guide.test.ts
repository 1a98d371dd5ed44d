import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { diskFolder, tempFolder } from '../support/temp-folder.ts';
import { createWorld, type World } from '../support/world.ts';
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
  const world = await createWorld({ seed: SEED });
  await runCommands(world, blocks, blocks.flatMap(commandsOf));
});

test('the README shows commands that work', { timeout: 120_000 }, async () => {
  const world = await createWorld({ seed: SEED });
  cpSync(join(ROOT, 'samples/mailchimp-export.zip'), join(world.folder, 'export.zip'));
  world.file('users.csv', 'email,status\nann@example.com,subscribed\n');
  world.file('users.json', '{}');
  const blocks = blocksOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));
  const typed = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('svc ')))
    // Without a terminal, `--yes` confirms.
    .map((line) => line.replace('svc ', 'svc --yes '));
  const nightly = blocks.filter(({ language }) => language === 'cron').flatMap(commandsOf);
  expect([typed.length, nightly.length]).toEqual([5, 1]);
  await runCommands(world, [], [...typed, ...nightly]);
});

test('the emulator accepts the files that its page of the guide shows', { timeout: 60_000 }, async () => {
  const folder = tempFolder();
  writeFiles(folder, blocksOf(readFileSync(join(GUIDE, 'emulator.md'), 'utf8')));
  const files = ['--seed', join(folder, 'seed.json'), '--faults', join(folder, 'faults.json'), '--plan', 'paid'];
  const { env } = await startEmulator(files);
  expect(env.SVC_BASE_URL).toMatch(/^http:/);
});

/** Lines that run together: one plain command of svc, or a script for a shell. */
interface Part {
  readonly isPlain: boolean;
  readonly lines: readonly string[];
}

/**
 * Runs the lines on one account. Each must end with its stated exit code. Plain commands of svc run in this process,
 * which is several times quicker than a program for each. Other lines that follow each other share a shell.
 */
async function runCommands(world: World, blocks: readonly Block[], lines: readonly string[]): Promise<void> {
  const { url, close } = await world.emulator.listen(0);
  onTestFinished(close);
  world.clock.set(Date.now());
  const env = {
    SVC_BASE_URL: url,
    SVC_API_KEY: world.emulator.apiKey,
    SVC_STATE_DIR: join(world.folder, 'state'),
    PATH: `${programFolder()}:${process.env.PATH}`,
    HOME: world.folder,
  };
  writeFiles(world.folder, blocks);
  for (const { isPlain, lines: part } of partsOf(lines)) {
    expect(await (isPlain ? typeHere(world, part[0] ?? '', env) : runInShell(world.folder, part, env))).toBe('');
  }
}

/** Types a command into this process. Returns its output if it ends with another exit code than stated. */
async function typeHere(world: World, line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const words = withoutComment(line).match(/"[^"]*"|\S+/g) ?? [];
  const typed = words.slice(1).map((word) => word.replaceAll('"', ''));
  const { code, out, err } = await world.svc(typed, { env, asTyped: true });
  return code === exitOf(line) ? '' : `${line} ended with ${code}\n${out}\n${err}`;
}

async function runInShell(folder: string, lines: readonly string[], env: Readonly<Record<string, string>>) {
  const shell = promisify(execFile)('bash', ['-c', lines.map(withExitCheck).join('\n')], { cwd: folder, env });
  return shell.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}\n${stderr}`,
  );
}

// A command without a variable, a redirection or a pattern of file names.
const PLAIN = /^svc [^$<>|&;()'\\*~]+$/;

// With `--emulator` a command brings a service of its own, which needs a program of its own.
function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    const isPlain = PLAIN.test(withoutComment(line)) && !line.includes(' --emulator');
    const last = parts.at(-1);
    if (!isPlain && last?.isPlain === false) {
      parts[parts.length - 1] = { isPlain, lines: [...last.lines, line] };
    } else {
      parts.push({ isPlain, lines: [line] });
    }
  }
  return parts;
}

const withoutComment = (line: string) => line.replace(/\s+# .*$/, '');

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

/** The stated exit code: that of `# exit <code>`, or 0. */
const exitOf = (line: string) => Number(/# exit (\d+)$/.exec(line)?.[1] ?? 0);

/** The line with a check of its exit code. A failure prints the line. */
function withExitCheck(line: string): string {
  const shown = JSON.stringify(line.split('\n')[0]).replaceAll('$', '\\$').replaceAll('`', '\\`');
  return `${line}\ncode=$?; if [ $code -ne ${exitOf(line)} ]; then echo ${shown} ended with $code; exit 1; fi`;
}

/** Writes the samples, and the files of the blocks. */
function writeFiles(folder: string, blocks: readonly Block[]): void {
  for (const { file, text } of blocks) {
    if (file !== undefined) {
      writeFileSync(join(folder, file), text);
    }
  }
  cpSync(join(ROOT, 'samples'), join(folder, 'samples'), { recursive: true });
}

/** A folder with the installed program. */
function programFolder(): string {
  const folder = diskFolder();
  const program = join(folder, 'svc');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/svc.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}
