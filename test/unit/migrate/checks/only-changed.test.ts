import { describe, expect, test } from 'vitest';
import type { CheckContext } from '../../../../src/migrate/checks/check-context.ts';
import { missingPeopleFindings } from '../../../../src/migrate/checks/repeated-list/missing-people.ts';
import { onlyChangedFindings } from '../../../../src/migrate/checks/repeated-list/only-changed.ts';

const ROWS = (rows: number) => ({ kind: 'rows', rows }) as const;
const PERCENT = (percent: number) => ({ kind: 'percent', percent }) as const;

interface Given {
  readonly counts?: object | undefined;
  readonly changes?: object;
  readonly survey?: object;
  readonly more?: object;
}

/** A list of 100 people after a list of 100 people, without a difference. */
function contextOf({ counts = {}, changes = {}, survey = {}, more = {} }: Given): CheckContext {
  const ledgerCounts = {
    ...{ known: 100, listed: 100, lists: [1], unchanged: 0, unchangedOptOuts: 0, missing: 0, newlyMissing: 0 },
    ...{ missedBefore: 0, heldBack: 0, unnamedRows: 0 },
    ...counts,
  };
  return {
    ...{ snapshot: {}, ledgerCounts, survey: { rows: { read: 100 }, contacts: 100, ...survey } },
    options: { changes: { full: false, gone: 'unsubscribe', maxGone: PERCENT(2), ...changes } },
    ...more,
  } as unknown as CheckContext;
}

const SURE = 'If you are not sure, only report';
const RENAME = `If this is another list, give its file a name of its own. ${SURE}`;
const REPORTS = 'If these people really left the list';

/** The last answer, which unsubscribes people. */
function only(people: string, limit: number) {
  return [
    {
      when: `Only if ${people} really left: they are unsubscribed, and svc can't undo it`,
      flags: `--max-gone ${limit}`,
    },
  ];
}

const SHAPE = 'If this is the right list: this run only reports, and svc then knows its new name and columns';

describe('people who are missing in a list', () => {
  test.each<[what: string, given: Given, finding: readonly unknown[]]>([
    ['none', {}, ['pass', 'no person of earlier lists is missing in this one']],
    [
      'one',
      { counts: { missing: 1 } },
      ['warn', '1 person of earlier lists is missing in this one, and will be unsubscribed'],
    ],
    [
      'two',
      { counts: { missing: 2 } },
      ['warn', '2 people of earlier lists are missing in this one, and will be unsubscribed'],
    ],
    [
      'three of a hundred',
      { counts: { missing: 3 } },
      [
        'stop',
        '3 people of 100 of earlier lists are missing in this one; the limit is 2 %',
        '--gone report --max-gone 3',
        SURE,
        only('these 3 people', 3),
      ],
    ],
    [
      'one of 49',
      { counts: { missing: 1, listed: 49 } },
      [
        'stop',
        '1 person of 49 of earlier lists is missing in this one; the limit is 2 %',
        '--gone report --max-gone 1',
        SURE,
        only('this person', 1),
      ],
    ],
    [
      'one of 50',
      { counts: { missing: 1, listed: 50 } },
      ['warn', '1 person of earlier lists is missing in this one, and will be unsubscribed'],
    ],
    [
      'as many as the limit',
      { counts: { missing: 5 }, changes: { maxGone: ROWS(5) } },
      ['warn', '5 people of earlier lists are missing in this one, and will be unsubscribed'],
    ],
    [
      'one more than the limit',
      { counts: { missing: 6 }, changes: { maxGone: ROWS(5) } },
      [
        'stop',
        '6 people of 100 of earlier lists are missing in this one; the limit is 5 people',
        '--gone report --max-gone 6',
        SURE,
        only('these 6 people', 6),
      ],
    ],
    [
      'more than one person',
      { counts: { missing: 2 }, changes: { maxGone: ROWS(1) } },
      [
        'stop',
        '2 people of 100 of earlier lists are missing in this one; the limit is 1 person',
        '--gone report --max-gone 2',
        SURE,
        only('these 2 people', 2),
      ],
    ],
    [
      'people of the list before the last, reported',
      { counts: { missing: 9, newlyMissing: 1, missedBefore: 8 }, changes: { gone: 'report' } },
      ['pass', '9 people of earlier lists are missing in this one: gone.csv names them'],
    ],
    [
      'too many new ones, reported',
      { counts: { missing: 9, newlyMissing: 2, missedBefore: 8 }, changes: { gone: 'report' } },
      ['stop', '2 people of 92 of earlier lists are missing in this one; the limit is 2 %', '--max-gone 2', REPORTS],
    ],
    [
      'half of them',
      { counts: { missing: 50 } },
      [
        'stop',
        '50 people of 100 of earlier lists are missing in this one; the limit is 2 %. This may be another list of the same name. Folders, and digits in a file name, do not count',
        '--gone report --max-gone 50',
        RENAME,
        only('these 50 people', 50),
      ],
    ],
    [
      'some of a list in another folder',
      { counts: { missing: 9, lastPath: '/srv/shop-a/users.csv' } },
      [
        'stop',
        '9 people of 100 of earlier lists are missing in this one; the limit is 2 %. This may be another list of the same name: the last one was /srv/shop-a/users.csv. Folders, and digits in a file name, do not count',
        '--gone report --max-gone 9',
        RENAME,
        only('these 9 people', 9),
      ],
    ],
    [
      'all of a list from standard input',
      { counts: { missing: 100, isPipe: true } },
      [
        'stop',
        '100 people of 100 of earlier lists are missing in this one; the limit is 2 %. This may be another list: all lists from standard input count as one list',
        '--gone report --max-gone 100',
        `If this is another list, save it in a file with a name of its own. ${SURE}`,
        only('these 100 people', 100),
      ],
    ],
    [
      'people of another list too',
      { counts: { missing: 1, held: 1 } },
      [
        'warn',
        '1 person of earlier lists is missing in this one, and will be unsubscribed; 1 more stays, because another list of this audience names them',
      ],
    ],
    [
      'only people of another list',
      { counts: { held: 2 } },
      [
        'pass',
        'no person of earlier lists is missing in this one; 2 more stay, because another list of this audience names them',
      ],
    ],
    [
      'people of another list, reported',
      { counts: { missing: 1, held: 2 }, changes: { gone: 'report' } },
      [
        'pass',
        '1 person of earlier lists is missing in this one: gone.csv names them; 2 more stay, because another list of this audience names them',
      ],
    ],
    [
      'one, and a row without an address',
      { counts: { missing: 1, unnamedRows: 1 } },
      [
        'warn',
        '1 person of earlier lists is missing in this one; they are only reported, because 1 row without a whole address may be about one of them',
      ],
    ],
    [
      'none, beside a row without an address',
      { counts: { unnamedRows: 1 } },
      ['pass', 'no person of earlier lists is missing in this one'],
    ],
    [
      'one, and three who are back',
      { counts: { missing: 1, back: 3 } },
      [
        'stop',
        'the last list of this name lacked 3 people whom this one has, so two lists may share the name, and 1 person of the other one would be unsubscribed. This may be another list of the same name. Folders, and digits in a file name, do not count',
        '--gone report --max-gone 3',
        RENAME,
        only('this person', 3),
      ],
    ],
    [
      'two, and one who is back',
      { counts: { missing: 2, back: 1 }, changes: { maxGone: PERCENT(2) } },
      ['warn', '2 people of earlier lists are missing in this one, and will be unsubscribed'],
    ],
    [
      'none, while three are back',
      { counts: { back: 3 } },
      ['pass', 'no person of earlier lists is missing in this one'],
    ],
    [
      'one, and three who are back, reported',
      { counts: { missing: 1, back: 3 }, changes: { gone: 'report' } },
      ['pass', '1 person of earlier lists is missing in this one: gone.csv names them'],
    ],
    [
      'one of a list with other columns',
      { counts: { missing: 1, otherShape: 'the list has a new column "A"' } },
      [
        'stop',
        'the list has a new column "A": svc unsubscribes no person if the name or the columns of the list changed',
        '--gone report',
        SHAPE,
      ],
    ],
    [
      'other columns and no missing person, reported',
      { counts: { otherShape: 'the list has a new column "A"' }, changes: { gone: 'report' } },
      ['pass', 'no person of earlier lists is missing in this one'],
    ],
    [
      'one of a list with other columns, reported',
      { counts: { missing: 1, otherShape: 'the list has a new column "A"' }, changes: { gone: 'report' } },
      ['warn', 'the list has a new column "A": the people of gone.csv may still be on the list'],
    ],
    [
      'all, because the list is empty',
      { survey: { rows: { read: 0 } }, counts: { missing: 100 } },
      [
        'stop',
        'the list is empty, and the last one was not: 100 people would be missing',
        'Check how the list was exported.',
      ],
    ],
    [
      'one, because the list is empty',
      { survey: { rows: { read: 0 } }, counts: { listed: 1 } },
      [
        'stop',
        'the list is empty, and the last one was not: 1 person would be missing',
        'Check how the list was exported.',
      ],
    ],
    [
      'none, when both lists are empty',
      { survey: { rows: { read: 0 } }, counts: { listed: 0 } },
      ['pass', 'no person of earlier lists is missing in this one'],
    ],
  ])('missing people are reported, or stop the run: %s (G7)', (_, given, [level, message, hint, when, otherwise]) => {
    expect(missingPeopleFindings(contextOf(given))).toEqual([{ check: 'gone', level, message, hint, when, otherwise }]);
  });

  test('does not check for missing people without --gone or account data (G7)', () => {
    expect(missingPeopleFindings(contextOf({ changes: { gone: undefined } }))).toEqual([]);
    expect(missingPeopleFindings(contextOf({ more: { ledgerCounts: undefined } }))).toEqual([]);
    const skipped = missingPeopleFindings(contextOf({ more: { snapshot: undefined } }));
    expect(skipped).toMatchObject([{ check: 'gone', level: 'skipped', message: expect.stringMatching(/\w/) }]);
  });
});

const HELD_HINT =
  'If a skipped word means that people left, answer it with =unsubscribed instead of =skip. If people bounced, complained or left everything, also import the list with svc suppressions import';

test.each<[what: string, given: Given, finding: readonly unknown[]]>([
  [
    'each person is as before',
    { survey: { contacts: 0 }, counts: { unchanged: 100 } },
    ['pass', '0 of 100 people are new or changed; 100 people are unchanged and not sent'],
  ],
  [
    'one changed',
    { survey: { contacts: 1 }, counts: { unchanged: 1 } },
    ['pass', '1 of 2 people are new or changed; 1 person is unchanged and not sent'],
  ],
  [
    'one person in all',
    { survey: { contacts: 1 } },
    ['pass', '1 of 1 person is new or changed; 0 people are unchanged and not sent'],
  ],
  ['all, with --full', { changes: { full: true } }, ['pass', '--full: all 100 people are sent']],
  [
    'all of the first list',
    { counts: { known: 0 } },
    ['pass', 'this machine has not sent a list to this audience before: all 100 people are sent'],
  ],
  [
    'all, for a new audience',
    { counts: { known: 0 }, more: { earlierAudience: 'aud_9' } },
    [
      'stop',
      'the last list went to another audience of this name, aud_9. svc does not know who left that audience, and all 100 people are to be sent',
      '--full',
      'Only if all these people still agree to get mail',
    ],
  ],
  [
    'all, for a new audience with --full',
    { counts: { known: 0 }, changes: { full: true }, more: { earlierAudience: 'aud_9' } },
    ['pass', 'this machine has not sent a list to this audience before: all 100 people are sent'],
  ],
])('says how many people --only-changed sends: %s (G3, C1)', (_, given, [level, message, hint, when]) => {
  expect(onlyChangedFindings(contextOf(given))).toEqual([{ check: 'only_changed', level, message, hint, when }]);
});

test.each<[count: number, full: boolean, start: string, end: string]>([
  [1, false, '1 person of earlier lists is in this one', 'this person, who may still get mail'],
  [2, false, '2 people of earlier lists are in this one', 'these people, who may still get mail'],
  [2, true, '2 people of earlier lists are in this one', 'these people, who may still get mail'],
])('warns when %i people of earlier lists are not sent, --full: %s (G11)', (heldBack, full, start, end) => {
  const [, ...findings] = onlyChangedFindings(contextOf({ counts: { heldBack }, changes: { full } }));
  const message = `${start}, but not sent: the row is skipped or rejected. The audience keeps the status of ${end}`;
  expect(findings).toEqual([{ check: 'held_back', level: 'warn', message, hint: HELD_HINT, total: heldBack }]);
});

test('does not check for changes without ledger counts or account data (G3)', () => {
  expect(onlyChangedFindings(contextOf({ more: { ledgerCounts: undefined } }))).toEqual([]);
  expect(onlyChangedFindings(contextOf({ more: { snapshot: undefined } }))).toMatchObject([
    { check: 'only_changed', level: 'skipped', message: expect.stringMatching(/\w/) },
  ]);
});
