import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../../../src/base/lib/hash.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type Effect, ELSEWHERE, FLAGS, GLOBALS, WITHOUT_EFFECT } from './effects.ts';
import { everyFlag, worldFor } from './every-flag.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FILE = join(import.meta.dirname, 'effects.txt');
// A terminal cuts the rest of this line, depending on the length of the path.
const CUT_BY_PATH = /(?<=<state> is writable), .*/g;

/** The effect of a command: exit code, output, requests and files, without values that differ between two setups. */
async function seen(line: string, effect: Effect): Promise<string[]> {
  const world = await worldFor(line, effect);
  const [hook] = world.emulator.admin.webhooks();
  const words = line.replace('HOOK', hook?.id ?? '').split(' ');
  const { code, out, err } = await world.svc(words, effect.run);
  const requests = world.requests().map(({ method, path, body }) => `${method} ${path} ${body}`);
  const files = readdirSync(world.folder).filter((name) => name !== 'state' && name !== 'config');
  return [`exit ${code}`, out, err, ...requests, `files: ${files.sort().join(' ')}`]
    .join('\n')
    .replaceAll(world.folder, '<folder>')
    .replace(/\S*svc-test-\w+/g, '<state>')
    .replace(CUT_BY_PATH, '')
    .replace(/\brun_\d{8}T\d{9}_[0-9a-f]+/g, 'run_1')
    .replace(/\b(evt|req|whs|eml|aen|sup|whe|aud|sub|aut|whd)_[0-9a-z]{10,}/g, '$1_1')
    .replace(/20(?:25|26)-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?/g, '<time>')
    .replace(/\b[0-9a-f]{16}\b/g, '<hex>')
    .replace(/\b\d+ ?(ms|s)\b/g, '<n> s')
    .replaceAll('\u001b', '<esc>')
    .split('\n')
    .filter((text) => text.trim() !== '');
}

/** The lines that disappear with the flag, and the new ones. */
function changeOf(without: readonly string[], withFlag: readonly string[]): string[] {
  const minus = (a: readonly string[], b: readonly string[]) => {
    const left = [...b];
    return a.filter((text) => {
      const at = left.indexOf(text);
      left.splice(at, at < 0 ? 0 : 1);
      return at < 0;
    });
  };
  return [...shorten('-', minus(without, withFlag)), ...shorten('+', minus(withFlag, without))];
}

const SHOWN = 12;

/** The first lines, and a hash of the others. */
function shorten(sign: string, lines: readonly string[]): string[] {
  const rest = lines.slice(SHOWN);
  const more = rest.length === 0 ? [] : [`  ${sign} … ${rest.length} more, ${sha256Hex(rest.join('\n')).slice(0, 8)}`];
  return [...lines.slice(0, SHOWN).map((text) => `  ${sign} ${text}`), ...more];
}

interface Case {
  readonly title: string;
  readonly line: string;
  readonly effect: Effect;
}

const CASES: readonly Case[] = [
  ...Object.values(FLAGS).flatMap(({ line, effects }) =>
    effects.map((effect) => {
      const whole = effect.line === undefined ? line : `${line} ${effect.line}`;
      return { title: `${whole} [${effect.flag}]`, line: whole, effect };
    }),
  ),
  ...GLOBALS.map((effect) => ({ title: `${effect.line} [${effect.flag}]`, line: effect.line ?? '', effect })),
];

/** Commands share many flags. Outside full sweeps, every second command of a shared flag plays it, and at least one. */
function playedCases(): readonly Case[] {
  if (process.env.UPDATE === '1') {
    return CASES;
  }
  const shared = CASES.map(({ effect }) => effect).filter((effect, at, all) => all.indexOf(effect) < at);
  const order = [...new Set(shared)];
  const turns = new Map<Effect, number>();
  return CASES.filter(({ effect }) => {
    const turn = turns.get(effect) ?? Math.max(0, order.indexOf(effect)) % 2;
    turns.set(effect, turn + 1);
    return turn % stepOf(2) === 0;
  });
}

const expected = new Map(
  (existsSync(FILE) ? readFileSync(FILE, 'utf8') : '')
    .split(/^(?=\$ )/m)
    .map((block) => [block.split('\n')[0]?.slice(2) ?? '', block]),
);

/** Results of the command lines without the tested flag, because several flags share a line. */
const plain = new Map<string, Promise<string[]>>();
const PREPARES: unknown[] = [];

function seenWithout(line: string, effect: Effect): Promise<string[]> {
  if (!PREPARES.includes(effect.prepare)) {
    PREPARES.push(effect.prepare);
  }
  const name = [line, effect.list, PREPARES.indexOf(effect.prepare), JSON.stringify(effect.run)].join('\n');
  const found = plain.get(name) ?? seen(line, effect);
  plain.set(name, found);
  return found;
}

test.each(playedCases())(
  'the flag in brackets changes the result as recorded: $title',
  async ({ title, line, effect }) => {
    const change = changeOf(await seenWithout(line, effect), await seen(`${line} ${effect.flag}`, effect));
    const block = `$ ${title}\n${change.join('\n')}\n`;
    expect(change, 'the flag does nothing').not.toEqual([]);
    if (process.env.UPDATE === '1') {
      expected.set(title, block);
      writeFileSync(FILE, CASES.map((each) => expected.get(each.title) ?? '').join(''));
      return;
    }
    expect(block).toBe(expected.get(title));
  },
);

test('every flag of every command has a test here or in a named file', async () => {
  const missing = (await everyFlag()).filter(({ path, flag }) => {
    const effects = path === '' ? GLOBALS : (FLAGS[path]?.effects ?? []);
    const file = ELSEWHERE[`${path} ${flag}`.trim()] ?? ELSEWHERE[flag];
    const isHere = effects.some((effect) => effect.flag.split(' ')[0] === flag);
    const isNone = WITHOUT_EFFECT[`${path} ${flag}`] !== undefined;
    return !isHere && !isNone && !(file && readFileSync(join(ROOT, file), 'utf8').includes(flag.replace('--', '')));
  });
  expect(missing.map(({ path, flag }) => `${path} ${flag}`)).toEqual([]);
});
