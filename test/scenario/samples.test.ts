import { cpSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { platformById } from '../../src/platforms/registry.ts';
import { createWorld, type World } from '../support/world.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

test('samples/README.md states the result of each sample', { timeout: 120_000 }, async () => {
  const names = readdirSync(SAMPLES)
    .filter((name) => name !== 'README.md')
    .sort();
  const world = await createWorld();
  cpSync(SAMPLES, join(world.folder, 'samples'), { recursive: true });
  const rows: string[] = [];
  for (const name of names) {
    rows.push(`| \`${name}${isFolder(name) ? '/' : ''}\` | ${await outcomeOf(name, world)} |`);
  }
  const documented = readFileSync(join(SAMPLES, 'README.md'), 'utf8').match(/^\| `.*$/gm);
  expect(documented).toEqual(rows);
});

/** The recognized platforms of a sample, and the outcome of its rows. */
async function outcomeOf(name: string, world: World): Promise<string> {
  const files = isFolder(name) ? globSync(`${name}/**/*.csv`, { cwd: SAMPLES }).sort() : [name];
  const inputs = files.map((file) => `samples/${file}`);
  const { code, json } = await world.svc(['migrate', ...inputs, '--dry-run', '--json']);
  const titles = new Set(json.inputs.map(({ platform }: { platform: string }) => platformById(platform)?.title));
  const { plan, rows } = json;
  const parts = [
    [plan.contacts, plan.contacts === 1 ? 'contact' : 'contacts'],
    [rows.unsent - plan.contacts, 'suppressed'],
    [rows.merged, 'merged'],
    [rows.skipped, 'skipped'],
  ].filter(([count]) => count > 0);
  const outcome = code === 0 ? parts.map((part) => part.join(' ')).join(', ') : 'asks who is subscribed';
  return `${[...titles].join(', ')} | ${rows.read} | ${outcome}`;
}

function isFolder(name: string): boolean {
  return statSync(join(SAMPLES, name)).isDirectory();
}
