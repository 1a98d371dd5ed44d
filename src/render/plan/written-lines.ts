import { formatDuration } from '../../base/lib/duration.ts';
import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import type { Plan } from '../../migrate/types.ts';
import { pairs } from '../text/block.ts';
import type { Style } from '../text/style.ts';

/** What will be written and can it be undone (rules C5, C8, M5), with the requests and the time that takes. */
export function writtenLines(plan: Plan, enrollments: number | undefined, style: Style): string[] {
  const { contacts, requests, batches, estimated_seconds } = plan;
  const people = enrollments === undefined ? undefined : plural(enrollments, 'person', 'people');
  return pairs(
    [
      ...suppressionLines(plan),
      ['contacts', enrollments !== undefined && contacts === 0 ? undefined : contactWords(plan)],
      ['', contacts > 0 ? "a contact begins today: created_at can't be kept" : undefined],
      ['enrolments', people && `${people}, one request each; the flow mails them, and what is sent is billed`],
      [
        'requests',
        `${formatNumber(requests)}, ${batches > 0 ? `${plural(batches, 'batch')}, ` : ''}about ${formatDuration(estimated_seconds * 1000)}`,
      ],
    ],
    style,
  );
}

function suppressionLines({ suppressions }: Plan): [string, string][] {
  const present = Object.entries(suppressions).filter(([, count]) => count > 0);
  const counted = present.map(([reason, count]): [string, string] => [safe(reason), plural(count, 'suppression')]);
  return present.length === 0
    ? []
    : [...counted, ['', "suppressions hold for the whole account and can't be undone over this API"]];
}

function contactWords({ contacts, unsubscribed }: Plan): string {
  const left = unsubscribed > 0 ? `, ${formatNumber(unsubscribed)} of them as unsubscribed` : '';
  return formatNumber(contacts) + left;
}
