import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const LIST = 'Email,Status\nana@example.com,subscribed\n';

test.each([
  ['contacts import list.csv --audience aud_1 --audience-name News', '--audience and --audience-name exclude'],
  ['contacts import list.csv --create-audience', '--create-audience needs a name'],
  ['migrate list.csv --audience aud_', 'not an audience id: aud_'],
  ['migrate list.csv --max-failures x', '--max-failures takes a number or a percentage'],
  ['suppressions import list.csv --status-map gone', '--status-map takes word=state'],
  ['automations enroll aut_1 list.csv --email ana', 'not an email address: ana'],
])('reports wrong flags before it asks for --yes: %s (M7)', async (line, message) => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err.includes(message), err.includes('--yes'), world.requests()], err).toEqual([2, true, false, []]);
});

const COMMANDS = [
  'migrate',
  'contacts import',
  'suppressions import',
  'automations enroll {aut}',
  'automations enroll Welcome',
];

test.each([
  ['nofile.csv', 'nofile.csv: no such file'],
  ['list.csv nofile.csv', 'nofile.csv: no such file'],
  ['list.csv/inside.csv', 'list.csv/inside.csv: no such file'],
  ['lists', 'lists: is a folder'],
  ['list.csv list.csv', 'list.csv is given twice'],
  ['empty.csv', 'empty.csv is empty'],
  ['broken.zip', 'broken.zip: '],
  ['list.csv --map Email=mail', 'unknown field: --map Email=mail'],
  ['- --map Email=mail', 'unknown field: --map Email=mail'],
  ['list.csv --status-map gone=away', 'away'],
  ['list.csv --timezone Europe/Nowhere', 'unknown time zone: Europe/Nowhere'],
  ['list.csv --default-status away', 'unknown state: --default-status away'],
  ['list.csv --default-status list.csv=away', 'unknown state: --default-status list.csv=away'],
  ['list.csv --default-status other.csv=skip', '--default-status: unknown input "other.csv"'],
  ['list.csv --encoding x', '--encoding: unknown encoding "x"'],
  ['list.csv --delimiter ab', '--delimiter: not one character: "ab"'],
  ['list.csv --quote ab', `--quote takes ", ' or none, not "ab"`],
  ['list.csv --escape ab', `--escape takes \\, " or ', not "ab"`],
  ['list.csv --from acme', '--from: unknown platform "acme"'],
  ['list.csv --map Town=first_name', '--map: no input has a column "Town"'],
  ['list.csv --map Email=email --map 3=ignore', '--map: no input has a column "3"'],
  ['list.csv --topic-value Town=yes', '--topic-value: no input has a column "Town"'],
  ['list.csv --map Status=topics.top_1', 'no value is given for the topic of column "Status"'],
  ['--default-status away -', 'unknown state: --default-status away'],
  ['--encoding x list.csv -', '--encoding: unknown encoding "x"'],
  ['--from acme -', '--from: unknown platform "acme"'],
  ['noheader.csv', 'noheader.csv'],
])('reports the same problem of %s with and without --yes (M7)', async (args, message) => {
  const world = await createWorld();
  mkdirSync(join(world.folder, 'lists'));
  world.file('list.csv', LIST);
  world.file('empty.csv', '');
  world.file('noheader.csv', 'ana@example.com,subscribed\n');
  world.file('broken.zip', Buffer.from('504b0304', 'hex'));
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  for (const command of COMMANDS) {
    const line = `${command.replace('{aut}', automation)} ${args}`;
    const { code, err } = await world.svc(line, { asTyped: true });
    expect([line, code, err.includes(message), err.includes('--yes')], err).toEqual([line, 2, true, false]);
    const agreed = await world.svc(`${line} --yes`, { stdin: LIST });
    expect([agreed.code, agreed.err.replaceAll(' --yes', '')]).toEqual([code, err]);
  }
});

test.each(COMMANDS)('asks for --yes when the list is valid or comes from a pipe: %s (M7)', async (command) => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  for (const input of ['list.csv', '-', '/dev/null']) {
    const line = `${command.replace('{aut}', automation)} ${input}`;
    const { code, err } = await world.svc(line, { asTyped: true });
    expect([code, err.includes(`Add --yes: svc ${line} --yes`)], err).toEqual([2, true]);
  }
});
