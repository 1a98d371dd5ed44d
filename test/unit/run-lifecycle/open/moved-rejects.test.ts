import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resumeJournal } from '../../../../src/runs/store/open-journal.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { makeZip } from '../../import/make-zip.ts';

const HEADER = 'Email,Status,left_at,name';
const ANA = 'ana@example.com,subscribed,,Ana';
const LIST = [HEADER, ANA, 'ben at example.com,unsubscribed,05/03/2024,Ben'];
const FLAGS = '--map left_at=unsubscribed_at --map name=ignore';
const DMY = `--date-order dmy ${FLAGS}`;
const MDY = `--date-order mdy ${FLAGS}`;
const SAME_LINE = [HEADER, ANA, 'cy at x.test,unsubscribed,05/03/2024,Cy'];
const MARCH = Date.UTC(2024, 2, 5);
const MAY = Date.UTC(2024, 4, 3);

interface Moved {
  /** The lines of A/list.csv. */
  readonly list?: readonly string[];
  /** The lists that are imported after A/list.csv: its lines, the flags, and the exit code. */
  readonly later?: readonly (readonly [lines: readonly string[], flags: string, code: number])[];
  readonly name?: string;
  readonly command?: string;
  readonly isDeleted?: boolean;
  readonly flags?: string;
  /** Changes the text of the rejects file besides the correction. */
  change?(text: string): string;
  /** Changes the folder with the rejects file of the last run, whose path this is. */
  damage?(rejects: string): void;
}

async function importList(world: World, folder: string, lines: readonly string[], flags: string) {
  mkdirSync(join(world.folder, folder), { recursive: true });
  world.file(`${folder}/list.csv`, `${lines.join('\n')}\n`);
  await world.clock.advance(60_000);
  const { code, json, err } = await world.svc(`migrate ${folder}/list.csv --yes --json ${flags}`);
  const run: string = json.run;
  return { code, err, run, rejects: join(world.folder, 'state/svc/runs', run, 'rejects/list.csv') };
}

/** Imports A/list.csv and other lists, and gives the corrected rejects file of A back from another folder. */
async function giveMoved({
  list = LIST,
  later = [],
  name = 'list.csv',
  command = 'migrate',
  isDeleted = false,
  flags = '',
  change,
  damage,
}: Moved) {
  const world = await createWorld();
  const first = await importList(world, 'A', list, DMY);
  expect(first.code, first.err).toBe(3);
  const runs = [first.run];
  let last = first;
  for (const [index, [lines, more, code]] of later.entries()) {
    const other = await importList(world, `B${index}`, lines, more);
    expect(other.code, other.err).toBe(code);
    runs.push(other.run);
    last = other;
  }
  mkdirSync(join(world.folder, 'fix'));
  copyFileSync(first.rejects, join(world.folder, 'fix', name));
  correct(join(world.folder, 'fix', name), change);
  damage?.(last.rejects);
  isDeleted && (await world.svc(['runs', 'delete', first.run, '--confirm', first.run]));
  const notes: string[] = [];
  const { code, err } = await world.svc(`${command} fix/${name} --yes --json ${flags}`, {
    onEvent: (event) => event.type === 'note' && notes.push(event.message),
  });
  const { status, unsubscribed_at, attributes } = world.emulator.admin.contact('ben@example.com') ?? {};
  return { world, runs, notes, code, err, contact: { status, unsubscribed_at, attributes }, rejects: first.rejects };
}

function correct(path: string, change = (text: string) => text): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')).replaceAll(/ben at (?=\S+,unsubscribed,\d)/g, 'ben@'));
}

const READ_AS_BEFORE = { status: 'unsubscribed', unsubscribed_at: MARCH, attributes: '{}' };

test.each<readonly [what: string, moved: Moved]>([
  ['no other run has a list of that name', {}],
  ['the file was renamed', { name: 'list-corrected.csv' }],
  [
    'a later list of that name has other columns',
    { later: [[['Email,Status,left_at,name,City', `${ANA},Ulm`, 'cy at x.test,active,,Cy,Ulm'], MDY, 3]] },
  ],
  [
    'a later list of that name has other bad rows',
    { later: [[[HEADER, ANA, 'zed@example.com,subscribed,,Z', 'cy at x.test,unsubscribed,05/03/2024,C'], MDY, 3]] },
  ],
  ['a later list of that name has another bad person in the same line', { later: [[SAME_LINE, MDY, 3]] }],
  [
    'a later list of that name has another bad cell in the same line',
    { later: [[[HEADER, ANA, 'ben at example.com,unsubscribed,05/03/2024,Ben,x'], MDY, 3]] },
  ],
  ['svc_detail was cleared', { change: (text) => text.replace(/invalid_email,[^,]*/, 'invalid_email,') }],
  ['svc_reason was cleared', { change: (text) => text.replace('Email,invalid_email,', 'Email,,') }],
  ['svc_column was cleared', { change: (text) => text.replace('Email,invalid_email,', ',invalid_email,') }],
  ['svc_detail was corrected too', { change: (text) => text.replaceAll('ben at ', 'ben@') }],
  [
    'svc_detail was corrected too, and a later list has another bad person there',
    { change: (text) => text.replaceAll('ben at ', 'ben@'), later: [[SAME_LINE, MDY, 3]] },
  ],
  ['a spreadsheet added empty columns', { change: (text) => text.replaceAll('\n', ',,\n') }],
  [
    'a spreadsheet added empty columns, and svc_detail was corrected too',
    { change: (text) => text.replaceAll('ben at ', 'ben@').replaceAll('\n', ',,\n') },
  ],
  ['a spreadsheet added columns of blanks', { change: (text) => text.replaceAll('\n', ', ,\n') }],
  [
    'a spreadsheet removed empty columns',
    { list: LIST.map((line) => `${line},,`), change: (text) => text.replaceAll(',,\n', '\n') },
  ],
  ['svc_detail got blanks', { change: (text) => text.replace('invalid_email,ben at', 'invalid_email, ben  at') }],
  ['a later dry run had other answers', { later: [[LIST, `${MDY} --dry-run`, 0]] }],
  [
    'a later run with other answers was refused',
    { later: [[[HEADER, ...LIST.slice(1), 'dan@example.com,what,,Dan'], MDY, 5]] },
  ],
  ['a later run had the same answers', { later: [[LIST, `${DMY} --again`, 3]] }],
  ['a typed answer decides between two runs', { later: [[LIST, MDY, 3]], flags: '--date-order dmy' }],
])('reads moved rejects with the answers of their own run when %s (F9)', async (_, moved) => {
  const { code, err, contact, notes } = await giveMoved(moved);
  expect([code, contact, notes.filter((note) => note.includes('rejects'))], err).toEqual([0, READ_AS_BEFORE, []]);
});

/** What a person or a program can leave in the folder of rejects files. */
const DAMAGES: readonly (readonly [what: string, damage: (rejects: string) => void])[] = [
  ['has a subfolder', (rejects) => mkdirSync(join(dirname(rejects), 'old'))],
  ['has a link to nothing', (rejects) => symlinkSync('nothing', join(dirname(rejects), 'link.csv'))],
  ['has a link to itself', (rejects) => symlinkSync('link.csv', join(dirname(rejects), 'link.csv'))],
  ['has an empty file', (rejects) => writeFileSync(join(dirname(rejects), 'empty.csv'), '')],
  ['has a broken gzip file', (rejects) => writeFileSync(rejects, Buffer.from([0x1f, 0x8b, 8, 0, 1]))],
  ['has half a file', (rejects) => writeFileSync(rejects, `${readFileSync(rejects, 'utf8').slice(0, 80)},"`)],
  ['has a folder as a file', (rejects) => [rmSync(rejects), mkdirSync(rejects)]],
];

test.each(DAMAGES)('reads moved rejects when the folder of another run %s (F9)', async (_, damage) => {
  const other = [HEADER, ANA, 'zed@example.com,subscribed,,Z', 'cy at x.test,unsubscribed,05/03/2024,C'];
  const { code, err, contact, notes } = await giveMoved({
    later: [[other, `${MDY} --encoding utf-8`, 3]],
    damage,
  });
  expect([code, contact, notes.filter((note) => note.includes('rejects'))], err).toEqual([0, READ_AS_BEFORE, []]);
});

const BEN_AND_CY = [...LIST, 'cy at x.test,unsubscribed,05/03/2024,Cy', 'di at x.test,unsubscribed,05/03/2024,Di'];

/** Corrects one row of a rejects file and gives it back. Returns its own rejects file, and what the service holds. */
async function giveBack(world: World, rejects: string, person: string, place: 'moved' | 'in its place', flags: string) {
  const path = place === 'moved' ? join(world.folder, `${person}.csv`) : rejects;
  writeFileSync(path, readFileSync(rejects, 'utf8').replace(new RegExp(`,${person} at (?=\\S+,unsub)`), `,${person}@`));
  await world.clock.advance(60_000);
  const { code, err, out } = await world.svc(['migrate', path, '--yes', '--json', ...flags.split(' ').filter(Boolean)]);
  const next: string = out === '' ? '' : JSON.parse(out).files.rejects?.[0];
  const contact = world.emulator.admin.contacts().find(({ email }) => email.startsWith(`${person}@`));
  return {
    code,
    err,
    next,
    date: contact?.unsubscribed_at,
    name: contact?.first_name,
  };
}

test.each([
  ['moved', 'moved', 1],
  ['in its place', 'moved', 1],
  ['moved', 'in its place', 1],
  ['moved', 'moved', 2],
] as const)('reads the rest of rejects when they come back %s, then %s (F9)', async (before, after, imports) => {
  const world = await createWorld();
  let rejects = '';
  for (let nth = 1; nth <= imports; nth++) {
    const first = await importList(world, 'A', BEN_AND_CY, nth === 1 ? DMY : `${DMY} --again`);
    rejects = first.rejects;
  }
  const second = await giveBack(world, rejects, 'ben', before, '--map name=first_name');
  expect([second.code, second.date, second.name], second.err).toEqual([3, MARCH, 'Ben']);
  const third = await giveBack(world, second.next, 'cy', after, '');
  expect([third.code, third.date, third.name], third.err).toEqual([3, MARCH, 'Cy']);
  const last = await giveBack(world, third.next, 'di', after, '');
  expect([last.code, last.date, last.name], last.err).toEqual([0, MARCH, 'Di']);
});

test.each([
  ['busy', 'nothing', 0],
  ['refused', 'nothing', 0],
  ['planned', 'nothing', 0],
  ['busy', 'something', 2],
  ['refused', 'something', 2],
  ['failed', 'nothing', 2],
])('counts a later run for moved rejects when it ended %s and sent %s (F9)', async (status, sent, expected) => {
  const world = await createWorld();
  const { rejects } = await importList(world, 'A', LIST, DMY);
  const first = sent === 'nothing' ? 'ana at x.test,subscribed,,Ana' : 'new@example.com,subscribed,,New';
  const later = await importList(world, 'B', [HEADER, first, ...LIST.slice(2)], MDY);
  expect(later.code, later.err).toBe(3);
  const journal = resumeJournal(join(world.folder, 'state/svc'), later.run);
  journal.setStatus(status, 1, 0);
  journal.close();
  const { code, err } = await giveBack(world, rejects, 'ben', 'moved', '');
  expect(code, err).toBe(expected);
});

test('refuses moved rejects when two runs with other answers fit (F9)', async () => {
  const { world, code, err, runs, contact, rejects } = await giveMoved({ later: [[LIST, MDY, 3]] });
  expect([code, contact.status]).toEqual([2, undefined]);
  expect(JSON.parse(err).error.code).toBe('several_runs');
  for (const run of runs) {
    expect(err).toContain(run);
  }

  correct(rejects);
  const again = await world.svc(['migrate', rejects, '--yes', '--json']);
  expect([again.code, world.emulator.admin.contact('ben@example.com')?.unsubscribed_at], again.err).toEqual([0, MARCH]);
});

test.each<readonly [what: string, moved: Moved, code: number]>([
  ['its run was deleted', { isDeleted: true }, 5],
  ['its run was of another command', { command: 'contacts import' }, 5],
  [
    'only a list with other rows has the name',
    { isDeleted: true, later: [[[HEADER, 'cy,unsubscribed,,C'], MDY, 3]] },
    5,
  ],
  [
    'only a list with other people in the same lines has the name',
    { isDeleted: true, later: [[SAME_LINE, MDY, 3]] },
    5,
  ],
])('says that no earlier answers count for rejects when %s (F9)', async (_, moved, expected) => {
  const { code, notes, contact } = await giveMoved(moved);
  expect([code, contact.status]).toEqual([expected, undefined]);
  expect(notes.join('\n')).toContain('fix/list.csv is a rejects file');
});

/** Rejects files in which svc does not look for their run, and how often it should say so. */
const HIDDEN: readonly (readonly [
  what: string,
  name: string,
  hide: (rejects: string) => string | Buffer,
  count: number,
])[] = [
  ['in an archive', 'all.zip', (content) => makeZip([{ name: 'list.csv', content }]), 1],
  ['below a line of text', 'fix.csv', (text) => `Corrections of March\n\n${text}`, 1],
  [
    'in an archive with another',
    'all.zip',
    (content) =>
      makeZip(
        ['a.csv', 'b.csv', 'c.csv'].map((name) => ({ name, content: name === 'b.csv' ? LIST.join('\n') : content })),
      ),
    2,
  ],
];

test.each(HIDDEN)('says that no earlier answers count for rejects %s (F9)', async (_, name, hide, count) => {
  const world = await createWorld();
  const { rejects } = await importList(world, 'A', LIST, DMY);
  world.file(name, hide(readFileSync(rejects, 'utf8')));
  for (const options of [{}, { answers: ['no', 'no', 'no', 'no'] }]) {
    const notes: string[] = [];
    await world.svc(['migrate', name, ...(options.answers ? [] : ['--yes', '--json'])], {
      ...options,
      onEvent: (event) => event.type === 'note' && notes.push(event.message),
    });
    expect(notes.filter((note) => note.includes('where svc finds no run'))).toHaveLength(count);
  }
});

test('says nothing about answers when a typed one decides for rejects (F9)', async () => {
  const { notes, world } = await giveMoved({ later: [[LIST, MDY, 3]], flags: '--date-order mdy' });
  expect(notes.filter((note) => note.includes('rejects'))).toEqual([]);
  expect(world.emulator.admin.contact('ben@example.com')?.unsubscribed_at).toBe(MAY);
});
