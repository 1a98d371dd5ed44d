import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

const ENDS = ['% bis 2021', '% until 2021', '% -> weg', '%->N', '%→n', 'was %', '% (old)', '(%)', '[%]', '-%', '–%'];
const MORE = ['% / o', '%, abgesagt', 'früher %', '% nur Post', '%?? weg', 'nicht %'];

test.each(['x', 'X', 'Y', 'j', '✓', '1'])(
  'asks about the tick %s when its cell also says that it ended (C10)',
  async (tick) => {
    for (const header of ['Newsletter', 'Mailing', 'Opt-in']) {
      for (const end of [...ENDS, ...MORE]) {
        const cell = end.replace('%', tick);
        const ticks = ['1', '2', '3', '4', '5', '6'].map((at) => `p${at}@x.test,active,${tick}`);
        const list = csv(`Email,Status,${header}`, ...ticks, `left@x.test,active,"${cell}"`);
        const { contacts, finding } = await readList({ 'list.csv': list });
        const isMailed = contacts.some(({ email }) => email === 'left@x.test');
        expect([header, cell, isMailed, finding('unknown_status')?.level]).toEqual([header, cell, false, 'stop']);
        expect(contacts.length).toBe(ticks.length);
      }
    }
  },
);

test('asks about each ended tick when a column has several of them (C10)', () => {
  const cells = ['x bis 2021', 'x -> weg', 'Y->N', 'was Y', 'Y until 2021', 'Y (old)', 'x / o', '(x)', '-x'];
  const rows = [...Array.from({ length: 6 }, () => 'x'), ...cells].map((cell) => [cell]);
  const table = tableOf(['Newsletter'], { rows });
  expect(cells.filter((cell) => !['asked', 'refused'].includes(meaningOf(table, cell)))).toEqual([]);
  expect(meaningOf(table, 'x')).toBe('agrees');
});

const PERIODS = ['2018-2020', '2018 – 2020', '2018-01-01 - 2020-01-01', '01.02.2018 bis 03.04.2020', '2018 to 2020'];

test.each(PERIODS)('asks about the period %s under Newsletter (C10)', (period) => {
  const table = tableOf(['Newsletter'], { rows: [['2020-'], [period], ['2019']] });
  expect(meaningOf(table, period)).toBe('refused');
});

test.each(['Subscriber', 'Member', 'Mitglied'])('does not ask about a period under %s (C10)', async (header) => {
  const rows = ['2019-2030', '2018-2020', '2018-01-01 - 2020-01-01'].map((cell) => `${cell}@x.test,active,${cell}`);
  const list = csv(`Email,Status,${header}`, ...rows.map((row, at) => row.replace(/^[^@]*/u, `p${at}`)));
  const { contacts, finding } = await readList({ 'list.csv': list });
  expect([contacts.length, finding('unknown_status')]).toEqual([3, undefined]);
});

const ORDINARY = ['x', 'X', ' x ', 'x 2021', 'x 12.03.2019', 'x since 2019-01-01', 'x.'];

test('does not ask about a tick with the day of the sign-up (C10)', () => {
  const rows = [...Array.from({ length: 6 }, () => 'x'), ...ORDINARY].map((cell) => [cell]);
  const table = tableOf(['Newsletter'], { rows });
  expect(ORDINARY.filter((cell) => !['agrees', '-'].includes(meaningOf(table, cell)))).toEqual([]);
});

const BESIDE = ['% (web)', '% Messe', '% 2024-01-02 10:33', '%, 12.3.2019, web form', '% 2021 (Stand)', '% - 2021'];

test.each(['x', 'Y', '✓'])('does not ask about other words beside the tick %s (C10)', (tick) => {
  for (const header of ['Newsletter', 'Mailing']) {
    for (const text of BESIDE) {
      const cell = text.replace('%', tick);
      const rows = [...Array.from({ length: 6 }, () => tick), cell].map((value) => [value]);
      expect(`${cell}: ${meaningOf(tableOf([header], { rows }), cell)}`).not.toContain('asked');
    }
  }
});

const NUMBERED: readonly (readonly [string, string, string])[] = [
  ['Opt-in source', 'X', 'X Ads'],
  ['Consent version', '1', '1.2'],
  ['Opt-in date', '1', '1 May 2020'],
  ['Newsletter Version', 'x', 'x alt'],
  ['Newsletter', '1', '1.2'],
];

test.each(NUMBERED)('does not take the cells under %s with %s and %s for ended ticks (C10)', (header, tick, cell) => {
  const rows = [tick, tick, tick, cell, cell].map((text) => [text]);
  expect(['-', 'agrees']).toContain(meaningOf(tableOf([header], { rows }), cell));
});

const LISTS = ['Weekly', 'Y Magazine', '1', '2', '3', 'News 1', '1 Weekly', 'Generation X', '2020-01-01', '2020'];

test('does not ask about the names of lists and about days (C10)', () => {
  const table = tableOf(['Newsletter'], { rows: LISTS.map((cell) => [cell]) });
  expect(LISTS.filter((cell) => !['agrees', '-'].includes(meaningOf(table, cell)))).toEqual([]);
  const boxes = tableOf(['Newsletter'], { rows: ['[x]', '(x)', '[x]'].map((cell) => [cell]) });
  expect(meaningOf(boxes, '(x)')).toBe('agrees');
});
