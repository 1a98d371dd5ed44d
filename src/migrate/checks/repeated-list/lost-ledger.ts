import type { Finding } from '../../../base/finding.ts';
import { plural, shellFile, shellWord } from '../../../base/lib/text.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import { readingFlagsOf } from '../../compare/reading-flags.ts';
import type { LostLedger } from '../../contact-ledger/lost-ledger.ts';
import type { CheckContext } from '../check-context.ts';

const CHECK = 'lost_ledger';

/** Stops if the ledger lacks people of earlier lists: svc would never notice that they are missing (G3). */
export function lostLedgerStop({ lostLedgerHints }: CheckContext, lost: LostLedger): Finding {
  const message = `${lostLedgerText(lost)}, so svc can't tell who is missing in this list`;
  return { check: CHECK, level: 'stop', message, hint: lostLedgerHints?.goOn };
}

/** Warns that all people are sent, because the ledger is lost. With --gone, `lostLedgerStop` stops instead. */
export function lostLedgerFindings(context: CheckContext): readonly Finding[] {
  const { ledgerCounts, snapshot, survey, options, lostLedgerHints, earlierAudience } = context;
  if (!ledgerCounts?.lost || !snapshot || options.changes?.gone || earlierAudience !== undefined) {
    return [];
  }
  const all = `all ${plural(survey.contacts, 'person is', 'people are')} sent`;
  const message = `${lostLedgerText(ledgerCounts.lost)}: ${all}, and ${DELETED_COME_BACK}`;
  return [{ check: CHECK, level: 'warn', message, hint: lostLedgerHints?.leavers }];
}

// Only the ledger says whom the audience had before. Without it a deleted person looks like a new one (G1).
const DELETED_COME_BACK = 'people of the list who were deleted in the app come back';

/** What happened to the ledger, as the start of a sentence. */
function lostLedgerText({ problem, run }: LostLedger): string {
  const lacks = run === undefined ? '' : `, and ${run} recorded a list in it`;
  switch (problem) {
    case 'none':
    case 'gone':
      return `the ledger of this audience is gone${lacks}`;
    case 'damaged':
      return 'the ledger of this audience is damaged';
    case 'no_key':
      return 'the key of the ledger, ledgers/contacts.key, is missing or damaged';
    case 'other_key':
      return 'the key of the ledger, ledgers/contacts.key, is not the one that made the ledger of this audience';
    case 'other_version':
      return 'another version of svc made the ledger of this audience';
    case 'lacks_list':
      return run === undefined
        ? 'the ledger of this audience was lost, and no list has been sent to its end since'
        : `the ledger of this audience lacks what ${run} recorded`;
  }
}

/** How the user continues after the ledger was lost, as whole commands. */
export function goOnHint(run: OpenRun, lost: LostLedger, audienceId: string): string {
  const { stateFolder, commandWith } = run;
  const command =
    commandWith?.('--full', ['--gone', '--max-gone', '--full']) ?? 'the same command with --full, without --gone';
  return [
    `If a backup has the newest folder "ledgers" of ${stateFolder}, restore it, and give the same command again.`,
    `If not, send the whole list once. No missing person is unsubscribed then, and ${DELETED_COME_BACK}:`,
    command,
    leaversHint(run, lost, audienceId).replace(': svc ', ':\nsvc '),
  ].join('\n');
}

/** How to find the people who left the list before the ledger was lost. The command reads the list as the run does. */
export function leaversHint(run: OpenRun, lost: LostLedger, audienceId: string): string {
  const since = lost.run === undefined ? 'before that' : `since ${lost.run}`;
  return `svc does not find the people who left the list ${since}. They are among those who are only in the audience: ${checkCommandOf(run, audienceId)}`;
}

/** The command that compares the list with the audience. It reads the list as the run does. */
export function checkCommandOf(run: OpenRun, audienceId: string): string {
  return [
    'svc contacts check',
    ...run.options.inputs.map(shellFile),
    '--audience',
    shellWord(audienceId),
    ...readingFlagsOf(run.typedCommand() ?? run.journal.header.typed),
  ].join(' ');
}
