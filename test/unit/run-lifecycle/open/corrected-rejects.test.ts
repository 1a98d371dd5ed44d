import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRun } from '../../../../src/runs/store/open-journal.ts';
import { createWorld } from '../../../support/world.ts';

const LIST = 'Email,State,Since,Note\nana@example.com,in,01.02.2024,x\nnot an address,out,03.02.2024,y\n';
const REJECTS =
  'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email,State,Since,Note\n' +
  'bad.csv,3,Email,invalid_email,,,ben@example.com,out,03.02.2024,y\n';
const FLAGS =
  '--from generic --map Note=ignore --status-map in=subscribed --status-map out=unsubscribed --attributes none ' +
  '--timezone Europe/Berlin --date-order dmy --encoding utf-8 --delimiter , --quote " --escape " ' +
  '--empty clear --duplicates reject --allow-joined-files';
const ANSWERS = {
  from: 'generic',
  map: ['Note=ignore'],
  statusMap: { in: 'subscribed', out: 'unsubscribed' },
  defaultStatus: {},
  attributes: 'none',
  topicValues: {},
  timezone: 'Europe/Berlin',
  dateOrder: 'dmy',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  empty: 'clear',
  duplicates: 'reject',
  allowJoinedFiles: true,
};

test.each([
  ['no flag', '', ANSWERS, 'unsubscribed'],
  [
    'other flags',
    '--map Since=ignore --status-map out=skip --timezone UTC --date-order mdy --encoding windows-1252',
    {
      ...ANSWERS,
      map: ['Note=ignore', 'Since=ignore'],
      statusMap: { in: 'subscribed', out: 'skip' },
      timezone: 'UTC',
      dateOrder: 'mdy',
      encoding: 'windows-1252',
    },
    undefined,
  ],
])('reads corrected rejects with the earlier answers and %s (C5, C10)', async (_, flags, answers, status) => {
  const world = await createWorld();
  const runWith = async (text: string, given: string) => {
    world.file('bad.csv', text);
    const words = `contacts import bad.csv --yes --json ${given}`.trim().split(' ');
    const { code, err, json } = await world.svc(words);
    return { code, err, run: code === 2 ? '' : json.run };
  };
  const first = await runWith(LIST, FLAGS);
  const { code, err, run } = await runWith(REJECTS, flags);
  expect([first.code, code], err).toEqual([3, 0]);
  const read = readRun(`${world.folder}/state/svc`, run, ({ header }) => header.options.reading);
  expect(read).toEqual(answers);
  expect(world.emulator.admin.contact('ben@example.com')?.status).toBe(status);
});

test.each(['out', 'Out', 'OUT', 'state:OUT', 'State:Out'])(
  'replaces the earlier answer when %s is given with corrected rejects (C1)',
  async (word) => {
    const world = await createWorld();
    world.file('bad.csv', LIST);
    const earlier = word.includes(':') ? 'State:out' : 'out';
    const first = await world.svc(
      `migrate bad.csv --yes --json --status-map in=subscribed --status-map ${earlier}=subscribed --date-order dmy`,
    );
    world.file('bad.csv', REJECTS);
    const { code, err } = await world.svc(`migrate bad.csv --yes --json --status-map ${word}=unsubscribed`);
    const ben = world.emulator.admin.contacts().find(({ email }) => email === 'ben@example.com');

    expect([first.code, code, ben?.status], err).toEqual([3, 0, 'unsubscribed']);
  },
);

test.each([
  ['--map Note=ignore', '--map Note=attributes.remark', [0, 'unsubscribed']],
  ['--map State=ignore --default-status subscribed', '--map State=status', [0, 'unsubscribed']],
  ['--status-map State:out=subscribed', '--status-map out=skip', [0, undefined]],
  ['--status-map bad.csv:2:out=subscribed', '--status-map out=skip', [0, undefined]],
  ['--status-map bad.csv:2:out=subscribed', '--status-map State:out=skip', [2, undefined]],
])('an earlier answer %s does not outrank the new answer %s (C1, C10)', async (earlier, now, expected) => {
  const world = await createWorld();
  world.file('bad.csv', LIST);
  const known = earlier.includes('out=') || earlier.includes('State=') ? '' : ' --status-map out=unsubscribed';
  const first = await world.svc(
    `migrate bad.csv --yes --json --status-map in=subscribed --date-order dmy ${earlier}${known}`,
  );
  world.file('bad.csv', REJECTS);
  const added = earlier.includes('State=') ? ' --status-map out=unsubscribed' : '';
  const { code, err } = await world.svc(`migrate bad.csv --yes --json ${now}${added}`);
  const ben = world.emulator.admin.contacts().find(({ email }) => email === 'ben@example.com');

  expect([first.code, code, ben?.status], err).toEqual([3, ...expected]);
});

test.each(['migrate', 'contacts import'])('keeps earlier answers when %s asks a question (F9)', async (command) => {
  const world = await createWorld();
  const rows = ['ana@example.com,subscribed,,Ana', 'ben at example.com,unsubscribed,05/03/2024,Ben'];
  world.file('list.csv', `Email,Status,left_at,name\n${rows.join('\n')}\n`);
  const flags = '--date-order dmy --map left_at=unsubscribed_at --map name=ignore';
  const first = await world.svc(`${command} list.csv --json ${flags}`);
  const [path = ''] = first.json.files.rejects;
  const corrected = readFileSync(path, 'utf8').replaceAll('ben at ', 'ben@');
  writeFileSync(path, `${corrected}list.csv,4,Email,invalid_email,,,cy@example.com,zzz,,Cy\n`);

  const asked: string[] = [];
  const { code, err } = await world.svc([...command.split(' '), path], {
    answers: ['leave these people out', 'no', 'y'],
    onAsk: (question) => asked.push(question),
  });

  const { unsubscribed_at, attributes } = world.emulator.admin.contact('ben@example.com') ?? {};
  expect([code, unsubscribed_at, attributes], err).toEqual([0, Date.UTC(2024, 2, 5), '{}']);
  expect(asked.filter((question) => question.includes('read two ways'))).toEqual([]);
});
