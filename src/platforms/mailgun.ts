import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import type { StatusReading } from './lib/states.ts';
import { BOUNCED, COMPLAINED, NONE, SUPPRESSED, skipFor } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  email: ['address'],
  unsubscribed_at: ['created_at'],
  state: ['code', 'tags'],
  isInternal: () => true,
};

/** Mailgun suppressions of one sending domain: a file each for bounces, unsubscribes and complaints. */
export const mailgun: Platform = { id: 'mailgun', title: 'Mailgun', certainty, read };

type Kind = 'bounces' | 'unsubscribes' | 'complaints' | 'unclear';

function certainty(shape: TableShape): number {
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
}

function exportKindOf({ header, name }: TableShape): Kind {
  if (countHeaders(header, 'address', 'code', 'error') === 3) {
    return 'bounces';
  }
  if (countHeaders(header, 'address', 'tags', 'created_at') === 3) {
    return 'unsubscribes';
  }
  return /complaint/i.test(name) && countHeaders(header, 'address', 'created_at') === 2 ? 'complaints' : 'unclear';
}

function read(shape: TableShape): TableReading {
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
  const from = { bounces: 'column "code"', unsubscribes: 'column "tags"', complaints: 'file name', unclear: undefined };
  const suggestedState = kind === 'unclear' ? 'suppressed' : undefined;
  // The text of the error repeats what its code says. In any other list it can be the only sign of a bounce.
  const notConsentHeaders = kind === 'bounces' ? ['error'] : [];
  const columns = assignColumns(shape, ROLES);
  return { ...columns, stateSource: from[kind], stateOf: rules[kind], suggestedState, notConsentHeaders };
}

const SOFT_BOUNCE = skipFor('soft_bounce');
const PARTIAL = skipFor('left_a_tag');

function byCode(code: string): StatusReading {
  return code.startsWith('5') ? BOUNCED : code.startsWith('4') ? SOFT_BOUNCE : { state: 'none', unknown: code };
}

// The tag `*` means an opt-out from all mail. Another tag means one kind of mail. The service has no such kinds, so
// these rows are skipped.
function byTags(cell: string): StatusReading {
  const tags = cell.split(/[[\]"',;\s]+/).filter((tag) => tag !== '');
  return tags.includes('*') ? SUPPRESSED : tags.length > 0 ? PARTIAL : { state: 'none', unknown: '' };
}
