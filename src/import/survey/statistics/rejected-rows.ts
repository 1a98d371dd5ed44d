import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { isOptOutList } from '../../mapping/state/default-status.ts';
import { wholeDomain } from '../../record/domains.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import { isWholeAddress } from '../../record/row-addresses.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

export type RejectedRows = ReturnType<typeof createRejectedRows>;

/** The rejected rows of a table. */
export function createRejectedRows() {
  const unread: UnreadOptOuts = { domains: new Map(), others: createExamples(), sent: 0 };
  return { byReason: new Map<string, Examples>(), unread };
}

/**
 * Counts a row if it is rejected. If its person opted out and has no readable address, it also counts as unread. A row
 * that only the service will reject (`ben@example`) can count as unread too.
 */
export function collectRejected({ byReason, unread }: RejectedRows, record: ParsedRecord): void {
  const { problem } = record;
  if (problem) {
    const examples = byReason.get(problem.reason) ?? createExamples();
    byReason.set(problem.reason, examples);
    addExample(examples, () => exampleAt(record, problem.column || firstBeyond(record), problem.detail));
  }
  if (problem || record.others) {
    collectUnread(unread, record);
  }
}

// The number of the first cell without a header, for a row that has too many cells. Otherwise empty.
function firstBeyond({ table, problem }: ParsedRecord): string {
  return problem?.reason === 'too_many_fields' ? String(table.width + 1) : '';
}

/**
 * Rows about opted-out people without a readable address. svc can't opt these people out, and other rows may sign them
 * up.
 */
export interface UnreadOptOuts {
  /** Rows that have a domain in place of an address. */
  readonly domains: Map<string, Examples>;
  readonly others: Examples;
  /**
   * How many of these rows svc sends although their address is not complete (`ben@example`). Only the service rejects
   * them.
   */
  sent: number;
}

/**
 * The maximum number of domains that are counted one by one. Further ones count as `others`, so that memory is bounded.
 */
const MAX_DISTINCT_DOMAINS = 50_000;

function collectUnread(unread: UnreadOptOuts, record: ParsedRecord): void {
  const { domains, others } = unread;
  const { table, cells, email, others: { emails = [], found = [] } = {}, statusReading } = record;
  if (!(isOptOutList(table) || keepsMailAway(effectiveReading(table, statusReading)))) {
    return;
  }
  const index = table.columnIndexes.email;
  const domain = wholeDomain(cells[index] ?? '');
  const isNamed = [email ?? '', ...emails, ...found.map((person) => person.email)].some(isWholeAddress);
  if (isNamed && (domain === undefined || email !== undefined)) {
    return;
  }
  const ofDomain = domain === undefined ? undefined : domains.get(domain);
  const examples =
    ofDomain ?? (domain === undefined || domains.size >= MAX_DISTINCT_DOMAINS ? others : createExamples());
  if (domain !== undefined && examples !== others) {
    domains.set(domain, examples);
  }
  unread.sent += record.problem ? 0 : 1;
  addExample(examples, () => exampleAt(record, table.header[index], cells[index] || cells.join(' | ')));
}
