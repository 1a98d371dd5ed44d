import type { OtherAnswer } from '../../../../base/finding.ts';
import { plural } from '../../../../base/lib/text.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { LIKELY_CONSENT } from '../../../consent-columns/consent-likelihood.ts';
import { columnLabel, statusMapFlag, wordInColumn } from '../../../mapping/column-names.ts';
import { stateByName } from '../../../mapping/state/default-status.ts';
import { sourceLabel } from '../../../source/source.ts';
import { MAX_ANSWERS } from '../check-context.ts';
import { groupColumns } from '../grouped-blanks.ts';
import {
  agreementDateCandidates,
  dateAnswers,
  foreignAnswers,
  likeliestOf,
  mapCandidates,
  mappingCondition,
  proofFlags,
} from '../status-candidates.ts';
import { wordList } from '../topics.ts';
import { isShortWord } from '../unknown-status/unknown-status-answers.ts';
import { AGREED_ALL, type Answers, decidedByOthers, defaultStatusFlag, IF_LEFT, leaveOutText } from './answer-parts.ts';
import type { InputWithoutStatus } from './input-without-status.ts';
import { type LikelyAnswers, likelyAnswers } from './likely-answers.ts';
import { hasAgreed, hasUnreadReason, namesOptedOut } from './listed-opt-outs.ts';
import { namedAnswers, offeredState } from './named-answers.ts';

/**
 * The answers to offer for an input without a state. The first answer subscribes people only if a column says who
 * agreed or who opted out (C11).
 */
export function noStatusAnswers(input: InputWithoutStatus): Answers {
  const offered = offeredState(input);
  return offered === undefined ? answersByColumns(input) : namedAnswers(offered, input);
}

const AGREED_EVERYWHERE = 'Only if every person of each input without a status agreed to get mail from you';

// The answers for an input that does not itself say the state of its people. svc derives them from its columns.
function answersByColumns(input: InputWithoutStatus): Answers {
  const { surveyed, candidates } = input;
  const { table, statistics } = surveyed;
  const isUnclear = input.unclearBy !== undefined;
  const isMixed = input.isMixed || input.isDoubtful;
  const isNamed = isMixed || isUnclear || table.answeredAs !== undefined;
  const flagFor = (state: State) => (isNamed ? defaultStatusFlag(input, state) : `--default-status ${state}`);
  const ignored = ignoredText(input);
  const allAgreed = {
    when: `${isNamed || input.isOnlyInput ? AGREED_ALL : AGREED_EVERYWHERE}${ignored}`,
    flags: flagFor('subscribed'),
  };
  const likely = groupColumns(surveyed).length === 0 ? likelyAnswers(surveyed) : undefined;
  const agreed = likely && agreedAnswers(likely, { input, ignored, allAgreed });
  if (agreed && !isUnclear) {
    return agreed;
  }
  const likeliest = likeliestOf(candidates);
  const otherwise = [
    // If the name of the input says a state, svc does not offer to believe a yes in its rows.
    ...(agreed && stateByName(table.source) === undefined ? [{ when: agreed.when, flags: agreed.hint }] : []),
    ...(isUnclear && !isMixed ? [{ when: IF_LEFT, flags: flagFor('unsubscribed') }] : []),
    ...dateAnswers(candidates),
    ...foreignAnswers(candidates),
    ...topicAnswers(input, allAgreed),
    allAgreed,
  ];
  if (likeliest.length > 0 && !hasAgreed(table, statistics.status)) {
    return { hint: mapCandidates(likeliest), when: mappingCondition(likeliest), otherwise };
  }
  if (isMixed) {
    const when = `If the people of ${sourceLabel(table.source)} opted out`;
    const leaveOut = input.isOnlyInput ? { when: 'To leave them out', flags: flagFor('skip') } : decidedByOthers(input);
    return { hint: flagFor('unsubscribed'), when, otherwise: [leaveOut, ...otherwise] };
  }
  return !isUnclear && saysWhoOptedOut(input)
    ? { hint: allAgreed.flags, when: allAgreed.when }
    : { hint: flagFor('skip'), when: leaveOutText(input.rows), otherwise };
}

// The answer that unsubscribes the people who refuse a topic, and subscribes the others.
function topicAnswers(
  { surveyed: { table, statistics } }: InputWithoutStatus,
  allAgreed: OtherAnswer,
): readonly OtherAnswer[] {
  const refusing = statistics.topics.filter(({ withoutState }) => withoutState.words.size > 0);
  const words = refusing.flatMap(({ column: { index }, withoutState }) =>
    [...withoutState.words.keys()].map((word) => ({ index, word })),
  );
  if (
    words.length === 0 ||
    words.length > MAX_ANSWERS ||
    !words.every(({ word }) => isShortWord(word) && !word.includes('\u2026'))
  ) {
    return [];
  }
  const flags = words.map(({ index, word }) =>
    statusMapFlag(table, wordInColumn(table.header, index, word), 'unsubscribed'),
  );
  const columns = refusing.map(({ column }) => columnLabel(table.header, column.index)).join(' or ');
  const means = words.length > 1 ? 'these words mean' : 'this word means';
  const when = `Only if ${means} no mail at all in ${columns}, and all others agreed to get mail from you`;
  return [{ when, flags: [...flags, allAgreed.flags].join(' ') }];
}

// A text that names the columns about consent that the answer for the whole input ignores. It leaves out columns with
// the end of a consent, because svc compares their days with today in any case.
function ignoredText({ candidates, ignoredByMap, surveyed: { table, statistics } }: InputWithoutStatus): string {
  const likely = candidates
    .filter(({ likelihood, index }) => likelihood > 0 && !table.endsOfConsent.includes(index))
    .map(({ name }) => JSON.stringify(name));
  const refused = statistics.topics
    .filter(({ withoutState }) => withoutState.rows.total > 0)
    .map(({ column, withoutState }) => `${wordList(withoutState)} in ${columnLabel(table.header, column.index)}`);
  const ignored = [...likely, ...ignoredByMap, ...refused];
  return ignored.length > 0 ? `; this ignores ${ignored.join(' and ')}` : '';
}

// True if a blank means no opt-out: the list says who opted out, no other column could say it, and each reason is
// clear.
function saysWhoOptedOut({ surveyed, candidates, ignoredByMap }: InputWithoutStatus): boolean {
  const { table, statistics } = surveyed;
  const mayHideOptOuts = candidates.length > 0 || ignoredByMap.length > 0 || hasUnreadReason(table, statistics.status);
  return namesOptedOut(surveyed) && !mayHideOptOuts;
}

// The answers that svc offers if a yes in a column says who agreed. If a further column may say who opted out, or who
// never confirmed, an answer that uses it comes first.
function agreedAnswers(
  { index, flags, rows }: LikelyAnswers,
  { input, ignored, allAgreed }: { input: InputWithoutStatus; ignored: string; allAgreed: OtherAnswer },
) {
  const { candidates } = input;
  // If more rows have this word than have no state, other columns keep some of these rows out.
  const subscribed = rows > input.rows ? `up to ${plural(input.rows, 'row')}` : plural(rows, 'row');
  const agreed = { when: `This subscribes ${subscribed}${ignored}`, flags };
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
