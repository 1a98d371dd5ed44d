import type { Finding, OtherAnswer } from '../../base/finding.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import { statusMapFlag, wordInColumn } from '../../import/mapping/column-names.ts';
import { createInputNamer } from '../../import/source/source.ts';
import { isShortWord } from '../../import/survey/checks/unknown-status/unknown-status-answers.ts';
import { FILLED } from '../../import/survey/statistics/value-counts.ts';
import { headerOf, type Survey } from '../../import/survey/survey-types.ts';
import { stateSourceOf } from '../../platforms/lib/state-columns.ts';
import type { State } from '../../platforms/lib/states.ts';
import type { ImportOptions } from '../../run-lifecycle/data/run-options.ts';
import { SUPPRESSION_REASONS } from '../../wire/service-words.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Checks a list for `suppressions import`. A person who opted out of one list only is an unsubscribed contact, not a
 * suppression (C5). Warns if the list has both kinds of people. If it has unsubscribed contacts but no suppression,
 * stops and asks for a reason. Warns if it has neither. No finding if the survey already asks for a status.
 */
export function nothingSuppressedFindings({ survey, options }: CheckContext): readonly Finding[] {
  const { read } = survey.rows;
  const isAsked = survey.findings.some(({ check, level }) => check === 'no_status' && level === 'stop');
  const suppressed = sumOf(Object.values(survey.suppressions));
  const isUsual = suppressed > 0 && survey.unsubscribed === 0;
  if (options.command !== 'suppressions import' || isAsked || read === 0 || isUsual) {
    return [];
  }
  const leftOneList = `${plural(survey.unsubscribed, 'person', 'people')} left only one list, so svc does not suppress them`;
  if (suppressed > 0) {
    const message = `${leftOneList}; not imported here, svc migrate writes them as unsubscribed`;
    return [{ check: 'no_status', level: 'warn', message }];
  }
  const files = [...new Set(survey.inputs.map(({ name }) => name))].join(', ');
  const noSuppression =
    read === 1
      ? `the only row of ${files} is about no suppression`
      : `none of the ${formatNumber(read)} rows of ${files} is about a suppression`;
  if (survey.unsubscribed === 0) {
    return [{ check: 'no_status', level: 'warn', message: noSuppression }];
  }
  const [first, ...others] = (['unsubscribed', 'complained', 'bounced'] as const).flatMap((reason) => {
    const flags =
      isMixed(survey) || hasStateAnswers(options) ? flagsForOptedOut(survey, STATES[reason]) : `--reason ${reason}`;
    return flags === '' ? [] : [{ when: `If ${WHO_LEFT} are suppressed as ${reason}`, flags }];
  });
  return [
    {
      check: 'no_status',
      level: 'stop',
      message: `${noSuppression}: ${leftOneList}`,
      hint: first?.flags ?? 'Write the rows of these people to a file of their own, and import it with --reason',
      when: first?.when,
      otherwise: others,
      total: survey.unsubscribed,
    },
  ];
}

const WHO_LEFT = 'the people who left';

// True if the user gave other states than `unsubscribed`. svc refuses --reason together with such states.
function hasStateAnswers({ reading: { statusMap, defaultStatus } }: Pick<ImportOptions, 'reading'>): boolean {
  return [statusMap, defaultStatus].flatMap(Object.values).some((state) => state !== 'unsubscribed');
}

// True if the list also has other people than those who left one list, for example subscribed people. `--reason` would
// suppress them too, for ever (C5).
function isMixed({ unsubscribed, rows: { read, rejected, merged } }: Survey): boolean {
  return read - rejected - merged > unsubscribed;
}

// The flags that give a state to each word for people who left one list. Empty if no word says that they left, but a
// date or a file name.
function flagsForOptedOut({ inputs }: Survey, state: State): string {
  const nameOf = createInputNamer(inputs);
  const flags = inputs.flatMap((input) => {
    const header = headerOf(input);
    const answeredAs = inputs.length > 1 ? nameOf(input) : undefined;
    return [...input.values].flatMap(([index, counts]) =>
      [...counts.values()]
        .filter(
          ({ value, states }) => value !== '' && isShortWord(value) && states.has('unsubscribed') && states.size === 1,
        )
        .map(({ value }) => statusMapFlag({ answeredAs }, wordInColumn(header, index, value), state)),
    );
  });
  return flags.some((flag) => flag.includes(FILLED)) ? '' : flags.join(' ');
}

// Moves the answer `=suppressed` to the first place. For `suppressions import` it is the likeliest answer about an
// opt-out list.
function suppressedFirst(finding: Finding): Finding {
  const { hint = '', when, otherwise = [] } = finding;
  const suppressed = otherwise.find(({ flags }) => flags.endsWith('=suppressed'));
  const rest = otherwise.filter((answer) => answer !== suppressed);
  return suppressed === undefined
    ? finding
    : {
        ...finding,
        hint: suppressed.flags,
        when: suppressed.when,
        otherwise: [{ when: when ?? 'If these people opted out', flags: hint }, ...rest],
      };
}

// True if the first answer of the finding is `skip` or `subscribed`, which gives no reason for a suppression.
function givesNoReason({ hint = '' }: Finding): boolean {
  return /^--default-status \S.*=(?:skip|subscribed)'?$/.test(hint);
}

const STATES = { unsubscribed: 'suppressed', bounced: 'bounced', complained: 'complained' } as const;

const LEAVE_OUT = { when: 'To leave out the rows that are not about a suppression', flags: '--default-status skip' };

/** Changes the stops of the survey for `suppressions import`, which needs a reason for each suppression. */
export function forSuppressions(finding: Finding, options: ImportOptions, survey: Survey): Finding {
  if (options.command !== 'suppressions import' || finding.level !== 'stop') {
    return finding;
  }
  if (finding.check === 'unknown_status') {
    return { ...finding, otherwise: (finding.otherwise ?? []).map(withSuppressed) };
  }
  return finding.check === 'no_status' ? missingReasonFinding(finding, options, survey) : finding;
}

// This command does not write people who left only one list. So the answer `=unsubscribed` would change nothing (C5).
function withSuppressed(answer: OtherAnswer): OtherAnswer {
  const flags = answer.flags.replaceAll(/=unsubscribed(?='?(?: |$))/g, '=suppressed');
  const when = answer.when.replace(/ left \(.*\)$/, " may get no mail at all (this can't be undone)");
  return flags === answer.flags ? answer : { when, flags };
}

/**
 * Changes the stop for rows without a status: the answers of `suppressions import` are reasons for a suppression. A
 * reason counts for every row, and a suppression can't be undone. So the reasons come last if the list has a consent
 * column, which may say who wants mail (C11).
 */
function missingReasonFinding(finding: Finding, options: ImportOptions, survey: Survey): Finding {
  // The answer is about one of several files, and its name may give the reason. `--reason` would count for all files.
  if (options.inputs.length > 1 && finding.hint?.includes('=') && !givesNoReason(finding)) {
    return suppressedFirst(finding);
  }
  const stated = Object.entries(STATES).find(([, state]) => finding.hint?.endsWith(`=${state}`))?.[0] ?? 'unsubscribed';
  const reasons = [stated, ...SUPPRESSION_REASONS.filter((reason) => reason !== stated)];
  const hasStates = survey.inputs.some(({ reading }) => stateSourceOf(reading) !== undefined);
  const all = hasStateAnswers(options) ? 'If these people' : 'Only if all people of the list';
  const who = hasStates ? all : 'If they';
  const answers = reasons.map((reason) => ({
    when: `${who} are suppressed as ${reason}`,
    flags: hasStateAnswers(options)
      ? `--default-status ${STATES[reason as keyof typeof STATES]}`
      : `--reason ${reason}`,
  }));
  const [first, ...others] = hasStates ? [LEAVE_OUT, ...answers] : answers;
  return { ...finding, hint: first?.flags, when: first?.when, otherwise: others };
}
