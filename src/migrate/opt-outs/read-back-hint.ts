import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { commandToDelete } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';

/**
 * A difference between what was sent and what svc read back. `field` and `sent` are undefined if the contact is not in
 * the audience.
 */
export interface ReadBackDifference {
  readonly field?: string;
  readonly sent?: string;
  readonly message: string;
}

/**
 * The hint for differences between what was sent and what svc read back. A resume would find the same differences, so
 * the hint for an import names --again, which starts a new run with other keys. The hint for an enrollment names `svc
 * runs delete`.
 */
export function readBackHint(
  context: WriteContext,
  problems: readonly ReadBackDifference[],
  isReplayed: boolean,
): string {
  const advice = adviceOf(context, problems);
  const stale = 'The service repeated its stored response to this request, and wrote nothing now.';
  return [...advice, ...(isReplayed ? [stale] : []), ...againHint(context)].join('\n');
}

function adviceOf(context: WriteContext, problems: readonly ReadBackDifference[]): readonly string[] {
  const status = problems.find(({ field }) => field === 'status');
  if (status === undefined) {
    return ['Nothing more is sent. Compare these people in the app before you continue.'];
  }
  return status.sent === 'unsubscribed'
    ? [
        'Nothing more is sent. The service leaves people subscribed whom svc unsubscribes. In the app, unsubscribe everyone who left, or ask the service to correct this.',
      ]
    : explicitHint(context);
}

/**
 * The hint to use --explicit-status, if the service does not subscribe new people. An enrollment does not have this
 * flag.
 */
function explicitHint({ commandWith, journal: { header } }: WriteContext): string[] {
  const when =
    'Nothing more is sent. Someone who left since must stay unsubscribed. If the service does not subscribe new people';
  if (header.command === 'automations enroll') {
    return [`${when}, import them first: svc contacts import --explicit-status`];
  }
  return commandWith
    ? [`${when}:`, commandWith('--explicit-status')]
    : [`${when}: the same command with --explicit-status.`];
}

function againHint({ commandWith, options, journal }: WriteContext): string[] {
  const { header } = journal;
  const when = 'Once these contacts are correct, or the service was corrected';
  if (header.command === 'automations enroll') {
    return [`${when}: ${commandToDelete(journal)}. Then the same command, a day after the first time.`];
  }
  return commandWith
    ? [`${when}:`, commandWith(options.again ? '' : '--again')]
    : [`${when}: the same command with --again.`];
}

/** The name of a note in run.db: true if the pages of the audience show fewer people than its counts. */
export const HIDES_PEOPLE_NOTE = 'hides_people';

/** The words that say which command shows the people who left. An export shows only people whom the service lists. */
export function commandThatShowsOptedOut(journal: Pick<Journal, 'readNote'>): string {
  return journal.readNote(HIDES_PEOPLE_NOTE) === true
    ? '"svc contacts export" lacks those whom the service leaves out of its lists; "svc contacts get <address>" shows one of them'
    : '"svc contacts export" shows them';
}
