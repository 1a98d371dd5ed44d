import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld } from '../../../support/world.ts';

const SVC = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'];
const OWN = ['Email', 'Status', 'City'];
const ROW: Readonly<Record<string, string>> = {
  svc_file: 'list.csv',
  svc_line: '3',
  svc_column: 'Email',
  svc_reason: 'invalid_email',
  svc_state: 'unsubscribed',
  Email: 'ben@example.com',
  Status: 'active',
  City: 'Ulm',
};

function csvOf(columns: readonly string[], header = columns): string {
  return `${header.join(',')}\n${columns.map((name) => ROW[name] ?? '').join(',')}\n`;
}

function upperCase(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toUpperCase());
}

const without = (name: string) => SVC.filter((column) => column !== name);

const CHANGED: readonly (readonly [what: string, columns: readonly string[], header?: readonly string[]])[] = [
  ...SVC.map((name) => [`${name} was deleted`, [...without(name), ...OWN]] as const),
  ...SVC.map((name) => [`only ${name} was kept`, [name, ...OWN]] as const),
  ['all were moved to the right', [...OWN, ...SVC]],
  ['one was moved to the right', [...without('svc_state'), ...OWN, 'svc_state']],
  ['two were exchanged', ['svc_line', 'svc_file', ...SVC.slice(2), ...OWN]],
  ['an own column was moved between them', ['Email', ...SVC, 'Status']],
  ['one was copied to the right', [...SVC, ...OWN, 'svc_state']],
  ['they are in capitals', [...SVC, ...OWN], [...upperCase(SVC), ...OWN]],
  ['one is in capitals', [...SVC, ...OWN], ['Svc_File', ...SVC.slice(1), ...OWN]],
  ['one has another name', [...SVC, ...OWN], [...without('svc_state'), 'state', ...OWN]],
];

const CHANGED_TEXTS = CHANGED.map(([what, columns, header], nth) => [what, csvOf(columns, header), nth] as const);
const COMMANDS = ['migrate', 'contacts import', 'suppressions import --reason bounced', 'contacts check'];

test.each(CHANGED_TEXTS)('refuses rejects whose svc_ columns were changed: %s (C10)', async (_, text, nth) => {
  const world = await createWorld();
  world.file('list.csv', text);
  for (const command of everyNth(COMMANDS, 3, nth)) {
    const { code, err } = await world.svc(`${command} list.csv --json`);
    const { error } = JSON.parse(err);
    expect([command, code, error.code]).toEqual([command, 2, 'changed_svc_columns']);
    expect(error.hint).toContain('svc_file, svc_line, svc_column, svc_reason, svc_detail, svc_state');
  }
  expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
});

const ACCEPTED: readonly (readonly [what: string, text: string, flags: string, status: string, attributes: string])[] =
  [
    ['it is whole', csvOf([...SVC, ...OWN]), '', 'unsubscribed', '{"city":"Ulm"}'],
    ['all of them were deleted', csvOf(OWN), '', 'subscribed', '{"city":"Ulm"}'],
    [
      'they are own columns that --map names',
      csvOf(['svc_line', ...OWN]),
      '--map svc_line=attributes.tariff',
      'subscribed',
      '{"tariff":"3","city":"Ulm"}',
    ],
    [
      'another column begins with svc_',
      csvOf(['City', ...OWN], ['svc_level', ...OWN]),
      '',
      'subscribed',
      '{"svc_level":"Ulm","city":"Ulm"}',
    ],
  ];

test.each(ACCEPTED)('accepts a rejects file when %s (C10)', async (_, text, flags, status, attributes) => {
  const world = await createWorld();
  world.file('list.csv', text);
  const { code, err } = await world.svc(`migrate list.csv --json ${flags}`);
  const contact = world.emulator.admin.contact('ben@example.com');
  expect([code, contact?.status, JSON.parse(contact?.attributes ?? '')], err).toEqual([
    0,
    status,
    JSON.parse(attributes),
  ]);
});

test('accepts an export of contacts when fields begin with svc_ (C10)', async () => {
  const world = await createWorld();
  world.file('list.csv', csvOf(['City', ...OWN], ['svc_level', ...OWN]));
  await world.svc('migrate list.csv --json');
  const path = join(world.folder, 'export.csv');
  await world.svc(['contacts', 'export', '--output', path]);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('ben@', 'cy@'));
  const { code, err } = await world.svc(['migrate', path, '--json']);
  const contact = world.emulator.admin.contact('cy@example.com');
  expect([code, JSON.parse(contact?.attributes ?? '')], err).toEqual([0, { svc_level: 'Ulm', city: 'Ulm' }]);
});
