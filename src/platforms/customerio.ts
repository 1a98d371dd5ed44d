import { isRecord, parseJson } from '../base/lib/json.ts';
import { isEmptyValue } from './lib/blank-cells.ts';
import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByColumns, yesNoColumn } from './lib/state-columns.ts';
import type { StatusReading } from './lib/states.ts';
import { NONE, SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

/** Customer.io people export. Its columns are the attributes that its user chose for the export. */
export const customerio = definePlatform({
  id: 'customerio',
  title: 'Customer.io',
  roles: {
    state: ['unsubscribed', 'cio_subscription_preferences'],
    internal: ['cio_id', 'id', 'created_at', '_created_in_customerio_at', '_last_emailed', 'anonymous_id'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'cio_id', 'cio_subscription_preferences');
    return ownCount > 0 ? 90 : /^customers-\d{4}-\d\d-\d\d_/.test(name) ? 75 : 0;
  },
  read: ({ header }) => ({
    ...stateByColumns(header, [
      yesNoColumn('unsubscribed', { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }),
      { header: 'cio_subscription_preferences', readingOf: topicState },
    ]),
    notConsentHeaders: ['cio_subscription_preferences'],
    isAddressOptional: true,
  }),
});

// The state in a cell such as `{"topics":{"topic_1":false}}`. If all topics are false, the person is unsubscribed. If
// only some are, svc asks, because only the user knows which topic is this newsletter. It also asks about an answer
// that is neither true nor false, and about a cell that it can't parse.
function topicState(cell: string): StatusReading {
  if (isEmptyValue(cell)) {
    return NONE;
  }
  const topics = parseJson(cell) ?? parseJson(fromPython(cell));
  const answers = isRecord(topics) ? [...new Set(leavesOf(topics).map((leaf) => String(leaf).toLowerCase()))] : ['?'];
  const isClear = answers.length < 2 && answers.every((answer) => answer === 'true' || answer === 'false');
  return !isClear ? { state: 'none', unknown: cell.trim() } : answers.includes('false') ? UNSUBSCRIBED : NONE;
}

// The cell as JSON, if a program wrote it in the form of Python: `{'topics': {'topic_1': False}}`.
function fromPython(cell: string): string {
  return cell.replaceAll("'", '"').replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase());
}

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
