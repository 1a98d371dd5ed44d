import type { Finding } from '../../base/finding.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural, shellFlag } from '../../base/lib/text.ts';
import { statusMapFlag } from '../../import/mapping/column-names.ts';
import { DATE_ORDER_ANSWERS } from '../../import/survey/checks/rows.ts';
import { isShortWord } from '../../import/survey/checks/unknown-status/unknown-status-answers.ts';
import type { InputConsentEnds } from '../../import/survey/survey-types.ts';
import { attributeKey } from '../../platforms/lib/attribute-keys.ts';
import type { State } from '../../platforms/lib/states.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Stops if the list subscribes people whose consent or membership has ended or may have ended (C10). A column says so,
 * such as `Consent valid until` or `Mitglied bis`. Only warns about a column whose header may mean something else, such
 * as `Valid until`. A consent holds until the end of its last day. A resume compares with the day on which the run
 * began, so that midnight does not stop it.
 */
export function consentEndFindings({
  survey,
  startedAt,
}: Pick<CheckContext, 'survey' | 'startedAt'>): readonly Finding[] {
  const today = new Date(startedAt).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return (survey.consentEnds ?? []).flatMap((ends) =>
    ends.end === 'validity'
      ? doubtfulFindings(ends, today)
      : [...stopsFor(ends, today, survey), ...(ends.end === 'unnamed' ? [] : unclearFindings(ends))],
  );
}

function stopsFor(ends: InputConsentEnds, today: string, survey: CheckContext['survey']): readonly Finding[] {
  return ends.end === 'consent' ? endedFindings(ends, today, survey) : endedMemberships(ends, today);
}

// Stops at memberships that have ended, and at past days in a column that is only called `End date`. Only the user
// knows whether the consent to mail ended too, so the first answer leaves these people out. No offered answer makes all
// rows opt-outs, because most days may be in the future.
function endedMemberships(ends: InputConsentEnds, today: string): readonly Finding[] {
  const { input, column, end } = ends;
  const { total, examples, dates } = endedRows(ends.days, today);
  const rows = plural(total, 'row says', 'rows say');
  const skip = answersFor(ends, dates, 'skip');
  const what =
    end === 'membership'
      ? `the membership has ended, according to the column "${column}"`
      : `the day in the column "${column}" has passed`;
  return total === 0
    ? []
    : [
        {
          check: 'consent_ends',
          level: 'stop',
          message: `${input}: ${rows} subscribed, but ${what}`,
          when: skip && `This skips ${plural(total, 'row')}`,
          hint: skip ?? 'If their consent to mail ended with it, take these rows out of the list',
          otherwise: [{ when: 'Only if these people still agree to get mail from you', flags: keepColumn(ends) }],
          examples,
          total,
        },
      ];
}

// Stops at consents that have ended. The first answer never opts out people whose consent still holds (C11).
function endedFindings(ends: InputConsentEnds, today: string, survey: CheckContext['survey']): readonly Finding[] {
  const { input, column, days } = ends;
  const sorted = new Map([...days].sort(([one], [other]) => (one < other ? -1 : 1)));
  const { total, examples, dates } = endedRows(sorted, today);
  const later = sumOf([...sorted].filter(([day]) => day >= today).map(([, { rows }]) => rows));
  if (total === 0) {
    return [];
  }
  const these = total === 1 ? 'this person' : `these ${formatNumber(total)} people`;
  const each = answersFor(ends, dates, 'unsubscribed');
  const flags = columnFlag(ends, 'unsubscribed_at');
  const all =
    later + ends.unclear.total === 0 && !asksAboutWords(survey)
      ? { when: `This adds ${these} as unsubscribed`, flags }
      : undefined;
  const first = each ? { when: 'This adds the people with these dates as unsubscribed', flags: each } : all;
  return [
    {
      check: 'consent_ends',
      level: 'stop',
      message: `${input}: ${plural(total, 'row says', 'rows say')} subscribed, but the consent has ended, according to the column "${column}"`,
      when: first?.when,
      hint: first?.flags ?? 'Take these rows out of the list, and import them as a list of people who left',
      otherwise: [
        ...(first
          ? []
          : [
              {
                when: `Only if all people with a date under "${column}" left, also the ${formatNumber(later)} whose consent still holds`,
                flags,
              },
            ]),
        {
          when: `Only if the dates under "${column}" don't end the consent to mail`,
          flags: columnFlag(ends, 'ignore'),
        },
      ],
      examples,
      total,
    },
  ];
}

// True if svc also asks about unknown status words. These words may be in the same column as the dates.
function asksAboutWords({ findings }: CheckContext['survey']): boolean {
  return findings.some(({ check, level }) => check === 'unknown_status' && level === 'stop');
}

// The flags that give a state to each of these cells. Undefined if there are too many cells, or if one of them is not a
// short word.
function answersFor({ answeredAs }: InputConsentEnds, cells: readonly string[], state: State): string | undefined {
  const values = [...new Set(cells)];
  return values.length > MAX_CELLS || !values.every(isShortWord)
    ? undefined
    : values.map((value) => statusMapFlag({}, `${answeredAs}:${value}`, state)).join(' ');
}

// The maximum number of cells that svc writes into an answer. A longer command is hard to paste.
const MAX_CELLS = 30;

function columnFlag({ answeredAs }: InputConsentEnds, field: string): string {
  return shellFlag('--map', `${answeredAs}=${field}`);
}

// The rows whose day has passed: their number, the first few, and the dates as written.
function endedRows(days: InputConsentEnds['days'], today: string) {
  const ended = [...days].filter(([day]) => day < today).map(([, rows]) => rows);
  return {
    total: sumOf(ended.map(({ rows }) => rows)),
    examples: ended.map(({ first }) => first).slice(0, MAX_EXAMPLES),
    dates: ended.map(({ first }) => first.value ?? ''),
  };
}

// The flag that makes the column a custom field, for example `--map End=attributes.end`. Then svc does not read it as
// consent.
function keepColumn(ends: InputConsentEnds): string {
  return columnFlag(ends, `attributes.${attributeKey(ends.column) || 'end'}`);
}

// Warns if days in a column such as `Valid until` have passed. The consent to mail may have ended on that day too.
function doubtfulFindings(ends: InputConsentEnds, today: string): readonly Finding[] {
  const { input, column } = ends;
  const { total, examples } = endedRows(ends.days, today);
  const rows = plural(total, 'row counts', 'rows count');
  return total === 0
    ? []
    : [
        {
          check: 'consent_ends',
          level: 'warn',
          message: `${input}: ${rows} as subscribed, although the day in the column "${column}" has passed`,
          hint: `If their consent to mail ended with it, take these rows out of the list. If not:\n${keepColumn(ends)}`,
          examples,
          total,
        },
      ];
}

const MAX_EXAMPLES = 5;

/**
 * Warns about opt-out dates in the future, such as `2062` for `2026`, or day and month in the wrong order. svc keeps
 * them: the person opted out, only the day is wrong (C12). The survey counts opt-outs by month, so a later day of this
 * month gives no warning.
 */
export function futureOptOutFindings({ survey, startedAt }: CheckContext): readonly Finding[] {
  const month = new Date(startedAt).toISOString().slice(0, 'YYYY-MM'.length);
  const later = Object.entries(survey.list.opted_out).filter(([name]) => name > month);
  const total = sumOf(later.map(([, rows]) => rows));
  const months = joinAtMost(
    later.map(([name]) => name),
    3,
  );
  const message = `${plural(total, 'opt-out date is', 'opt-out dates are')} in the future (${months}): ${total === 1 ? 'this person is' : 'these people are'} written as opted out, but with a date that can't be right`;
  const hint = 'Correct the dates in the list. If svc took the day for the month, add --date-order';
  return total === 0 ? [] : [{ check: 'future_opt_outs', level: 'warn', message, hint, total }];
}

// Stops at dates that svc can't read, because the consent may have ended on that day. About the end of a membership it
// only warns.
function unclearFindings(ends: InputConsentEnds): readonly Finding[] {
  const { input, column, unclear, end } = ends;
  const { total, shown: examples } = unclear;
  const finding = { check: 'consent_ends', examples, total };
  const unread = `${input}: svc can't read ${plural(total, 'date')} under "${column}"`;
  if (total === 0) {
    return [];
  }
  if (end !== 'consent') {
    const hint = unclear.eitherOrder > 0 ? ORDER_HINT : undefined;
    return [{ ...finding, level: 'warn', message: `${unread}: take out the people whose consent has ended`, hint }];
  }
  const cells = total <= examples.length ? examples.map(({ value = '' }) => value) : undefined;
  const answers =
    cells && (['skip', 'unsubscribed', 'subscribed'] as const).map((state) => answersFor(ends, cells, state));
  const [skip, left, stays] = answers ?? [];
  return [
    {
      ...finding,
      level: 'stop',
      message: `${unread}, so it does not know whether the consent has ended`,
      hint: skip ?? 'Write the dates as year, month and day in the list: 2026-12-31',
      when: skip && `This skips ${plural(total, 'row')}`,
      otherwise: [
        ...(unclear.eitherOrder > 0 ? DATE_ORDER_ANSWERS : []),
        ...(left ? [{ when: 'Only if the consent has ended on these dates', flags: left }] : []),
        ...(stays ? [{ when: 'Only if the consent still holds on these dates', flags: stays }] : []),
        {
          when: `Only if the dates under "${column}" don't end the consent to mail`,
          flags: columnFlag(ends, 'ignore'),
        },
      ],
    },
  ];
}

const ORDER_HINT =
  'If the day stands before the month in these dates, add --date-order dmy; if after it, --date-order mdy';
