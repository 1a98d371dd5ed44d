import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { numberedNames, rowsOf, statusOf } from '../../../support/nights.ts';
import { createWorld } from '../../../support/world.ts';

const REFUSAL = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;

const list = (rows: readonly string[]) => `${['email,first_name,city', ...rows].join('\n')}\n`;

/** A run that stopped in its list and was overtaken. Another folder has another list of the same name. */
async function createOvertaken(line: readonly string[], answers?: readonly string[]) {
  const world = await createWorld();
  const { admin } = world.emulator;
  const automation = admin.createAutomation({ audienceId: world.emulator.audienceId });
  world.file('a.csv', list(rowsOf(numberedNames(8))));
  world.file('b.csv', list(rowsOf(['q1'])));
  const other = join(world.folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'a.csv'), list(rowsOf(['wrong'])));
  const typed = line.map((word) => word.replace('{aut}', automation));
  admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
  await world.svc(typed, answers === undefined ? {} : { answers });
  admin.clearFaults();
  const [{ run }] = (await world.svc('runs ls --json')).json;
  await world.clock.advance(1_000);
  const newer = await world.svc('contacts import b.csv --default-status subscribed --plan paid --json');
  expect([newer.code, statusOf(world, 'p8')]).toEqual([0, undefined]);
  return { world, run: run as string, other };
}

const IMPORT = ['contacts', 'import', '--plan', 'paid'];
interface Typed {
  readonly what: string;
  readonly line: readonly string[];
  readonly answers: readonly string[] | undefined;
}

const LINES: readonly Typed[] = [
  { what: 'typed flags', line: [...IMPORT, 'a.csv', '--default-status', 'subscribed'], answers: undefined },
  {
    what: 'a flag about an input',
    line: [...IMPORT, 'a.csv', '--default-status=a.csv=subscribed'],
    answers: undefined,
  },
  {
    what: 'an input behind --',
    line: [...IMPORT, '--default-status', 'subscribed', '--', 'a.csv'],
    answers: undefined,
  },
  {
    what: 'answers',
    line: [...IMPORT, '--', 'a.csv'],
    answers: ['everyone there agreed', 'no', 'y'],
  },
  {
    what: 'an enrollment',
    line: ['automations', 'enroll', '{aut}', 'a.csv', '--create-contacts', '--default-status', 'subscribed'],
    answers: undefined,
  },
];
const COMMANDS = ['runs resume {run} --json', 'runs resume {run}', 'runs show {run}', 'runs show {run} --json'];

test.each(LINES)(
  'an overtaken run prints a command that works in any folder: $what (G10)',
  async ({ line, answers }) => {
    const { world, run, other } = await createOvertaken(line, answers);
    const commands = line[1] === 'enroll' ? [...COMMANDS, 'runs resolve {run} --all enrolled'] : COMMANDS;
    const lines = new Set<string>();
    for (const command of commands) {
      const { out, err } = await world.svc(command.replace('{run}', run), { cwd: other });
      const text = command.endsWith('--json') ? hintOf(JSON.parse(out || err)) : out + err;
      lines.add(
        /(?:^|: )\s*svc ((?:--yes )?(?:contacts import|automations enroll) .*a\.csv.*)$/m
          .exec(text)?.[1]
          ?.replace('~', world.folder) ?? `${command}: ${text}`,
      );
    }
    expect([...lines], [...lines].join('\n')).toHaveLength(1);
    const pasted = await world.svc(splitShellText([...lines][0] ?? ''), { cwd: other });
    const statuses = [statusOf(world, 'p8'), statusOf(world, 'wrong')];
    expect([pasted.code, ...statuses], pasted.err).toEqual([0, 'subscribed', undefined]);
  },
);

test.each(LINES)('an overtaken run prints no command when its list changed: $what (D5)', async ({ line, answers }) => {
  const { world, run, other } = await createOvertaken(line, answers);
  world.file('a.csv', list(rowsOf(['stranger'])));
  const commands = line[1] === 'enroll' ? [...COMMANDS, 'runs resolve {run} --all enrolled'] : COMMANDS;
  for (const command of commands) {
    const { out, err } = await world.svc(command.replace('{run}', run), { cwd: other });
    const text = command.endsWith('--json') ? hintOf(JSON.parse(out || err)) : out + err;
    expect(text.replaceAll(/\s+/g, ' '), command).toContain(
      'a.csv was changed since this run began. If the old list is the newest',
    );
    expect(text).not.toMatch(/svc .*a\.csv/);
    expect(text).toContain(`svc runs delete ${run}`);
  }
});

/** The steps in the JSON of `runs resume` or `runs show`. */
function hintOf({ error, next }: { readonly error?: { readonly hint: string }; readonly next?: string[] }): string {
  return next?.join('\n') ?? error?.hint ?? '';
}
