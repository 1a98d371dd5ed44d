import type { Finding } from '../../base/finding.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural, shellFlag } from '../../base/lib/text.ts';
import type { InputConsentEnds } from '../../import/survey/survey-types.ts';
import { attributeKey } from '../../platforms/lib/attribute-keys.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Stops if the list subscribes people whose consent or membership has ended, according to a column such as `Consent
 * valid until` or `Mitglied bis` (C10). A date that can't be read is only a warning. So is a column whose header may
 * mean something else, such as `Valid until`. A consent holds until the end of its last day. A resume compares with the
 * day on which the run began, so that midnight does not stop it.
 */
export function consentEndFindings({
  survey,
  startedAt,
}: Pick<CheckContext, 'survey' | 'startedAt'>): readonly Finding[] {
  const today = new Date(startedAt).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return (survey.consentEnds ?? []).flatMap((ends) =>
    ends.end === 'validity'
      ? doubtfulFindings(ends, today)
      : [...stopsFor(ends, today), ...(ends.end === 'unnamed' ? [] : unclearFindings(ends))],
  );
}

function stopsFor(ends: InputConsentEnds, today: string): readonly Finding[] {
  return ends.end === 'consent' ? endedFindings(ends, today) : endedMemberships(ends, today);
}

// Stops at memberships that have ended, and at past days in a column that is only called `End date`. Only the user
// knows whether the consent to mail ended too. No offered answer makes all rows opt-outs, because most days may be in
// the future.
function endedMemberships(ends: InputConsentEnds, today: string): readonly Finding[] {
  const { input, column, end } = ends;
  const { total, examples } = endedRows(ends.days, today);
  const rows = plural(total, 'row says', 'rows say');
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
          hint: 'If their consent to mail ended with it, take these rows out of the list',
          otherwise: [{ when: 'Only if these people still agree to get mail from you', flags: keepColumn(ends) }],
          examples,
          total,
        },
      ];
}

function endedFindings(ends: InputConsentEnds, today: string): readonly Finding[] {
  const { input, column, answeredAs, days } = ends;
  const sorted = new Map([...days].sort(([one], [other]) => (one < other ? -1 : 1)));
  const { total, examples } = endedRows(sorted, today);
  const later = sumOf([...sorted].filter(([day]) => day >= today).map(([, { rows }]) => rows));
  if (total === 0) {
    return [];
  }
  const others = later === 0 ? '' : `, and ${formatNumber(later)} whose consent still holds`;
  return [
    {
      check: 'consent_ends',
      level: 'stop',
      message: `${input}: ${plural(total, 'row says', 'rows say')} subscribed, but the consent has ended, according to the column "${column}"`,
      when: `This adds ${total === 1 ? 'this person' : `these ${formatNumber(total)} people`} as unsubscribed${others}`,
      hint: shellFlag('--map', `${answeredAs}=unsubscribed_at`),
      otherwise: [
        {
          when: `Only if the dates under "${column}" don't end the consent to mail`,
          flags: shellFlag('--map', `${answeredAs}=ignore`),
        },
      ],
      examples,
      total,
    },
  ];
}

// The rows whose day has passed: their number, and the first few.
function endedRows(days: InputConsentEnds['days'], today: string) {
  const ended = [...days].filter(([day]) => day < today).map(([, rows]) => rows);
  return {
    total: sumOf(ended.map(({ rows }) => rows)),
    examples: ended.map(({ first }) => first).slice(0, MAX_EXAMPLES),
  };
}

// The flag that makes the column a custom field, for example `--map End=attributes.end`. Then svc does not read it as
// consent.
function keepColumn({ column, answeredAs }: InputConsentEnds): string {
  return shellFlag('--map', `${answeredAs}=attributes.${attributeKey(column) || 'end'}`);
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
 * them: the person opted out, only the day is wrong (C12). It counts by month, so it does not warn about this month.
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

function unclearFindings({ input, column, unclear }: InputConsentEnds): readonly Finding[] {
  const message = `${input}: svc can't read ${plural(unclear.total, 'date')} under "${column}": take out the people whose consent has ended`;
  return unclear.total === 0
    ? []
    : [{ check: 'consent_ends', level: 'warn', message, examples: unclear.shown, total: unclear.total }];
}
