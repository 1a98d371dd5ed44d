import type { Finding, OtherAnswer } from '../../../../base/finding.ts';
import { sumOf } from '../../../../base/lib/rows.ts';
import { plural, shellWord } from '../../../../base/lib/text.ts';
import { reasonOf, type State } from '../../../../platforms/lib/states.ts';
import { LIKELY_CONSENT } from '../../../consent-columns/consent-likelihood.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { isGenericYes, isPlainYesNo, readYesNo } from '../../../consent-columns/value-words.ts';
import { answerName, statusMapFlag } from '../../../mapping/column-names.ts';
import { hasUnusedName, stateByName } from '../../../mapping/state/default-status.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { type ValueCount, valuesInColumn } from '../../statistics/value-counts.ts';
import { groupColumns } from '../grouped-blanks.ts';
import { MAX_ANSWERS, type TableWithStatistics } from '../list-check.ts';
import {
  agreementDateCandidates,
  type Candidate,
  dateAnswers,
  foreignAnswers,
  likeliestOf,
  mapCandidates,
  mappingCondition,
  proofFlags,
} from '../status-candidates.ts';
import { hasAgreed, hasUnreadReason, namesOptedOut } from './listed-opt-outs.ts';

const IF_LEFT = 'If these people opted out';
const AGREED_ALL = 'Only if every one of these people agreed to get mail from you';
const AGREED_EVERYWHERE = 'Only if every person of each input without a status agreed to get mail from you';

export interface InputWithoutStatus {
  readonly surveyed: TableWithStatistics;
  readonly rows: number;
  readonly candidates: readonly Candidate[];
  /** The quoted headers of columns about consent from which `--map` takes no status. */
  readonly ignoredByMap: readonly string[];
  /** The state that the name of the input says. */
  readonly stateOfName: State | undefined;
  readonly isOnlyInput: boolean;
  /** True if the people may have opted out: only other inputs have a state, or the input's name is doubtful. */
  readonly isMixed: boolean;
  /** True if the name or a title of the input mentions people who opted out, but may mean others. */
  readonly isUnclear: boolean;
  /** The name by which an answer refers to the input. */
  readonly answeredAs: string;
}

/**
 * The answers to offer for an input without a state. The first answer subscribes people only if a column says who
 * agreed or who opted out (C11).
 */
export function noStatusAnswers(input: InputWithoutStatus): Answers {
  const { surveyed, rows, candidates, ignoredByMap, stateOfName, isMixed, isUnclear, answeredAs } = input;
  const { table, statistics } = surveyed;
  const { status } = statistics;
  const offered = isUnclear ? undefined : offeredState(input);
  // A suppression can't be undone, so it is not the first answer if some column says yes to mail.
  const isContradicted = offered !== undefined && reasonOf(offered) !== undefined && holdsYes(input);
  const flagFor = (state: State) => `--default-status ${shellWord(`${answeredAs}=${state}`)}`;
  if (offered && !stateOfName && status.distrustedRows === 0) {
    const optOutAnswer = { when: IF_LEFT, flags: flagFor(exceptSuppression(offered)) };
    const otherwise = [...suppressionAnswer(offered, flagFor), { when: AGREED_ALL, flags: flagFor('subscribed') }];
    return isContradicted || groupColumns(surveyed).length > 0
      ? { hint: flagFor('skip'), when: leaveOutText(rows), otherwise: [optOutAnswer, ...otherwise] }
      : { hint: optOutAnswer.flags, when: optOutAnswer.when, otherwise };
  }
  if (offered) {
    return status.distrustedRows === 0 && !isContradicted
      ? namedAnswers(offered, input, flagFor)
      : contradictedAnswers(offered, input, flagFor);
  }
  const likely = [
    ...candidates.filter(({ likelihood }) => likelihood > 0).map(({ name }) => JSON.stringify(name)),
    ...ignoredByMap,
  ];
  const ignored = likely.length > 0 ? `; this ignores ${likely.join(' and ')}` : '';
  const isNamed = isMixed || isUnclear || table.answeredAs !== undefined;
  const generalFlag = (state: State) => (isNamed ? flagFor(state) : `--default-status ${state}`);
  const allAgreed = {
    when: `${isNamed || input.isOnlyInput ? AGREED_ALL : AGREED_EVERYWHERE}${ignored}`,
    flags: generalFlag('subscribed'),
  };
  const answers = likelyAnswers(table, status);
  const agreed =
    answers !== undefined && groupColumns(surveyed).length === 0
      ? agreedAnswers(answers, { candidates, ignored, allAgreed })
      : undefined;
  if (agreed !== undefined && !isUnclear) {
    return agreed;
  }
  const likeliest = likeliestOf(candidates);
  const otherwise = [
    // If the name of the input says a state, svc does not offer to believe a yes in its rows.
    ...(agreed && stateByName(table.source) === undefined ? [{ when: agreed.when, flags: agreed.hint }] : []),
    ...(isUnclear && !isMixed ? [{ when: IF_LEFT, flags: flagFor('unsubscribed') }] : []),
    ...dateAnswers(candidates),
    ...foreignAnswers(candidates),
    allAgreed,
  ];
  if (likeliest.length > 0 && !hasAgreed(table, status)) {
    return { hint: mapCandidates(likeliest), when: mappingCondition(likeliest), otherwise };
  }
  if (isMixed) {
    return {
      hint: flagFor('unsubscribed'),
      when: `If the people of ${sourceLabel(table.source)} opted out`,
      otherwise: [
        input.isOnlyInput ? { when: 'To leave them out', flags: flagFor('skip') } : decidedByOthers(flagFor),
        ...otherwise,
      ],
    };
  }
  // A blank then means no opt-out: the list says who opted out, no other column may say it, and all reasons are clear.
  const mayHideOptOuts = candidates.length > 0 || ignoredByMap.length > 0 || hasUnreadReason(table, status);
  if (!isUnclear && namesOptedOut(surveyed) && !mayHideOptOuts) {
    return { hint: allAgreed.flags, when: allAgreed.when };
  }
  return { hint: generalFlag('skip'), when: leaveOutText(rows), otherwise };
}

function leaveOutText(rows: number): string {
  return `To leave out ${plural(rows, 'row')} without an answer`;
}

// The answers if a yes in the list says who agreed. Another column may still say who opted out, or who never confirmed.
function agreedAnswers(
  { index, flags, rows }: LikelyAnswers,
  { candidates, ignored, allAgreed }: { candidates: readonly Candidate[]; ignored: string; allAgreed: OtherAnswer },
) {
  const agreed = { when: `This subscribes ${plural(rows, 'row')}${ignored}`, flags };
  const otherColumns = likeliestOf(candidates).filter(
    ({ likelihood, index: other }) => likelihood >= LIKELY_CONSENT && other !== index,
  );
  if (otherColumns.length > 0) {
    return { hint: mapCandidates(otherColumns), when: mappingCondition(otherColumns), otherwise: [agreed, allAgreed] };
  }
  const proofs = agreementDateCandidates(candidates);
  const quotedNames = proofs.map(({ name }) => JSON.stringify(name)).join(' and ');
  const when = `This subscribes up to ${plural(rows, 'row')}, and no person with a blank in ${quotedNames}`;
  return proofs.length > 0
    ? { hint: [flags, ...proofs.map(proofFlags)].join(' '), when, otherwise: [agreed, allAgreed] }
    : { hint: agreed.flags, when: agreed.when, otherwise: [allAgreed] };
}

type Answers = Pick<Finding, 'hint' | 'when' | 'otherwise'>;
type FlagFor = (state: State) => string;

// True if a column that may be about mail holds a yes.
function holdsYes({ surveyed: { table, statistics }, candidates }: InputWithoutStatus): boolean {
  const likely = candidates.filter(({ likelihood }) => likelihood > 0);
  return (
    likelyAnswers(table, statistics.status) !== undefined ||
    likely.some(({ values }) => values.some(([value]) => isPlainYesNo(value) && readYesNo(value) === true))
  );
}

// The state to offer. People of an inactive list may have opted out. If there are other inputs, skipping these people
// is not enough, because a state in another input overrides a skip.
function offeredState({ surveyed: { table }, stateOfName, isOnlyInput }: InputWithoutStatus): State | undefined {
  return !isOnlyInput && hasUnusedName(table.source) ? 'unsubscribed' : (stateOfName ?? table.reading.suggestedState);
}

// A suppression also stops password mail and can't be undone, so another answer is offered before it.
function exceptSuppression(offered: State): State {
  return offered === 'suppressed' ? 'unsubscribed' : offered;
}

function suppressionAnswer(offered: State, flagFor: FlagFor): readonly OtherAnswer[] {
  const when = 'Only if they must get no mail at all, not even password mail; this cannot be undone';
  return offered === 'suppressed' ? [{ when, flags: flagFor(offered) }] : [];
}

function namedAnswers(
  offered: State,
  { surveyed: { table }, stateOfName }: InputWithoutStatus,
  flagFor: FlagFor,
): Answers {
  const agreed = { when: AGREED_ALL, flags: flagFor('subscribed') };
  if (offered === 'skip') {
    return { hint: flagFor(offered), otherwise: [agreed] };
  }
  if (stateOfName === 'skip') {
    return { hint: flagFor(offered), when: IF_LEFT, otherwise: [decidedByOthers(flagFor), agreed] };
  }
  // A suppression is offered first only if the name says so. Names such as `blacklist` usually mean opt-outs.
  return offered !== 'suppressed' || namesSuppressions(table)
    ? { hint: flagFor(offered) }
    : { hint: flagFor(exceptSuppression(offered)), when: IF_LEFT, otherwise: suppressionAnswer(offered, flagFor) };
}

function namesSuppressions({ source }: Table): boolean {
  return /suppress/i.test(source.entry ?? source.name);
}

function decidedByOthers(flagFor: FlagFor): OtherAnswer {
  return { when: 'Only if this input says nothing about mail; the other inputs decide then', flags: flagFor('skip') };
}

// The answers if the name or a title says opted out, but the rows say subscribed or a column says yes. A suppression is
// not the first answer, because it can't be undone. If there are other inputs, `skip` is not offered, because another
// input may subscribe people whom this one skips.
function contradictedAnswers(
  offered: State,
  { surveyed, isOnlyInput, stateOfName }: InputWithoutStatus,
  flagFor: FlagFor,
): Answers {
  const saying = stateOfName === undefined ? 'title' : 'name';
  const asNamed = { when: `If the ${saying} of the file is right`, flags: flagFor(offered) };
  const leaveOut = isOnlyInput
    ? { when: 'To leave these people out', flags: flagFor('skip') }
    : { when: 'To write these people as unsubscribed', flags: flagFor('unsubscribed') };
  const isFirst = reasonOf(offered) === undefined && (stateOfName !== undefined || groupColumns(surveyed).length === 0);
  const [first, ...others] = isFirst ? [asNamed] : [leaveOut, asNamed];
  const rowsRight = {
    when: `Only if the rows are right, not the ${saying}, and these people agreed to get mail`,
    flags: flagFor('subscribed'),
  };
  return { hint: first?.flags, when: first?.when, otherwise: [...others, rowsRight] };
}

interface LikelyAnswers {
  readonly index: number;
  readonly flags: string;
  readonly rows: number;
}

const MEANINGS_BEST_FIRST: readonly string[] = ['agreed', 'channel', 'optedOut', 'status', 'confirmed', 'active'];

// The flags that subscribe people by a yes in the column that most clearly means mail, or by a no in an opt-out column.
function likelyAnswers(table: Table, status: StatusStatistics): LikelyAnswers | undefined {
  const [best] = table.consentColumns
    .filter(
      ({ meaning, isDirectionUnknown }) =>
        MEANINGS_BEST_FIRST.includes(meaning) && (!isDirectionUnknown || meaning === 'agreed'),
    )
    .map((column) => ({ column, values: openValues(column, status) }))
    .filter(({ values }) => values.length > 0 && values.length <= MAX_ANSWERS)
    .sort(
      (first, second) =>
        MEANINGS_BEST_FIRST.indexOf(first.column.meaning) - MEANINGS_BEST_FIRST.indexOf(second.column.meaning) ||
        Number(isSameEverywhere(first.column, status)) - Number(isSameEverywhere(second.column, status)),
    );
  return (
    best && {
      index: best.column.index,
      flags: best.values
        .map(({ value }) =>
          statusMapFlag(table, `${answerName(table.header, best.column.index)}:${value}`, 'subscribed'),
        )
        .join(' '),
      rows: sumOf(best.values.map(({ states }) => states.get('none') ?? 0)),
    }
  );
}

// True for a column with the same text in all rows, such as a privacy notice that each person must accept.
function isSameEverywhere({ index }: ConsentColumn, { values }: StatusStatistics): boolean {
  return valuesInColumn(values, index).filter(({ rows }) => rows > 0).length < 2;
}

function openValues(
  { index, meaning, isDirectionUnknown, stateOf }: ConsentColumn,
  status: StatusStatistics,
): readonly ValueCount[] {
  const values = valuesInColumn(status.values, index).filter(({ states }) => (states.get('none') ?? 0) > 0);
  return values.filter(({ value }) => {
    const { state, unknown, agreesToMail } = stateOf(value);
    // `valid` under `Email status` is about the address, and `ok` under `Newsletter frozen` can be about anything.
    const agrees = agreesToMail && (!isGenericYes(value) || (meaning === 'agreed' && !isDirectionUnknown));
    const isPlain = agrees || (meaning === 'optedOut' && isPlainYesNo(value));
    return value !== '' && state === 'none' && unknown === undefined && isPlain;
  });
}
