import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { TableReading, TableShape } from './lib/platform.ts';
import type { StatusReading } from './lib/states.ts';
import { BOUNCED, COMPLAINED, NONE, SUPPRESSED, skipFor } from './lib/status-words.ts';

/** Mailgun suppressions of one sending domain: a file each for bounces, unsubscribes and complaints. */
export const mailgun = definePlatform({
  id: 'mailgun',
  title: 'Mailgun',
  roles: { email: ['address'], unsubscribed_at: ['created_at'], state: ['code', 'tags'], isInternal: () => true },
  certainty(shape) {
    const { header, name } = shape;
    if (findHeader(header, 'address') < 0) {
      return 0;
    }
    const kind = exportKindOf(shape);
    return kind === 'bounces' || kind === 'unsubscribes'
      ? 85
      : kind === 'complaints'
        ? 80
        : /mailgun/i.test(name)
          ? 50
          : 0;
  },
  read(shape) {
    const { header } = shape;
    const kind = exportKindOf(shape);
    const codeAt = findHeader(header, 'code');
    const tagsAt = findHeader(header, 'tags');
    const rules: Readonly<Record<Kind, TableReading['stateOf']>> = {
      bounces: (cells) => byCode((cells[codeAt] ?? '').trim()),
      unsubscribes: (cells) => byTags(cells[tagsAt] ?? ''),
      complaints: () => COMPLAINED,
      unclear: () => NONE,
    };
    const from = {
      bounces: 'column "code"',
      unsubscribes: 'column "tags"',
      complaints: 'file name',
      unclear: undefined,
    };
    const suggestedState = kind === 'unclear' ? 'suppressed' : undefined;
    // The column `error` only explains the code, so svc does not search it for consent. In other lists such a text can
    // be the only sign of a bounce.
    const notConsentHeaders = kind === 'bounces' ? ['error'] : [];
    return { stateSource: from[kind], stateOf: rules[kind], suggestedState, notConsentHeaders };
  },
});

type Kind = 'bounces' | 'unsubscribes' | 'complaints' | 'unclear';

function exportKindOf({ header, name }: TableShape): Kind {
  if (countHeaders(header, 'address', 'code', 'error') === 3) {
    return 'bounces';
  }
  if (countHeaders(header, 'address', 'tags', 'created_at') === 3) {
    return 'unsubscribes';
  }
  return /complaint/i.test(name) && countHeaders(header, 'address', 'created_at') === 2 ? 'complaints' : 'unclear';
}

const SOFT_BOUNCE = skipFor('soft_bounce');
const PARTIAL = skipFor('left_a_tag');

function byCode(code: string): StatusReading {
  return code.startsWith('5') ? BOUNCED : code.startsWith('4') ? SOFT_BOUNCE : { state: 'none', unknown: code };
}

// Reads the tags of an opt-out. The tag `*` means all mail. Any other tag means one kind of mail, such as `newsletter`.
// The service has no such kinds, so svc skips these rows.
function byTags(cell: string): StatusReading {
  const tags = cell.split(/[[\]"',;\s]+/).filter((tag) => tag !== '');
  return tags.includes('*') ? SUPPRESSED : tags.length > 0 ? PARTIAL : { state: 'none', unknown: '' };
}
