import { keepsMailAway } from '../../consent-columns/combine-readings.ts';
import { isOptOutList } from '../../mapping/default-status.ts';
import type { Table } from '../../mapping/table.ts';
import { wholeDomain } from '../../record/domains.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import type { UnreadInput } from '../survey-types.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** Rows about opted-out people whom they do not name. The people may be in other rows too. */
export interface UnreadOptOuts {
  /** Rows that have a domain in place of an address. */
  readonly domains: Map<string, Examples>;
  readonly others: Examples;
}

export function createUnreadOptOuts(): UnreadOptOuts {
  return { domains: new Map(), others: createExamples() };
}

/** The most domains that are counted one by one. Further ones count as `others`, so that memory is bounded. */
const DISTINCT_DOMAINS = 50_000;

/** Counts a rejected row about an opted-out person whom it does not name. */
export function collectUnread({ domains, others }: UnreadOptOuts, record: ParsedRecord): void {
  const { table, cells, email, statusReading } = record;
  if (email !== undefined || !(isOptOutList(table) || keepsMailAway(effectiveReading(table, statusReading)))) {
    return;
  }
  const at = table.columnIndexes.email;
  const domain = wholeDomain(cells[at] ?? '');
  const isNamed = (record.others?.emails.length ?? 0) + (record.others?.found?.length ?? 0) > 0;
  if (domain === undefined && isNamed) {
    return;
  }
  const known = domain === undefined ? undefined : domains.get(domain);
  const examples = known ?? (domain === undefined || domains.size >= DISTINCT_DOMAINS ? others : createExamples());
  if (domain !== undefined && examples !== others) {
    domains.set(domain, examples);
  }
  addExample(examples, () => exampleAt(record, table.header[at], cells[at] || cells.join(' | ')));
}

interface SeenUnread {
  readonly table: Table;
  readonly unread: UnreadOptOuts;
}

interface SeenInput extends SeenUnread {
  readonly rows: number;
  /** The number of rows that say subscribed. */
  readonly subscribed: number;
}

/**
 * The lists with rows about opted-out people whom they do not name. `few`: it is not an opt-out list, or less than half
 * of its rows are such rows. `ben.example.org` counts as such a row if no person has this domain, because it may be an
 * address without its @. `@example.org` does not.
 */
export function unreadInputs(seen: readonly SeenInput[], people: ReadonlyMap<string, number>): readonly UnreadInput[] {
  return seen.flatMap(({ table, unread, rows, subscribed }) => {
    const { name } = table.source;
    const bare = [...unread.domains].filter(([domain, { shown }]) => !people.has(domain) && !hasSign(shown));
    const all = [unread.others, ...bare.map(([, examples]) => examples)];
    const total = all.reduce((sum, one) => sum + one.total, 0);
    const isOptOut = isOptOutList(table) || subscribed === 0;
    const isMost = isOptOut && total * 2 >= rows;
    const examples = all.flatMap(({ shown }) => shown).slice(0, 5);
    return total > 0 ? [{ name, rows, unread: total, examples, ...(!isMost && { few: true as const }) }] : [];
  });
}

function hasSign(shown: Examples['shown']): boolean {
  return shown.some(({ value = '' }) => /[@*%]/.test(value));
}
