import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { createProgram } from '../../../../src/cli.ts';
import type { CommandHost } from '../../../../src/commands/framework/invocation.ts';
import { createWorld } from '../../../support/world.ts';

test('lists the same commands in the README and in the program', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const rows = [...readme.matchAll(/^\| `svc (\w+)` \|([`\w ]*)\|/gm)].map(([, group, verbs = '']) => [
    group,
    verbs.split(/[` ]+/).filter((verb) => verb !== ''),
  ]);
  const program = await createProgram({ context: {}, finish: () => undefined } as unknown as CommandHost);
  const groups = program.commands.filter((command) => !command.name().startsWith('_'));
  const known = groups.map((group) => [group.name(), group.commands.map((verb) => verb.name())]);
  expect(rows.map(sortWords).sort()).toEqual(known.map(sortWords).sort());
});

function sortWords(row: readonly unknown[]): string {
  return row.flat().slice(1).sort().join(' ').concat(' of ', String(row[0]));
}

describe('svc help', () => {
  test('svc help exit-codes names every exit code', async () => {
    const world = await createWorld();
    const { out } = await world.svc('help exit-codes');
    expect(Object.values(EXIT).filter((code) => !new RegExp(`(^|\\s)${code}\\s`).test(out))).toEqual([]);
  });

  test('svc help environment names every variable that the program reads', async () => {
    const world = await createWorld();
    const { out } = await world.svc('help environment');
    const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
    const read = sources.flatMap((text) =>
      [...text.matchAll(/env(?:\.|\(')((?:SVC|XDG|NO|FORCE)_[A-Z_]+)/g)].map(([, name = '']) => name),
    );
    expect(read.length).toBeGreaterThan(8);
    expect([...new Set(read)].filter((name) => !out.includes(name))).toEqual([]);
  });

  test.each(['mapping', 'idempotency'])('svc help shows the topic %s', async (topic) => {
    const world = await createWorld();
    const { out } = await world.svc(`help ${topic}`);
    expect(out.split('\n')[0]).toBe(topic.toUpperCase());
    expect((await world.svc(`help ${topic} --json`)).json).toEqual({ object: 'help_topic', topic, text: out });
  });

  test('svc help shows the help of commands and of the program', async () => {
    const world = await createWorld();
    expect((await world.svc('help webhooks ls')).out).toContain('Usage: svc webhooks ls');
    expect((await world.svc('help')).out).toContain('Topics: svc help exit-codes');
  });

  test.each(['exit-codes', 'environment', 'mapping', 'idempotency'])(
    'svc help fits %s into 80 columns',
    async (topic) => {
      const world = await createWorld();
      const { out } = await world.svc(`help ${topic}`);
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test('svc help lists the topics when the topic is unknown', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('help exit-cods');
    expect([code, err.includes('exit-codes, environment, mapping, idempotency')]).toEqual([2, true]);
  });
});

describe('the help of the program without loading command groups', () => {
  const host = { context: {}, finish: () => undefined } as unknown as CommandHost;

  test('the help is the same whether svc loads all command groups or none', async () => {
    const [lines, whole] = [await createProgram(host, []), await createProgram(host)];
    expect(lines.helpInformation()).toBe(whole.helpInformation());
    expect(lines.commands.flatMap(({ commands }) => commands)).toEqual([]);
  });

  test.each([
    ['webhooks ls --json', ['webhooks']],
    ['--profile runs help webhooks', ['webhooks', 'runs']],
    ['__complete -- web', ['contacts', 'suppressions', 'automations', 'audiences', 'webhooks', 'emails', 'runs']],
  ])('loads the command groups that the line needs: %s', async (line, groups) => {
    const program = await createProgram(host, line.split(' '));
    const whole = program.commands.filter(({ commands }) => commands.length > 0).map((group) => group.name());
    expect(whole).toEqual(expect.arrayContaining(groups));
    expect(whole.length === groups.length).toBe(!line.startsWith('__'));
  });
});
