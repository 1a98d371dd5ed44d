import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { createProgram } from '../../../../src/cli.ts';
import type { CommandHost } from '../../../../src/commands/framework/invocation.ts';
import {
  FIELDS_WITHOUT_FLAG,
  MAPPING_FILE_FIELDS,
  type MappingCommand,
} from '../../../../src/commands/mailing-list-commands/mapping/mapping-fields.ts';
import {
  saveMappingIfAsked,
  withMapping,
} from '../../../../src/commands/mailing-list-commands/mapping/mapping-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../support/world.ts';

const LIST = 'Email,State\nana@example.com,in\nben@example.com,out\n';
const SAVED = {
  from: 'auto',
  map: ['State=status'],
  status_map: ['in=subscribed', 'out=unsubscribed'],
  max_new_fields: 50,
  max_failures: '20%',
  empty: 'keep',
  duplicates: 'merge',
};

async function worldWith(answers: object): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', LIST);
  world.file('answers.json', JSON.stringify({ ...SAVED, ...answers }));
  return world;
}

const COMMANDS: readonly (readonly [MappingCommand, string])[] = [
  ['migrate', 'migrate list.csv'],
  ['contacts import', 'contacts import list.csv'],
  ['contacts check', 'contacts check list.csv'],
  ['automations enroll', 'automations enroll aut_1 list.csv'],
];

describe('a field of a mapping file for which the command has no flag', () => {
  test.each(COMMANDS)('svc %s refuses the field "reason" in a mapping file (C5)', async (name, line) => {
    const world = await worldWith({ reason: 'bounced' });
    const { code, err } = await world.svc(`${line} --mapping answers.json --yes`);
    expect([code, world.requests()], err).toEqual([2, []]);
    expect(err).toContain(`answers.json: "reason" does not apply to ${name}: `);
  });

  test('offers a command that works when a mapping file holds "reason" (C5)', async () => {
    const world = await worldWith({ reason: 'bounced', allow_joined_files: true, timezone: 'UTC' });
    const refused = await world.svc('migrate list.csv --map=Email=email --mapping answers.json --timezone CET --yes');
    const command = refused.err.slice(refused.err.indexOf('svc --yes migrate'));
    const words = command
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')[0]!
      .replaceAll("'", '')
      .trim();
    expect(words).toBe(
      'svc --yes migrate list.csv --map State=status --status-map in=subscribed --status-map out=unsubscribed --allow-joined-files --map=Email=email --timezone CET --yes',
    );
    const { code, json } = await world.svc(`${words.slice(4)} --json`);
    expect([code, json?.rows.created, json?.rows.suppressed]).toEqual([0, 2, 0]);
  });

  test('the offered command has flags only for fields of the mapping file (C5)', async () => {
    const world = await worldWith({});
    world.file('answers.json', JSON.stringify({ reason: 'bounced', map: SAVED.map }));
    const refused = await world.svc('migrate list.csv --mapping answers.json --yes');
    const [command = ''] = refused.err.slice(refused.err.indexOf('svc --yes migrate')).split('\n');
    expect(command.replaceAll("'", '').trim()).toBe('svc --yes migrate list.csv --map State=status --yes');
    // "reason" was the only answer about these people. Without it the printed command must ask, and sign up no person.
    const { code, err } = await world.svc(command.trim().slice(4).replaceAll("'", ''));
    expect([code, world.emulator.admin.contacts()]).toEqual([5, []]);
    expect(err).toContain('unknown status values in column "State": "in" (1), "out" (1)');
  });

  test('the offered command omits saved answers that a flag replaces (C1, C5)', async () => {
    const world = await worldWith({ reason: 'bounced' });
    const refused = await world.svc('migrate list.csv --mapping answers.json --status-map Out=skip --yes');
    const [command = ''] = refused.err.slice(refused.err.indexOf('svc --yes migrate')).split('\n');
    expect(command).toContain('--map State=status --status-map in=subscribed --status-map Out=skip');
    const { code, json } = await world.svc(`${command.slice(4).replaceAll("'", '')} --json`);
    expect([code, json?.rows.created, json?.rows.skipped]).toEqual([0, 1, 1]);
  });

  test.each(['audience', 'audience_name'])(
    'refuses "%s" in a mapping file when the command has no such flag',
    async (name) => {
      const world = await worldWith({ [name]: 'News' });
      for (const line of ['automations enroll aut_1 list.csv', 'suppressions import list.csv --reason bounced']) {
        const { code, err } = await world.svc(`${line} --mapping answers.json --yes`);
        expect([code, world.requests()], err).toEqual([2, []]);
        expect(err).toContain(`"${name}" does not apply to `);
      }
    },
  );

  test.each(COMMANDS.slice(1, 3))('svc %s accepts a mapping file that migrate saved', async (_, line) => {
    const world = await worldWith({});
    const { audienceId } = world.emulator;
    const saving = `migrate list.csv --mapping answers.json --save-mapping saved.json --audience ${audienceId}`;
    const saved = await world.svc(`${saving} --yes`);
    expect(saved.code, saved.err).toBe(0);
    expect((await world.svc(`${line} --mapping saved.json --yes`)).code).toBe(0);
  });

  test('FIELDS_WITHOUT_FLAG has each field for which a command has no flag', async () => {
    const program = await createProgram({ context: {} } as CommandHost);
    for (const [command, fields] of Object.entries(FIELDS_WITHOUT_FLAG)) {
      const found = command.split(' ').reduce((at, name) => at.commands.find((one) => one.name() === name)!, program);
      const flags = new Set(found.options.map((option) => option.attributeName()));
      const missing = Object.entries(MAPPING_FILE_FIELDS).flatMap(([name, flag]) => (flags.has(flag) ? [] : [name]));
      expect([command, missing.sort()]).toEqual([command, Object.keys(fields).sort()]);
    }
  });
});

test('migrate of a rejects file ignores the --reason of the first import (C5)', async () => {
  const world = await createWorld();
  world.file('bad.csv', 'Email,State\nnot an address,in\nben@example.com,out\n');
  const suppressing = await world.svc('suppressions import bad.csv --reason bounced --yes --json');
  expect(suppressing.code, suppressing.err).toBe(3);
  const rejects = 'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email,Status\n';
  world.file('bad.csv', `${rejects}bad.csv,2,Email,invalid_email,,,ana@example.com,subscribed\n`);
  const { code, json, err } = await world.svc('migrate bad.csv --yes --json');
  expect([code, json?.rows.created, json?.rows.suppressed], err).toEqual([0, 1, 0]);
});

/** A value in a file, and a typed value, for the flag of each field of a mapping file. */
const VALUES: readonly (readonly [field: string, flag: string, stored: unknown, typed: unknown])[] = [
  ['map', 'map', ['a=email'], ['b=status']],
  ['status_map', 'statusMap', ['in=subscribed'], ['out=unsubscribed']],
  ['default_status', 'defaultStatus', ['subscribed'], ['a.csv=unsubscribed']],
  ['topic_value', 'topicValue', ['Topic:News=in'], ['Topic:Events=out']],
  ['allow_automation', 'allowAutomation', ['aut_1'], ['aut_2']],
  ['max_new_fields', 'maxNewFields', 7, 9],
  ['allow_joined_files', 'allowJoinedFiles', true, false],
  ['allow_heading', 'allowHeading', ['Left'], ['Gone']],
  ['allow_legend', 'allowLegend', ['* = left'], ['x = left']],
  ['allow_blanks', 'allowBlanks', ['List'], ['Group']],
  ...Object.entries({
    audience: 'audience',
    audience_name: 'audienceName',
    from: 'from',
    attributes: 'attributes',
    max_failures: 'maxFailures',
    timezone: 'timezone',
    date_order: 'dateOrder',
    encoding: 'encoding',
    delimiter: 'delimiter',
    quote: 'quote',
    escape: 'escape',
    empty: 'empty',
    duplicates: 'duplicates',
    reason: 'reason',
  }).map(([field, flag]) => [field, flag, 'stored', 'typed'] as const),
];

describe('each field of a mapping file', () => {
  test('the values of this test cover each field of a mapping file', () => {
    expect(VALUES.map(([field, flag]) => [field, flag]).sort()).toEqual(Object.entries(MAPPING_FILE_FIELDS).sort());
  });

  test.each(VALUES)(
    'reads a saved "%s" again, and joins a saved list with a typed one',
    async (field, flag, stored, typed) => {
      const context = { cwd: tempFolder(), platform: { user: undefined } } as unknown as Context;
      await saveMappingIfAsked(context, [], { [flag]: stored, saveMapping: 'saved.json' });
      const read = (given: object, typedFlags: readonly string[]) => {
        const isTyped = (name: string) => typedFlags.includes(name);
        const flags = { mapping: 'saved.json', ...given };
        const command = field === 'reason' ? 'suppressions import' : 'migrate';
        return (withMapping({ flags, context, argv: [], isTyped }, command) as Record<string, unknown>)[flag];
      };
      const both = Array.isArray(stored) ? [...stored, ...(typed as string[])] : typed;
      expect([read({}, []), read({ [flag]: typed }, [flag])]).toEqual([stored, both]);

      writeFileSync(join(context.cwd, 'saved.json'), JSON.stringify({ [field]: Array.isArray(stored) ? 'a' : ['a'] }));
      expect(() => read({}, [])).toThrow(`${field} takes ${Array.isArray(stored) ? 'a list of texts' : 'one value'}`);
    },
  );
});

describe('a mapping file with the number of a column', () => {
  const ROWS = ['ana@example.com,in,x', 'ben@example.com,unsubscribed,y'];
  const save = async (header: string, answers: string) => {
    const world = await createWorld();
    world.file('list.csv', [header, ...ROWS, ''].join('\n'));
    const line = `migrate list.csv --dry-run --json --save-mapping answers.json ${answers}`;
    return { world, saved: await world.svc(line) };
  };
  const run = (world: World, header: string, rows: readonly string[]) => {
    world.file('list.csv', [header, ...rows, ''].join('\n'));
    return world.svc('migrate list.csv --dry-run --json --mapping answers.json');
  };

  test.each([
    [
      'Email,State,State',
      '--map 3=ignore --status-map in=subscribed',
      'Email,Plan,State,State',
      [
        '--map 4=ignore instead of --map 3=ignore, in the file of --mapping',
        '--status-map 3:in=subscribed instead of --status-map 2:in=subscribed, in the file of --mapping',
        'Its "columns" are then: ["4=State (2 of 2)","3=State (1 of 2)"]',
      ],
    ],
    [
      'Email,State,Plan',
      '--map 3=ignore --status-map 2:in=subscribed',
      'Email,Plan,State',
      [
        '--map 2=ignore instead of --map 3=ignore, in the file of --mapping',
        '--status-map 3:in=subscribed instead of --status-map 2:in=subscribed, in the file of --mapping',
        'Its "columns" are then: ["2=Plan","3=State"]',
      ],
    ],
    [
      'Email,State,Plan',
      '--map list.csv:3=ignore --status-map in=subscribed',
      'Email,Plan,State',
      [
        '--map list.csv:2=ignore instead of --map list.csv:3=ignore, in the file of --mapping',
        'Its "columns" are then: ["list.csv:2=Plan"]',
      ],
    ],
    [
      'Email,State,Plan',
      '--status-map 3:y=skip --status-map in=subscribed',
      'Email,State,Other',
      ['Correct the numbers in the file of --mapping, also in its "columns": "3:y=skip"'],
    ],
  ])(
    'refuses column numbers of %s, saved with %s, when it is now %s (C1, C10)',
    async (header, answers, moved, lines) => {
      const { world, saved } = await save(header, answers);
      const again = await run(world, header, ROWS);
      const { code, err } = await run(
        world,
        moved,
        ROWS.map((row) => `${row},x`),
      );
      const { error } = JSON.parse(err);

      expect([saved.code, again.code, code, error.code]).toEqual([0, 0, 2, 'moved_column']);
      // A command without --mapping would lose the other answers of the file, and could sign people up (C11).
      expect(error.hint.split('\n').slice(-lines.length)).toEqual(lines);
    },
  );

  test.each(['Email,State,State,More', 'email,State,STATE ,More'])(
    'accepts a saved column number when the header has become %s',
    async (header) => {
      const { world } = await save('Email,State,State', '--map 3=ignore --status-map in=subscribed');
      const rows = ROWS.map((row) => `${row},x`);

      expect((await run(world, header, rows)).code).toBe(0);
    },
  );

  test('refuses a saved column number when the list now has a header (C1)', async () => {
    const world = await createWorld();
    world.file('list.csv', ROWS.join('\n'));
    const answers = '--map 1=email --map 2=status --map 3=ignore --status-map in=subscribed';
    await world.svc(`migrate list.csv --dry-run --save-mapping answers.json ${answers}`);
    const line = 'migrate list.csv --dry-run --json --mapping answers.json';
    const same = await world.svc(line);
    world.file('list.csv', 'Email,Group,Status\nana@example.com,in,unsubscribed\n');
    const { code, err } = await world.svc(line);

    expect([same.code, code, JSON.parse(err).error.code]).toEqual([0, 2, 'moved_column']);
  });

  test('a mapping file accepts "list.csv:2", and a word such as "3:30"', async () => {
    const answers = '--map list.csv:2=status --status-map in=subscribed --status-map Plan:3:30=skip';
    const { world, saved } = await save('Email,State,Plan', answers);
    world.file('list.csv', 'Email,State,Tariff,Plan\nana@example.com,in,x,3:30\n');
    world.file('more.csv', 'Email,Name,State\nkim@example.com,Kim,unsubscribed\n');
    const { code, out } = await world.svc('migrate list.csv more.csv --dry-run --json --mapping answers.json');

    expect([saved.code, code, JSON.parse(out).rows.skipped]).toEqual([0, 0, 1]);
  });
});

test('warns that a mapping stores no headers when the list is a pipe (C1)', async () => {
  const world = await createWorld();
  world.file('more.csv', 'Email,State\nzoe@example.com,in\n');
  const stdin = 'Email,State,State\nana@example.com,in,x\n';
  const answers = '--map 3=ignore --status-map in=subscribed --dry-run';
  const first = await world.svc(`migrate - more.csv ${answers} --save-mapping answers.json`, { stdin });
  world.file('list.csv', stdin);
  await world.svc(`migrate list.csv ${answers} --save-mapping answers.json`);
  const again = await world.svc('migrate - --dry-run --mapping answers.json --save-mapping again.json', { stdin });

  expect([first.code, first.err.includes('will not notice if these columns move')]).toEqual([0, true]);
  expect([again.code, again.err.includes('will not notice')]).toEqual([0, false]);
  expect(readFileSync(join(world.folder, 'again.json'), 'utf8')).toContain('3=State (2 of 2)');
});

test.each([
  ['Pro', ['--status-map Tariff:Pro=skip instead of --status-map Plan:Pro=skip, in the file of --mapping']],
  ['Free', ['If "Plan:Pro" is a word, type its column and a colon before it']],
])('offers another column only when it holds the saved word: cell %s (C11)', async (cell, offered) => {
  const world = await createWorld();
  world.file('answers.json', JSON.stringify({ status_map: ['Plan:Pro=skip'] }));
  world.file('list.csv', `Email,Status,Tariff\nana@example.com,subscribed,${cell}\n`);
  const { error } = JSON.parse((await world.svc('migrate list.csv --mapping answers.json --json')).err);
  const lines: readonly string[] = error.hint.split('\n');

  expect(lines.filter((line) => line.includes('Plan:Pro'))).toEqual(offered);
});
