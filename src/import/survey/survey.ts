import { type RowPosition, sumOf } from '../../base/lib/rows.ts';
import { createKeyOffers } from '../../platforms/lib/attribute-keys.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import { contactTexts } from '../batch/contact-text.ts';
import { textBatches } from '../batch/cut-batches.ts';
import { enrollees } from '../batch/reread-list.ts';
import { contactOf, rowOutcome } from '../batch/row-outcome.ts';
import { namesEndOfConsent } from '../consent-columns/headers/header-predicates.ts';
import { type MergeCounts, mergeDuplicates, skipReason } from '../dedupe/merge-duplicates.ts';
import { isOptOutList } from '../mapping/default-status.ts';
import { openTables } from '../mapping/open-tables.ts';
import { type ReadingOptions, readAnswers } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { effectiveReading, parseRecord } from '../record/parse-record.ts';
import { labelOf, type Source } from '../source/source.ts';
import { LIST_CHECKS } from './checks/all-checks.ts';
import { columnName, inInput, orPass } from './checks/list-check.ts';
import { type FirstRead, finalizeTable, firstRead, type ReadingContext, type TableFirstRead } from './first-read.ts';
import { listStatistics } from './list-statistics.ts';
import { secondRead } from './second-read.ts';
import { collectPersonCollision } from './statistics/attribute-statistics.ts';
import { collectMention } from './statistics/further-addresses.ts';
import { harmlessNotes } from './statistics/value-counts.ts';
import type { InputReading, LastReading, Reading, RejectionCount } from './survey-types.ts';
import { addCounts } from './table-counts.ts';
import { countDomainPeople, unreadInputs } from './unread-inputs.ts';

/**
 * Reads a list and sends nothing. The first read makes counts and address hashes. If addresses may be repeated, a
 * second read stores their rows in `people`, emptied before, and merges them. The result depends only on inputs and
 * options: `seed` only decides which addresses have equal hashes by chance.
 */
export async function survey(
  sources: readonly Source[],
  options: ReadingOptions,
  context: ReadingContext,
): Promise<Reading> {
  const answers = readAnswers(options);
  context.people.clear();
  const { tables: opened, findings } = await openTables(sources, options, answers);
  const first = await firstRead(opened, options, context);
  const tables = first.tableReads.map(finalizeTable);
  await secondRead(first, tables, { options, context });
  const passOf = ({ source }: RowPosition) =>
    first.tableReads.find(({ table }) => table.source.index === source) as TableFirstRead;
  const mergedCounts = await mergeDuplicates(context.people, {
    duplicates: options.duplicates,
    signal: context.signal,
    onCollision: (collision) => {
      const { table, statistics } = passOf(collision);
      collectPersonCollision(statistics.attributes, table, collision);
    },
    onMention: (mention) => {
      const { table, statistics } = passOf(mention);
      collectMention(statistics.addresses, table, mention);
    },
  });
  const counts = countRows(first, tables, mergedCounts);
  const last: LastReading = { tables, options, repeated: first.repeated };
  const seenTables = first.tableReads.map(({ statistics }, position) => ({
    table: tables[position] as Table,
    statistics,
  }));
  const domains = await countDomainPeople({ reading: last, people: context.people }, seenTables, context.signal);
  const seen = {
    tables: seenTables,
    answers,
    people: context.people,
    merged: mergedCounts.merged,
    rejected: counts.rejected,
    skipped: counts.skipped,
    subscribed: counts.subscribed,
    domains,
    offerKey: await createKeyOffers(tables.flatMap(({ header }) => header)),
  };
  return {
    ...last,
    ...(await surveyCounts(first, last, counts, context)),
    inputs: first.tableReads.map((pass, position) => inputReading(pass, tables[position] as Table)),
    rows: {
      read: sumOf(first.tableReads.map(({ statistics }) => statistics.rows)),
      rejected: sumOf(counts.rejected.values()),
      merged: mergedCounts.merged,
      skipped: withoutZeros(counts.skipped),
    },
    rejections: rejections(first.tableReads, counts.rejected),
    unread: unreadInputs(seenTables, domains),
    consentEnds: seenTables.flatMap(({ table, statistics }) =>
      statistics.status.consentEnds.map(({ at, ...ends }) => ({
        ...ends,
        input: labelOf(table.source),
        column: columnName(table, at),
        answeredAs: inInput(table, columnName(table, at)),
        isDoubtful: !namesEndOfConsent(table.header[at] ?? ''),
      })),
    ),
    suppressions: context.people.suppressionCounts(),
    keys: keysOf(tables),
    usedKeys: Object.keys(withoutZeros(counts.used)).sort(),
    preview: preview(last, first, context),
    list: listStatistics(first.tableReads.map(({ list }) => list)),
    findings: [...orPass(findings, 'encoding', ENCODING_IS_CERTAIN), ...LIST_CHECKS.flatMap((check) => check(seen))],
    engagement: [...new Set(tables.flatMap(({ reading: { engagement } }) => engagement ?? []))],
    mayContain: (email) => first.all.has(email.trim().toLowerCase()),
    inputsWithRejects: inputsWithRejects(first.tableReads, options),
  };
}

const ENCODING_IS_CERTAIN = 'the encoding of every input is certain';

interface Counts {
  readonly subscribed: number;
  readonly unsubscribed: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: ReadonlyMap<string, number>;
  readonly used: ReadonlyMap<string, number>;
}

// The counts of the single rows and of the merged people together.
function countRows(first: FirstRead, tables: readonly Table[], mergedCounts: MergeCounts): Counts {
  const states = new Map(mergedCounts.states);
  const skipped = new Map(mergedCounts.skipped);
  const rejected = new Map(mergedCounts.rejected);
  const used = new Map(mergedCounts.used);
  first.tableReads.forEach(({ tableCounts }, position) => {
    addAll(skipped, tableCounts.withoutAddress);
    addAll(rejected, tableCounts.rejected);
    (tables[position] as Table).attributes.forEach(({ key }, place) => {
      addCounts(used, key, tableCounts.used[place] ?? 0);
    });
    for (const [statusReading, count] of tableCounts.statusReadings) {
      const { state, why, unknown } = effectiveReading(tables[position] as Table, statusReading);
      const reason = skipReason(state, unknown === undefined ? why : 'unknown_status');
      addCounts(states, state, count);
      if (reason !== undefined) {
        addCounts(skipped, reason, count);
      }
    }
  });
  const [subscribed = 0, unsubscribed = 0] = [states.get('subscribed'), states.get('unsubscribed')];
  return { subscribed, unsubscribed, skipped, rejected, used };
}

/** The numbers of people. For some of them svc reads the list once more. */
async function surveyCounts(first: FirstRead, last: LastReading, counts: Counts, context: ReadingContext) {
  const contacts = counts.subscribed + counts.unsubscribed;
  return {
    contacts,
    unsubscribed: counts.unsubscribed,
    batches: first.ambiguousAddress > 0 ? await countBatches(last, context) : Math.ceil(contacts / LIMITS.batchItems),
    enrollable: await countEnrollable(last, counts, context),
  };
}

function inputReading({ sha256, statistics }: TableFirstRead, table: Table): InputReading {
  const { source, platform, dialect, reading } = table;
  return {
    path: source.path,
    entry: source.entry,
    name: source.name,
    sha256,
    platform,
    dialect,
    reading,
    rows: statistics.rows,
    values: statistics.status.values,
    notes: harmlessNotes(statistics.status.notes, table),
  };
}

function rejections(tableReads: readonly TableFirstRead[], rejected: ReadonlyMap<string, number>): RejectionCount[] {
  return Object.entries(withoutZeros(rejected)).map(([reason, total]) => ({
    reason,
    total,
    examples: tableReads.flatMap(({ statistics }) => statistics.rejected.byReason.get(reason)?.shown ?? []).slice(0, 5),
  }));
}

function inputsWithRejects(tableReads: readonly TableFirstRead[], { duplicates }: ReadingOptions): ReadonlySet<number> {
  const some = tableReads.filter(({ statistics }) => statistics.rejected.byReason.size > 0 || duplicates === 'reject');
  return new Set(some.map(({ table }) => table.source.index));
}

function keysOf(tables: readonly Table[]): Record<string, string> {
  return Object.fromEntries(
    tables.flatMap(({ attributes }) => attributes.map(({ header, key, at }) => [header || String(at + 1), key])),
  );
}

// The people who may be enrolled. If the list has no state, that is all people except those in opt-out lists, for which
// one more read counts them.
async function countEnrollable(
  last: LastReading,
  { subscribed, skipped }: Counts,
  { people, signal }: ReadingContext,
): Promise<number> {
  if (last.tables.some((table) => table.reading.stateSource !== undefined)) {
    return subscribed;
  }
  if (!last.tables.some(isOptOutList)) {
    return subscribed + Math.max(0, skipped.get('no_status') ?? 0);
  }
  let count = 0;
  for await (const _ of enrollees(last, people, { signal })) {
    count++;
  }
  return count;
}

// The number of batches. Addresses that must not share a batch can need one more, so svc cuts and counts them.
async function countBatches(last: LastReading, { people, signal }: ReadingContext): Promise<number> {
  let batches = 0;
  for await (const _ of textBatches(contactTexts(last, people, { signal }))) {
    batches++;
  }
  return batches;
}

const PREVIEWED = 5;

function preview(last: LastReading, first: FirstRead, { people }: ReadingContext): BatchContact[] {
  const contacts = first.tableReads
    .values()
    .flatMap(({ candidates }, position) => candidates.map((row) => parseRecord(last.tables[position] as Table, row)))
    .map((record) => contactOf(rowOutcome({ reading: last, people }, record)))
    .filter((contact) => contact !== undefined);
  return [...contacts.take(PREVIEWED)];
}

function addAll<K>(into: Map<K, number>, from: ReadonlyMap<K, number>): void {
  for (const [key, count] of from) {
    addCounts(into, key, count);
  }
}

function withoutZeros(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}
