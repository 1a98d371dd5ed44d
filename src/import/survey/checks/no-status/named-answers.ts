import type { OtherAnswer } from '../../../../base/finding.ts';
import { reasonOf, type State } from '../../../../platforms/lib/states.ts';
import { groupColumns } from '../grouped-blanks.ts';
import {
  AGREED_ALL,
  type Answers,
  decidedByOthers,
  defaultStatusFlag,
  IF_LEFT,
  IF_NO_MAIL,
  leaveOutText,
} from './answer-parts.ts';
import type { InputWithoutStatus } from './input-without-status.ts';
import { holdsYes } from './likely-answers.ts';

/**
 * The state to offer for an input whose name, title or look is clear. If there are other inputs, skipping its people is
 * not enough, because a state in another input overrides a skip (C7).
 */
export function offeredState(input: InputWithoutStatus): State | undefined {
  const state = input.unclearBy === undefined ? statedBy(input) : undefined;
  return isSkipBesideOthers(input) ? 'unsubscribed' : state;
}

// The state that the name, the title or the look of an input says. It is `skip` for a list of bounces with soft
// bounces, because their addresses may still work (C6).
function statedBy({ surveyed, stateOfName, holdsSoftBounces }: InputWithoutStatus): State | undefined {
  const state = stateOfName ?? surveyed.table.reading.suggestedState;
  return state === 'bounced' && holdsSoftBounces ? 'skip' : state;
}

function isSkipBesideOthers(input: InputWithoutStatus): boolean {
  return !input.isOnlyInput && input.unclearBy === undefined && statedBy(input) === 'skip';
}

/**
 * The answers for an input if its name, a title or its look says the state of its people, as `unsubscribed.csv` does.
 */
export function namedAnswers(offered: State, input: InputWithoutStatus): Answers {
  const { distrustedRows } = input.surveyed.statistics.status;
  // A suppression can't be undone, so it is not the first answer if some column says yes to mail.
  const isContradicted = reasonOf(offered) !== undefined && holdsYes(input);
  if (distrustedRows === 0 && !input.stateOfName) {
    return answersForLook(offered, input, isContradicted);
  }
  return distrustedRows === 0 && !isContradicted ? answersForName(offered, input) : contradictedAnswers(offered, input);
}

// The answers if the name says nothing, but the input looks like an opt-out list.
function answersForLook(offered: State, input: InputWithoutStatus, isContradicted: boolean): Answers {
  const when = isSkipBesideOthers(input) ? IF_NO_MAIL : IF_LEFT;
  const optedOut = { when, flags: defaultStatusFlag(input, exceptSuppression(offered)) };
  const agreed = { when: AGREED_ALL, flags: defaultStatusFlag(input, 'subscribed') };
  const otherwise = [...suppressionAnswer(offered, input), ...answersForSkip(input), agreed];
  return isContradicted || groupColumns(input.surveyed).length > 0
    ? {
        hint: defaultStatusFlag(input, 'skip'),
        when: leaveOutText(input.rows),
        otherwise: [optedOut, ...otherwise],
      }
    : { hint: optedOut.flags, when: optedOut.when, otherwise };
}

function answersForName(offered: State, input: InputWithoutStatus): Answers {
  const hint = defaultStatusFlag(input, offered);
  const agreed = { when: AGREED_ALL, flags: defaultStatusFlag(input, 'subscribed') };
  if (statedBy(input) === 'skip') {
    const when = isSkipBesideOthers(input) ? IF_NO_MAIL : undefined;
    return { hint, when, otherwise: [...answersForSkip(input), agreed] };
  }
  // A suppression is offered first only if the name contains `suppress`. Names such as `blacklist` usually mean
  // opt-outs.
  if (offered !== 'suppressed' || namesSuppressions(input)) {
    return { hint };
  }
  const flags = defaultStatusFlag(input, exceptSuppression(offered));
  return { hint: flags, when: IF_LEFT, otherwise: suppressionAnswer(offered, input) };
}

// The answers if the name or a title says opted out, but the rows say subscribed or a column says yes. A suppression is
// not the first answer, because it can't be undone. If there are other inputs, `skip` is not offered, because another
// input may subscribe people whom this one skips.
function contradictedAnswers(offered: State, input: InputWithoutStatus): Answers {
  const { surveyed, isOnlyInput, stateOfName } = input;
  const saying = stateOfName === undefined ? 'title' : 'name';
  const asNamed = { when: `If the ${saying} of the file is right`, flags: defaultStatusFlag(input, offered) };
  const leaveOut = isOnlyInput
    ? { when: 'To leave these people out', flags: defaultStatusFlag(input, 'skip') }
    : { when: 'To write these people as unsubscribed', flags: defaultStatusFlag(input, 'unsubscribed') };
  const isFirst = reasonOf(offered) === undefined && (stateOfName !== undefined || groupColumns(surveyed).length === 0);
  const [first, ...others] = isFirst ? [asNamed] : [leaveOut, asNamed];
  const rowsRight = {
    when: `Only if the rows are right, not the ${saying}, and these people agreed to get mail`,
    flags: defaultStatusFlag(input, 'subscribed'),
  };
  return { hint: first?.flags, when: first?.when, otherwise: [...others, rowsRight] };
}

// Further answers for an input whose people get no mail, but did not all opt out.
function answersForSkip(input: InputWithoutStatus): readonly OtherAnswer[] {
  const when = 'Only if mail to all of them fails for good; this cannot be undone';
  return [
    ...(isSkipBesideOthers(input) ? [decidedByOthers(input)] : []),
    ...(input.holdsSoftBounces ? [{ when, flags: defaultStatusFlag(input, 'bounced') }] : []),
  ];
}

// A suppression also stops password mail and can't be undone, so another answer is offered before it.
function exceptSuppression(offered: State): State {
  return offered === 'suppressed' ? 'unsubscribed' : offered;
}

function suppressionAnswer(offered: State, input: InputWithoutStatus): readonly OtherAnswer[] {
  const when = 'Only if they must get no mail at all, not even password mail; this cannot be undone';
  return offered === 'suppressed' ? [{ when, flags: defaultStatusFlag(input, offered) }] : [];
}

function namesSuppressions({ surveyed: { table } }: InputWithoutStatus): boolean {
  return /suppress/i.test(table.source.entry ?? table.source.name);
}
