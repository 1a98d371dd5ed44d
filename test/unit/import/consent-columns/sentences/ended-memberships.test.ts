import { expect, test } from 'vitest';
import { saysNothing } from '../vocabulary/golden.ts';

// An end with a time in words, and a membership that pauses. The status beside it says that the person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string): boolean {
  return saysNothing(header, 'gold', cell);
}

const ENDED = [
  'Membership|Choir|Custom 1: left July, left in summer, LEFT: July, left Q3, left spring 2022, left last year, ended in June, resigned July 2023, quit at the end of 2022, deleted since March',
  'Enrolment|Enrollment|Registration|Participation: left July, left 2023, left in May, gone since Easter',
  'Membership: leaves in July, leaving end of 2024, Left us in July',
  'Mitgliedschaft|Teilnahme: ausgetreten Ende 2022, Austritt Juli, gekündigt Sommer 22, ausgestiegen im Herbst',
  'Mitgliedschaft: weg seit Juli',
  'Adhésion: parti en juillet, a quitté en 2022, démission fin juin',
  'Socio|Membresía: baja julio, se fue en julio, dejó en mayo',
  'Socio: dimesso luglio 2022, uscito a luglio',
  'Lidmaatschap: vertrokken juli, opgezegd per juli, gestopt in maart',
  'Medlemskap: gick ur i juli, slutade i juli, utträdd 2022',
  'Członkostwo: odszedł w lipcu',
  '会員区分|休会|備考: 休会中, 休会, 脱会',
  '退会: 退会済',
].map((line) => line.split(': '));

test('asks about an ended membership with a time such as July or summer (C10)', () => {
  const pairs = ENDED.flatMap(([headers = '', ...cells]) =>
    headers.split('|').flatMap((header) =>
      cells
        .join(': ')
        .split(', ')
        .map((cell) => [header, cell] as const),
    ),
  );
  expect(pairs.length).toBeGreaterThan(60);
  expect(pairs.filter(([header, cell]) => isSilent(header, cell))).toEqual([]);
});

test.each([
  ['Membership', 'expires July'],
  ['Membership', 'lapsed July'],
  ['Membership', 'July 2023'],
  ['Membership', 'joined July'],
  ['Membership', 'renewed in July'],
  ['Membership', 'Left Bank'],
  ['Membership', '3 months left'],
  ['Mitgliedschaft', 'bis Juli'],
  ['Notes', 'fin de mes'],
  ['Notes', 'out this week'],
  ['Company', 'Dead by April'],
  ['City', 'May'],
])('asks nothing under %s about %s (C10)', (header, cell) => {
  expect(isSilent(header, cell)).toBe(true);
});
