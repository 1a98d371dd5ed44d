import { parseJsonStrictly } from '../base/lib/json.ts';
import { isFilledCell } from './lib/blank-cells.ts';
import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { describeColumns, stateByWord } from './lib/state-columns.ts';
import { rankOf, type StatusReading } from './lib/states.ts';
import {
  BOUNCED,
  bareWord,
  COMPLAINED,
  NONE,
  SUBSCRIBED,
  SUPPRESSED,
  skipFor,
  statusWords,
  UNSUBSCRIBED,
} from './lib/status-words.ts';

const CONSENT = statusWords(
  [SUBSCRIBED, 'SUBSCRIBED'],
  [UNSUBSCRIBED, 'UNSUBSCRIBED'],
  [skipFor('no_consent'), 'NEVER_SUBSCRIBED'],
);

const SUPPRESSIONS = statusWords(
  [SUPPRESSED, 'UNSUBSCRIBE', 'UNSUBSCRIBED', 'USER_SUPPRESSED'],
  [COMPLAINED, 'SPAM_COMPLAINT'],
  [BOUNCED, 'HARD_BOUNCE'],
  [skipFor('invalid'), 'INVALID_EMAIL'],
);

/** Klaviyo list or segment export. A person can be subscribed and suppressed at the same time; the suppression wins. */
export const klaviyo = definePlatform({
  id: 'klaviyo',
  title: 'Klaviyo',
  roles: {
    email: ['Email'],
    unsubscribed_at: ['Email Marketing Consent Timestamp'],
    state: ['Email Marketing Consent', 'Email Suppressions'],
    consent: ['IP Address', 'Source'],
    internal: [
      ...['Klaviyo ID', 'Latitude', 'Longitude', 'First Active', 'Last Active', 'Profile Created On', 'Date Added'],
    ],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Klaviyo ID', 'Email Marketing Consent', 'Email Suppressions');
    return ownCount > 0 ? 85 + 3 * ownCount : /klaviyo/i.test(name) ? 50 : 0;
  },
  read(shape) {
    const consentAt = findHeader(shape.header, 'Email Marketing Consent');
    const suppressionAt = findHeader(shape.header, 'Email Suppressions');
    const consent = stateByWord(shape.header, CONSENT, 'Email Marketing Consent');
    const readSuppressed = (cells: readonly string[]) => readSuppressions(cells[suppressionAt] ?? '');
    return {
      words: CONSENT,
      stateSource: describeColumns(shape.header, [consentAt, suppressionAt]),
      stateOf: (cells) => readSuppressed(cells) ?? consent.stateOf(cells),
      statusWordOf: (cells) => (readSuppressed(cells) ? undefined : consent.statusWordOf?.(cells)),
      // The timestamp is the time of the last change of consent. For a subscribed person that is the time of the
      // sign-up.
      isOptOutDate: (cells) => CONSENT.get(bareWord(cells[consentAt] ?? '')) === UNSUBSCRIBED,
      engagement: findHeader(shape.header, 'Last Open') >= 0 ? 'Last Open' : undefined,
      isAddressOptional: true,
    };
  },
});

/**
 * The state for the most restrictive reason in a cell, which has one word or a JSON list. If svc does not know a
 * reason, this reason becomes the unknown word. So does the whole cell if it is filled but has no reason: `true`, a
 * list of times. Undefined if the cell is blank.
 */
function readSuppressions(cell: string): StatusReading | undefined {
  if (!isFilledCell(cell)) {
    return undefined;
  }
  const reasons = reasonsIn(cell).filter((reason) => bareWord(reason) !== '');
  const statusReadings = reasons.map((reason) => SUPPRESSIONS.get(bareWord(reason)) ?? unknownReason(reason));
  const unknown = statusReadings.find((statusReading) => statusReading.unknown !== undefined);
  return unknown ?? statusReadings.reduce<StatusReading | undefined>(strongerReason, undefined) ?? unknownReason(cell);
}

// The reasons in a cell: all texts in its JSON, without times. A cell that is not JSON is split at its separators:
// `SPAM_COMPLAINT; HARD_BOUNCE`.
function reasonsIn(cell: string): readonly string[] {
  try {
    return textsIn(parseJsonStrictly(cell)).filter((text) => !/^[\d\s.:TZ+-]+$/.test(text));
  } catch {
    return cell.split(/[[\]",;|]+/);
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsIn);
  }
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function unknownReason(reason: string): StatusReading {
  return { ...NONE, unknown: reason.trim() };
}

function strongerReason(first: StatusReading | undefined, second: StatusReading): StatusReading {
  return first && rankOf(first.state) <= rankOf(second.state) ? first : second;
}
