import { sizeOfAudience } from '../../../api/resources/audiences.ts';
import type { Finding } from '../../../base/finding.ts';
import { formatNumber, plural, terminalSafe } from '../../../base/lib/text.ts';
import { type ChangeCounts, countHeldBack } from '../../contact-ledger/change-counts.ts';
import { countMissingOptOuts } from '../../contact-ledger/people/named-addresses.ts';
import { type CheckContext, skippedCheck } from '../check-context.ts';
import { stateOfReplaced } from '../replaced-audience.ts';

/**
 * Says how many people --only-changed sends, and why it may send all of them (G3). Stops if the audience was deleted
 * and created again, because the new audience does not know who opted out (C1).
 */
export function onlyChangedFindings(context: CheckContext): readonly Finding[] {
  const { ledgerCounts, survey, snapshot, options } = context;
  const check = 'only_changed';
  if (!ledgerCounts) {
    return [];
  }
  if (!snapshot) {
    return [skippedCheck(check, context)];
  }
  const whole = plural(survey.contacts + ledgerCounts.unchanged, 'person is', 'people are');
  if (ledgerCounts.lost && context.earlierAudience === undefined) {
    return [];
  }
  if (ledgerCounts.known === 0) {
    return [firstListFinding(context, whole)];
  }
  if (options.changes?.full) {
    return [{ check, level: 'pass', message: `--full: all ${whole} sent` }, ...heldBackFindings(ledgerCounts)];
  }
  const unchanged = `${plural(ledgerCounts.unchanged - countHeldBack(ledgerCounts), 'person is', 'people are')} unchanged and not sent`;
  return [
    {
      check,
      level: 'pass',
      message: `${formatNumber(survey.contacts)} of ${whole} new or changed; ${unchanged}`,
    },
    ...heldBackFindings(ledgerCounts),
  ];
}

// The finding for the first list that this machine sends to an audience. `whole` is the start of a sentence: `600
// people are`.
function firstListFinding(context: CheckContext, whole: string): Finding {
  const { options, earlierAudience, checkCommand } = context;
  const check = 'only_changed';
  if (earlierAudience === undefined || options.changes?.full) {
    const message = `this machine has not sent a list to this audience before: all ${whole} sent`;
    if (!options.changes?.gone || !hasContacts(context)) {
      return { check, level: 'pass', message };
    }
    const compare = checkCommand === undefined ? '' : `. People who are only in the audience: ${checkCommand}`;
    return {
      check,
      level: 'warn',
      message: `${message}. The audience has contacts already, and --gone finds none of them missing this time`,
      hint: `If another machine or state folder sent earlier lists, use that state folder${compare}`,
    };
  }
  const message = `the last list went to another audience of this name, ${earlierAudience}${stateOfReplaced(context, earlierAudience)}. svc does not know who left that audience, and all ${whole} to be sent`;
  return { check, level: 'stop', message, hint: '--full', when: 'Only if all these people still agree to get mail' };
}

/** True if the audience has contacts, or if svc does not know how many it has. */
function hasContacts({ snapshot }: CheckContext): boolean {
  const { audience } = snapshot ?? {};
  return audience !== undefined && (!audience.contact_counts || sizeOfAudience(audience.contact_counts) > 0);
}

/**
 * Warns about people whom an earlier run sent, and whose rows this run skips or rejects. They keep their status in the
 * audience (G11).
 */
function heldBackFindings({ heldBack: count }: ChangeCounts): readonly Finding[] {
  if (count === 0) {
    return [];
  }
  const isOne = count === 1;
  const message = `${plural(count, 'person', 'people')} of earlier lists ${isOne ? 'is' : 'are'} in this one, but not sent: the row is skipped or rejected. The audience keeps the status of ${isOne ? 'this person, who' : 'these people, who'} may still get mail`;
  const hint =
    'If a skipped word means that people left, answer it with =unsubscribed instead of =skip. If people bounced, complained or left everything, also import the list with svc suppressions import';
  return [{ check: 'held_back', level: 'warn', message, hint, total: count }];
}

/**
 * Stops if a newer list of this name was sent while this run waited. Warns if the file of this list is older than that
 * of the last list. If missing people would be unsubscribed, this is a stop and not a warning: people who are only in
 * the newer list are not missing (G7).
 */
export function newerListFindings({ ledgerCounts, options, snapshot }: CheckContext): readonly Finding[] {
  const { newerRun, newerPath } = ledgerCounts ?? {};
  if (!ledgerCounts || !snapshot || (newerRun === undefined && newerPath === undefined)) {
    return [];
  }
  const report = '--gone report';
  if (newerRun !== undefined) {
    const message = `while this run waited, ${newerRun} sent a list of the same name, and its command was given later: this list is probably older`;
    const answer =
      options.changes?.gone === 'unsubscribe'
        ? { when: 'If this list is older, leave it out. Only to send it all the same', hint: report }
        : { hint: 'If this list is older, leave it out. Only to send it all the same, give the same command again.' };
    return [{ check: 'newer_list', level: 'stop', message, ...answer }];
  }
  const message = `the file of this list was changed before ${terminalSafe(newerPath ?? '')}, the last list of this name: this list may be older`;
  if (countMissingOptOuts(options.changes, ledgerCounts) === 0) {
    return [{ check: 'newer_list', level: 'warn', message }];
  }
  const people = plural(ledgerCounts.missing, 'person', 'people');
  return [
    {
      check: 'newer_list',
      level: 'stop',
      message: `${message}, and ${people} of the last one would be unsubscribed`,
      when: 'If this list is older, leave it out. If it is the newest, report once; the next run can unsubscribe people again',
      hint: report,
    },
  ];
}
