import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../../../../src/base/finding.ts';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import {
  answerWithoutInput,
  createInputNamer,
  type NamedInput,
  namesOfInput,
} from '../../../../../src/import/source/source.ts';
import { isFlagsOnly } from '../../../../../src/run-lifecycle/stops/commands-for-stops.ts';
import { csv, type ReadList, readList } from '../../support.ts';
import { withFlags } from './paste-hints.ts';

const MEMBERS = csv('Email,Out', 'ana@x.test,x');

test.each([
  [['a.csv:Out=ignore'], {}, ['left@x.test']],
  [['Out=ignore'], {}, []],
  [[], { 'a.csv:Out:x': 'skip' }, ['left@x.test']],
  [[], { 'a.csv:x': 'skip' }, ['left@x.test']],
  [[], { x: 'skip' }, []],
])('applies an answer to the file that it names: map %j, words %j (C11)', async (map, statusMap, asked) => {
  const files = { 'a.csv': MEMBERS, 'b.csv': csv('Email,Out', 'left@x.test,x') };
  const { reading } = await readList(files, { map, statusMap, defaultStatus: { '*': 'skip' } });
  const stop = reading.findings.find(({ check, level }) => check === 'unknown_status' && level === 'stop');
  expect(stop?.examples?.map(({ file }) => file) ?? []).toEqual(asked.map(() => 'b.csv'));
});

test('refuses an answer when the file that it names has no such column (C11)', async () => {
  const files = { 'a.csv': MEMBERS, 'b.csv': csv('Email,Gone', 'left@x.test,x') };
  await expect(readList(files, { map: ['b.csv:Out=ignore'] })).rejects.toMatchObject({ code: 'unknown_column' });
});

test('offers to skip the main list when another list may name opt-outs (C11)', async () => {
  const files = { 'members.csv': csv('Email', 'ana@x.test'), 'b.csv': csv('Email,Out', 'left@x.test,x') };
  const { finding } = await readList(files);
  expect(finding('no_status')).toMatchObject({ hint: '--default-status members.csv=skip' });
});

/** Every sixth list of `pasted-lists.txt`, if it is one file. */
const LISTS = readFileSync(join(import.meta.dirname, 'pasted-lists.txt'), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((text) => text.split(/^-- |\n-- /m))
  .filter(({ length }, index) => length === 2 && index % 6 === 0)
  .map(([title = '', file = '']) => [title.trim(), `${file.slice(file.indexOf('\n') + 1).trimEnd()}\n`] as const);

/** What svc would do with the people of the second input. */
function secondPeople({ contacts, suppressions }: ReadList): readonly string[] {
  const sent = contacts.map(({ email, status }) => `${email} ${status ?? 'subscribed'}`);
  const suppressed = Object.entries(suppressions).flatMap(([why, emails]) => emails.map((email) => `${email} ${why}`));
  return [...sent, ...suppressed].filter((line) => line.startsWith('second-')).sort();
}

test('the flags of an answer for one input change no other input (C11)', async () => {
  const changed: unknown[] = [];
  let pasted = 0;
  for (const [title, first] of LISTS) {
    // The second list has the same columns, so an answer without a file name would count for it too.
    const files = { 'first.csv': first, 'second.csv': first.replaceAll(/(?=(?:good|left)\d)/g, 'second-') };
    const list = await readList(files).catch(() => undefined);
    const findings = list?.reading.findings ?? [];
    const stops = findings.filter(({ level, message }) => level === 'stop' && message.includes('first.csv'));
    const answers = stops.flatMap(({ hint = '', otherwise = [] }) => [hint, ...otherwise.map(({ flags }) => flags)]);
    for (const flags of new Set(answers.filter(isFlagsOnly))) {
      const after = await readList(files, withFlags({}, splitShellText(flags)));
      pasted += 1;
      if (secondPeople(after).join() !== secondPeople(list as ReadList).join()) {
        changed.push([title, flags]);
      }
    }
  }
  expect(changed).toEqual([]);
  expect(pasted).toBeGreaterThan(15);
});

const SAME_NAMES = [
  [{ path: 'list.csv' }, { path: 'old/list.csv' }],
  [{ path: '/lists/list.csv' }, { path: 'list.csv' }],
  [{ path: 'list.csv' }, { path: 'list.csv.gz' }],
  [
    { path: 'a.zip', entry: 'list.csv' },
    { path: 'a.zip', entry: 'Left/list.csv' },
  ],
  [
    { path: 'a.zip', entry: 'list.csv' },
    { path: 'b.zip', entry: 'list.csv' },
  ],
  [{ path: 'Left/list.csv' }, { path: 'a.zip', entry: 'Left/list.csv' }],
] as const;

test.each(SAME_NAMES)('gives two inputs names that answers can tell apart: %j, %j (C11)', (...inputs) => {
  const [first, second] = inputs.map(({ path, ...rest }) => {
    const entry = 'entry' in rest ? rest.entry : undefined;
    return { path, entry, name: basename(entry ?? path).replace(/\.gz$/, '') };
  }) as [NamedInput, NamedInput];
  const nameOf = createInputNamer([first, second]);
  for (const [named, other] of [
    [first, second],
    [second, first],
  ] as const) {
    expect(answerWithoutInput(`${nameOf(named)}:Out=ignore`, namesOfInput(named))).toBe('Out=ignore');
    expect(answerWithoutInput(`${nameOf(named)}:Out=ignore`, namesOfInput(other))).toBe(undefined);
    expect([namesOfInput(named).includes(nameOf(named)), namesOfInput(other).includes(nameOf(named))]).toEqual([
      true,
      false,
    ]);
  }
});

test('subscribes no person of b.zip when an answer is about a.zip (C11)', async () => {
  const files = { 'a.zip/list.csv': MEMBERS, 'b.zip/list.csv': csv('Email,Out', 'left@x.test,x') };
  const { finding } = await readList(files);
  const [answer] = finding('unknown_status')?.otherwise ?? [];
  expect(answer?.flags).toBe('--map a.zip/list.csv:Out=ignore');
  const after = await readList(
    files,
    withFlags({ defaultStatus: { '*': 'subscribed' } }, splitShellText(answer?.flags ?? '')),
  );
  expect(after.contacts.map(({ email }) => email)).toEqual(['ana@x.test']);
});

const TOPIC = { map: ['News=topics.top_1'], defaultStatus: { '*': 'subscribed' } };
const TWO_TOPICS = { 'a.csv': csv('Email,News', 'a@x.test,yes'), 'b.csv': csv('Email,News', 'b@x.test,yes') };

test.each([
  [{ 'a.csv:News': 'opt_in', 'b.csv:News': 'opt_out' }, ['opt_in', 'opt_out']],
  [{ News: 'opt_in', 'b.csv:News': 'opt_out' }, ['opt_in', 'opt_out']],
  [{ 'b.csv:News': 'opt_out', News: 'opt_in' }, ['opt_in', 'opt_out']],
])('sends the topic value that --topic-value gives for each input: %j', async (topicValues, sent) => {
  const { contacts } = await readList(TWO_TOPICS, { ...TOPIC, topicValues });
  expect(contacts.map(({ topics }) => topics)).toEqual(sent.map((value) => ({ top_1: value })));
});

test('refuses a topic without a value when --topic-value is for another input', async () => {
  const given = readList(TWO_TOPICS, { ...TOPIC, topicValues: { 'a.csv:News': 'opt_in' } });
  await expect(given).rejects.toMatchObject({ code: 'topic_value', exit: 2 });
});

test.each([
  ['Bounce type', 'soft', 'hard'],
  ['Type', 'Transient', 'Permanent'],
  ['Reason', '452 4.2.2 mailbox full', '550 5.1.1 no such user'],
])('the first offered answer suppresses no soft bounce: %s = %s (C6, C11)', async (header, soft, hard) => {
  const rows = Array.from({ length: 4 }, (_, nth) => `u${nth}@x.test,${nth === 0 ? soft : hard}`);
  const files = { 'bounces.csv': csv(`Email,${header}`, ...rows) };
  const answers = ({ hint, otherwise = [] }: Finding) => [hint, ...otherwise.map(({ flags }) => flags)].join(' ');
  for (const beside of [{}, { 'people.csv': csv('Email,Status', 'u0@x.test,active', 'b@x.test,active') }]) {
    const { finding } = await readList({ ...beside, ...files });
    const asked = finding('no_status');
    expect(asked?.hint ?? '').not.toContain('bounced');
    expect(asked === undefined || answers(asked).includes('bounces.csv=bounced')).toBe(true);
  }
});

test.each([
  [{}, '--map 2=email'],
  [{ 'list.csv': csv('Email,Backup,Status', 'ana@x.test,b@x.test,active') }, '--map left.txt:2=email'],
])('offers a column number when a list has no header, other inputs: %j (C11)', async (beside, hint) => {
  const files = { ...beside, 'left.txt': '2024-01-02,ana@x.test\n' };
  await expect(readList(files)).rejects.toMatchObject({ code: 'no_header', hint });
  const options = { map: [hint.replace('--map ', '')], defaultStatus: { 'left.txt': 'unsubscribed' } };
  const { contacts } = await readList(files, options);
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([['ana@x.test', 'unsubscribed']]);
});
