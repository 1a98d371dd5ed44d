import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

/**
 * Commands and their output, one story a file. `$ ` begins a command, `! ` a line on stderr. `[exit n]` ends an output
 * with another exit code than 0. `> name` begins a file, up to a line `<`. UPDATE=1 rewrites the outputs.
 */
const FOLDER = new URL('./scripts/', import.meta.url).pathname;

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))(
  'each command of scripts/%s prints what the file records',
  async (name) => {
    const path = join(FOLDER, name);
    const script = readFileSync(path, 'utf8');
    const played = await play(script);
    if (process.env.UPDATE) {
      writeFileSync(path, played);
    }
    expect(played).toBe(script);
  },
);

/** Plays the commands of a script on one service. Returns the script with the actual output. */
async function play(script: string): Promise<string> {
  const world = await createWorld();
  cpSync(new URL('../../samples', import.meta.url), join(world.folder, 'samples'), { recursive: true });
  const out: string[] = [];
  let file: { readonly name: string; readonly lines: string[] } | undefined;
  for (const line of script.split('\n')) {
    if (file) {
      out.push(line);
      file = line === '<' ? closeFile(world, file) : { ...file, lines: [...file.lines, line] };
    } else if (line.startsWith('> ')) {
      out.push(line);
      file = { name: line.slice(2), lines: [] };
    } else if (line.startsWith('$ svc ')) {
      out.push(line, ...(await answerOf(world, line.slice('$ svc '.length))));
    } else if (line.startsWith('#') || line === '') {
      out.push(line);
    }
  }
  return `${out.join('\n').replace(/\n+$/, '')}\n`;
}

function closeFile(world: World, file: { readonly name: string; readonly lines: readonly string[] }): undefined {
  world.file(file.name, `${file.lines.join('\n')}\n`);
}

async function answerOf(world: World, line: string): Promise<string[]> {
  const { code, out, err } = await world.svc(words(line), { asTyped: true });
  const lines = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((one) => steady(one, world));
  const answer = [
    ...lines(out),
    ...lines(err).map((one) => `! ${one}`.trimEnd()),
    ...(code === 0 ? [] : [`[exit ${code}]`]),
  ];
  // A blank line would end the output, so a dot stands for it.
  return answer.map((one) => (one === '' ? '.' : one));
}

/** Words in double quotes stay together. */
function words(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

/** Replaces values that differ from run to run by names. */
function steady(line: string, world: World): string {
  return line
    .replaceAll(world.folder, '~')
    .replaceAll(/(aud|sub)_[0-9a-f]{8,}/g, '$1_1')
    .replaceAll(/run_\d{8}T\d{9}_[0-9a-f]{6}/g, 'run_1')
    .replaceAll(/req_[0-9a-f]+/g, 'req_1');
}
