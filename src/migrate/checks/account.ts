import { sizeOfAudience } from '../../api/resources/audiences.ts';
import type { Finding } from '../../base/finding.ts';
import { formatUtcMinute } from '../../base/lib/duration.ts';
import { formatNumber, joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import { writeKindsOf } from '../../run-lifecycle/data/run-options.ts';
import { LIMITS } from '../../wire/limits.ts';
import { type CheckContext, skippedCheck } from './check-context.ts';

/** The finding about the audience: its name and number of contacts, or that it will be created. */
export function audienceFinding(context: CheckContext): Finding {
  const { snapshot, createsAudience, options } = context;
  if (!snapshot) {
    const { create, name } = options.target;
    const wanted =
      create && name !== undefined ? `; "${terminalSafe(name)}" is created if no audience has that name` : '';
    const accountProblem = skippedCheck('audience', context);
    return { ...accountProblem, message: accountProblem.message + wanted };
  }
  if (createsAudience) {
    return {
      check: 'audience',
      level: 'pass',
      message: `audience "${terminalSafe(options.target.name ?? '')}" will be created`,
    };
  }
  if (!snapshot.audience) {
    return { check: 'audience', level: 'pass', message: 'suppressions belong to the account, not to an audience' };
  }
  const total = snapshot.audience.contact_counts?.total ?? 0;
  const message = `audience "${terminalSafe(snapshot.audience.name)}" (${terminalSafe(snapshot.audience.id)}) holds ${plural(total, 'contact')}`;
  return { check: 'audience', level: 'pass', message };
}

/**
 * The finding about the API key: it passes if the key can read the account. Only the first write shows whether the key
 * may also write.
 */
export function keyFinding(context: CheckContext): Finding {
  if (!context.snapshot) {
    return skippedCheck('key', context);
  }
  return writeKindsOf(context.options.command).writesContacts
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : {
        check: 'key',
        level: 'skipped',
        message:
          'not tested: this command reads nothing from the account, so only the first request shows whether the key may write',
      };
}

/**
 * Warns if the list was imported before, or an earlier version of it. A second import would undo changes that were made
 * to its people since. No warning if svc compares the list with the ledger: it then sends only what changed, and no
 * deleted person (G1). No warning either if `lostLedgerFindings` says that deleted people come back, unless the list
 * also opts people out.
 */
export function importedBeforeFindings(context: CheckContext): readonly Finding[] {
  const { earlierImport, survey, ledgerCounts, earlierAudience, options } = context;
  const { lists = [], lost } = ledgerCounts ?? {};
  const isCompared = lists.length > 0 && !lost && !options.changes?.full;
  const hasLostWarning = lost !== undefined && earlierAudience === undefined && survey.unsubscribed === 0;
  if (earlierImport === undefined || survey.contacts === 0 || isCompared || hasLostWarning) {
    return [];
  }
  const optsOut = survey.unsubscribed > 0 ? ', and opts out those who came back since' : '';
  const { run, startedAt, isSameList } = earlierImport;
  const before = isSameList
    ? `this list was imported before (${run}): importing it again`
    : `an earlier version of this list was imported on ${formatUtcMinute(startedAt).slice(0, 10)} (${run}): importing this one`;
  const message = `${before} brings back people of it who were deleted since${optsOut}`;
  return [{ check: 'imported_before', level: 'warn', message }];
}

/**
 * Warns about unfinished runs of other lists. After this run they can't continue (G10). A run that sends only opt-outs
 * still can, because otherwise people who left would stay subscribed.
 */
export function unfinishedListFindings({ unfinishedLists }: CheckContext): readonly Finding[] {
  return unfinishedLists.map(({ run, command, onlyOptOuts, header }) => {
    const list = [command, ...(header?.inputs ?? []).map(({ path }) => terminalSafe(path))].join(' ');
    const effect = onlyOptOuts
      ? 'so people who left may still be subscribed. It can continue after this run'
      : "and can't continue after this run: the rest of its list is not sent";
    const message = `${run} (${list}) is not finished, ${effect}`;
    const hint = `To finish it${onlyOptOuts ? '' : ' first'}: svc runs resume ${run}`;
    return { check: 'unfinished_list', level: 'warn', message, hint };
  });
}

/**
 * Warns if a list with topics goes to an audience that has people. A person may have left a topic there, and the topics
 * of the list replace that choice. The service document shows no way to keep it (C1).
 */
export function topicFindings({ snapshot, createsAudience, options }: CheckContext): readonly Finding[] {
  const counts = snapshot?.audience?.contact_counts;
  const isEmpty = createsAudience || (counts !== undefined && sizeOfAudience(counts) === 0);
  if (
    Object.keys(options.reading.topicValues).length === 0 ||
    isEmpty ||
    !writeKindsOf(options.command).writesContacts
  ) {
    return [];
  }
  const message = 'people who are in the audience already get the topics of the list, also topics that they left there';
  return [{ check: 'topics', level: 'warn', message }];
}

/**
 * Lists the attribute keys that the audience does not have. The service creates a custom field for each of these keys,
 * and a custom field can't be deleted. So more than --max-new-fields of them stop the run (F6).
 */
export function newFieldsFinding({ snapshot, newFields: keys, options }: CheckContext): Finding {
  const atMost = snapshot ? 'at most ' : 'the account was not checked, so at most ';
  const message =
    keys.length === 0
      ? 'no new custom field'
      : `${atMost}${plural(keys.length, 'new custom field')}, which cannot be deleted: ${joinAtMost(keys, 20)}`;
  if (keys.length > options.maxNewFields) {
    return {
      check: 'new_fields',
      level: 'stop',
      message,
      hint: `--max-new-fields ${keys.length}`,
      when: 'To create them',
      otherwise: [{ when: 'To send no attributes (or name some: --attributes a,b)', flags: '--attributes none' }],
      total: keys.length,
    };
  }
  return { check: 'new_fields', level: 'pass', message, total: keys.length };
}

/**
 * Stops if new people would bring the account above the cap of the free plan: 500 contacts in all audiences. The
 * service counts contacts by audience, so svc adds the counts up (P2). With --plan paid the check passes. It also
 * passes if the account is above the cap already, unless --plan free is given. svc never leaves people out to stay
 * below the cap (P1).
 */
export function accountPlanCapFinding(context: CheckContext): Finding {
  const { survey, snapshot, options, newPeople } = context;
  const findingOf = (level: Finding['level'], message: string): Finding => ({ check: 'plan_cap', level, message });
  if (options.plan === 'paid') {
    return findingOf('pass', 'paid plan: no subscriber cap');
  }
  if (!snapshot) {
    return skippedCheck('plan_cap', context);
  }
  const cap = LIMITS.freePlanSubscribers;
  if (snapshot.accountTotal > cap && options.plan !== 'free') {
    return findingOf(
      'pass',
      `the account holds at least ${plural(snapshot.accountTotal, 'contact')}, so it is not a free account`,
    );
  }
  const added = newPeople ?? survey.contacts;
  const sumOf = (bound: string) =>
    `${plural(snapshot.accountTotal, 'contact')} in all audiences and ${bound}${plural(added, 'new person', 'new people')}`;
  if (added === 0 || snapshot.accountTotal + added <= cap) {
    // If svc did not count the new people, the number is an upper limit: some may be in the audience already.
    const isExact = newPeople !== undefined || added === 0 || snapshot.accountTotal === 0;
    return findingOf('pass', `${sumOf(isExact ? '' : 'at most ')}: within the ${cap} of a free plan`);
  }
  const message = `${sumOf('')} make ${formatNumber(snapshot.accountTotal + added)}, and a free plan holds ${cap}; svc leaves no person out to stay within it`;
  return { ...findingOf('stop', message), hint: '--plan paid', when: 'If the account is on a paid plan' };
}
