import { sumOf } from '../base/lib/rows.ts';
import { joinAtMost, plural } from '../base/lib/text.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import type { ImportOptions } from '../run-lifecycle/data/run-options.ts';
import { commonNextSteps, type EndSituation } from '../run-lifecycle/end/next-steps.ts';
import { commandToCompare } from './compare/command-to-compare.ts';

interface ImportSituation extends EndSituation {
  readonly options: ImportOptions;
  readonly survey: Survey;
  /** True if this process continued a run that an earlier process began. */
  readonly resumed: boolean;
}

/** What to do after an import, as lines to read or commands to type. */
export function nextStepsOfImport(situation: ImportSituation): string[] {
  const { options, status, code, rows, survey } = situation;
  if (rows.read === 0 && (status === 'completed' || status === 'planned')) {
    return [];
  }
  const mayHaveWritten = status === 'completed' || status === 'partial';
  const hasContacts = survey.contacts > 0 && options.command !== 'suppressions import';
  return [
    ...(mayHaveWritten ? unreadSteps(survey) : []),
    ...commonNextSteps(situation),
    ...(status === 'unverified' && code === undefined ? (hasContacts ? differenceSteps(situation) : [SEND_AGAIN]) : []),
    ...(mayHaveWritten && hasContacts ? sendingSteps(survey) : []),
  ];
}

/** Warns about opt-out rows whose address svc could not read. The people of these rows may still get mail. */
function unreadSteps({ unread = [], contacts, unsubscribed }: Survey): readonly string[] {
  const total = sumOf(unread.map((input) => input.unread));
  const nameList = joinAtMost(
    unread.map(({ name }) => name),
    3,
  );
  return total === 0 || contacts === unsubscribed
    ? []
    : [
        `Before you mail: ${plural(total, 'rejected row')} of ${nameList} ${total === 1 ? 'is' : 'are'} about people who opted out. They may still get mail.`,
      ];
}

const SEND_AGAIN = 'The same command sends the suppressions once more, and compares again.';

/**
 * The steps after a verification that found a difference. The first one compares the whole list, because the
 * verification read only a sample. A resumed run sent only the rest of the list, and another machine may have replaced
 * what the run sent before. So after a resume, a further step is the same command, which starts a new run of the whole
 * list.
 */
function differenceSteps({ header, resumed }: ImportSituation): string[] {
  const compare = `Compare the whole list with the audience: ${commandToCompare(header)}`;
  return resumed ? [compare, WRITE_AGAIN] : [compare];
}

const WRITE_AGAIN =
  'If another program changed these people before the resume, and this list is newer: the same command writes the whole list again.';

/** What the service document advises for the first emails after a migration. */
function sendingSteps(survey: Survey): string[] {
  const engaged = survey.engagement[0];
  return [
    'Verify the sending domain in the app before the first campaign.',
    engaged === undefined
      ? 'Send to the most engaged people first.'
      : `Send to the most engaged people first: the list tells them apart by "${engaged}".`,
  ];
}
