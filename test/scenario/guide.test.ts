import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { startEmulator } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/guide');

/** A fenced block of a page: its language, the file that it shows, if any, and its text. */
interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** An account as the pages expect it: a flow, beside the audience that every account has. */
const SEED = {
  account: { plan: 'paid' },
  automations: [{ name: 'Welcome', status: 'active', trigger: 'api' }],
};

const pages = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));

describe.each(pages)('the page %s', (name) => {
  const blocks = blocksOf(readFileSync(join(GUIDE, name), 'utf8'));

  test('gives commands that work as they stand', { timeout: 120_000 }, async () => {
    const folder = workFolder();
    const seed = join(folder, 'account.json');
    writeFileSync(seed, JSON.stringify(SEED));
    const { env } = await startEmulator(['--seed', seed]);
    for (const { file, text } of blocks.filter((block) => block.file !== undefined)) {
      writeFileSync(join(folder, file as string), text);
    }
    const script = blocks
      .flatMap((block) => commandsOf(block))
      .map(checked)
      .join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: folder,
      env: { ...env, PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, SVC_STATE_DIR: join(folder, 'state') },
      encoding: 'utf8',
    });
    expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  });
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

/** The commands of a block: those of a shell, and those that cron, a unit or a workflow would start. */
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

/** A line of a server, with the files and the account of the test in place of the server's. */
function nightly(line: string): string {
  return line.replaceAll('/srv/', '').replace(/SVC_\w+=\S+ /g, '');
}

/** Lines of a script; a line that ends with a backslash, or is inside quotes, goes on. */
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

/** The line, failing with its own text if it ends with another code than `# exit <code>` says, or 0. */
function checked(line: string): string {
  const wanted = /# exit (\d+)$/.exec(line)?.[1] ?? '0';
  const shown = JSON.stringify(line.split('\n')[0]).replaceAll('$', '\\$').replaceAll('`', '\\`');
  return `${line}\ncode=$?; if [ $code -ne ${wanted} ]; then echo ${shown} ended with $code; exit 1; fi`;
}

/** A folder with the samples and the program as it is after an install. */
function workFolder(): string {
  const folder = tempFolder();
  cpSync(join(ROOT, 'samples'), join(folder, 'samples'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/svc');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/svc.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}
