import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { consentLines, withConsentHeader } from '../../../../src/migrate/opt-outs/consent-file.ts';
import { readRun } from '../../../../src/runs/store/open-journal.ts';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';
import { csv, readList } from '../../import/support.ts';

const HEAD = 'address,state,date,file,line\n';
const LEFT = '2021-03-04T05:06:07.000Z';
const LIST = `email,status,unsubscribed_at
known@example.com,unsubscribed,${LEFT}
new@example.com,unsubscribed,${LEFT}
dateless@example.com,unsubscribed,
other@example.com,subscribed,
`;

test.each(['contacts import', 'migrate'])(
  'writes opt-out dates of %s to a file when the service drops them (C2)',
  async (command) => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: 'known@example.com' }]);

    const { code, json, err } = await world.svc(`${command} ${world.file('list.csv', LIST)} --plan paid --json`);

    expect([code, json.verification.status]).toEqual([0, 'passed']);
    expect(json.verification.checks).toContainEqual({
      check: 'opt_out_dates',
      status: 'skipped',
      message: expect.stringContaining(
        'another opt-out date than the list for 1 person who was in the audience before',
      ),
    });
    expect(err).not.toContain('known@example.com');
    expect(readFileSync(json.files.consent, 'utf8')).toBe(
      `${HEAD}known@example.com,unsubscribed,${LEFT},list.csv,2\nnew@example.com,unsubscribed,${LEFT},list.csv,3\n`,
    );
  },
);

test('records lost opt-out dates under the note name of earlier versions (C2)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'known@example.com' }]);
  const { json } = await world.svc(`contacts import ${world.file('list.csv', LIST)} --plan paid --json`);
  const note = readRun(`${world.folder}/state/svc`, json.run, ({ readNote }) => readNote('lost_dates'));
  expect(note).toBe(true);
});

test('writes no file of dates when the service stores opt-out dates (C2)', async () => {
  const world = await createWorld({ variants: { unsubscribed_at_on_update: 'honoured' } });
  world.emulator.admin.addContacts([{ email: 'known@example.com' }]);

  const { code, json } = await world.svc(`contacts import ${world.file('list.csv', LIST)} --plan paid --json`);

  expect([code, json.files.consent]).toEqual([0, undefined]);
  expect(json.verification.checks.map(({ check }: { check: string }) => check)).not.toContain('opt_out_dates');
});

test('writes the opt-out date to the file when a roll-back loses it (C1, C2)', async () => {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  const at = Date.parse(LEFT);
  world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: at }]);

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(20)), '--plan', 'paid', '--json']);

  expect(code).toBe(8);
  expect(world.emulator.admin.contact('person5@example.com')).toMatchObject({ status: 'unsubscribed' });
  expect(readFileSync(json.files.consent, 'utf8')).toBe(`${HEAD}person5@example.com,unsubscribed,${LEFT},,\n`);
});

test('names consent.csv before it proposes to delete the run (C1, C2)', async () => {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  const at = Date.parse(LEFT);
  world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: at }]);
  const { json } = await world.svc(['migrate', world.file('list.csv', people(20)), '--plan', 'paid', '--json']);
  const { run, error, files } = json;
  expect(error.hint.split('\n').slice(1)).toEqual([
    `Copy this file, which keeps opt-out dates that the service lost: ${files.consent}`,
    `Then: svc runs delete ${run}`,
    'After that, give the same command again.',
  ]);
  const shown = await world.svc(`runs show ${run} --json --state-dir ${world.folder}/state/svc`);
  expect(shown.json.error.hint).toContain(`Then: svc --state-dir ${world.folder}/state/svc runs delete ${run}`);
});

async function consentOf(file: string): Promise<string> {
  const { reading, people } = await readList({ 'old, list.csv': file });
  return (await Array.fromAsync(withConsentHeader(consentLines(reading, people)))).join('');
}

test('writes opt-out dates to the consent file only for suppressed people', async () => {
  const rows = [
    'a@x.test,suppressed,2024-01-01',
    'a@x.test,unsubscribed,2023-05-06 07:08:09',
    'b@x.test,unsubscribed,2024-01-01',
    'c@x.test,bounced,',
    '=d@x.test,complained,2024-02-02',
  ];
  expect(await consentOf(csv('Email,Status,Unsubscribed At', ...rows))).toBe(
    csv(
      'address,state,date,file,line',
      'a@x.test,suppressed,2024-01-01T00:00:00.000Z,"old, list.csv",2',
      'a@x.test,unsubscribed,2023-05-06T07:08:09.000Z,"old, list.csv",3',
      '\'=d@x.test,complained,2024-02-02T00:00:00.000Z,"old, list.csv",6',
    ),
  );
});

test('writes no consent file when no suppressed person has an opt-out date', async () => {
  expect(await consentOf(csv('Email,Status', 'a@x.test,bounced'))).toBe('');
});
