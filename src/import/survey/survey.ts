import { sumOf } from '../../base/lib/rows.ts';
import { createKeyOffers } from '../../platforms/lib/attribute-keys.ts';
import type { ListThread } from '../batch/list-thread.ts';
import type { RereadData } from '../batch/row-decision.ts';
import { endOfConsent } from '../consent-columns/headers/date-headers.ts';
import { refuseOutranked, type TypedAnswers } from '../mapping/answers/outranked-answers.ts';
import { columnName, withInputName } from '../mapping/column-names.ts';
import { type ReadingOptions, readAnswers } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import type { PieceThread } from '../rows/piece-thread.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { openTables } from '../tables/open-tables.ts';
import { findingsOrPass } from './checks/check-context.ts';
import { unusedDefaultWarnings } from './checks/default-status-warnings.ts';
import { LIST_CHECKS } from './checks/list-checks.ts';
import { countDomainPeople, unreadInputs } from './checks/people-without-rows.ts';
import { findUnusedAnswers } from './checks/unused-answers/unused-answers.ts';
import type { SurveyContext } from './first-read.ts';
import { listStatistics } from './list-statistics.ts';
import { countBatches, countEnrollable, countPeople } from './people-counts.ts';
import { previewContacts } from './preview.ts';
import { notesWithoutConsent } from './statistics/value-counts.ts';
import type { InputConsentEnds, InputReading, RejectionCount, RereadableSurvey } from './survey-types.ts';
import { type ReadTable, readAndMerge } from './two-reads.ts';

interface ListSurveyContext extends SurveyContext {
  /** The thread that cuts the rows of a long list. The caller closes it, because an import makes its batches there. */
  readonly listThread: ListThread;
}

/**
 * Reads a list and sends nothing. The result depends only on the inputs and the options, and on `typedAnswers`, the
 * answers on the command line. Without `typedAnswers` svc does not look for unused answers. `seed` only decides which
 * addresses have equal hashes by chance.
 */
export async function surveySources(
  sources: readonly TableSource[],
  options: ReadingOptions,
  context: ListSurveyContext,
  typedAnswers?: TypedAnswers,
): Promise<RereadableSurvey> {
  const { people, signal } = context;
  const answers = readAnswers(options);
  const thread = threadForPieces(sources, context.listThread);
  const list = await readAndMerge((laterRows) => openTables(sources, options, { laterRows }), options, {
    ...context,
    thread,
  });
  const { addresses, mergeCounts, openFindings } = list;
  const tables = list.tables.map(({ table }) => table);
  const counts = countPeople(list);
  const contacts = counts.subscribed + counts.unsubscribed;

  const reread: RereadData = { tables, options, repeated: addresses.repeated };
  const surveyed = { survey: reread, people };
  const domains = await countDomainPeople(surveyed, list.tables, signal);
  const offerKey = await createKeyOffers(tables.flatMap(({ header }) => header));
  typedAnswers && refuseOutranked(tables, options, typedAnswers);
  // With --reason every row is suppressed, so no answer can keep more mail away.
  const unusedAnswers =
    typedAnswers && options.reason === undefined
      ? [
          ...(await findUnusedAnswers(list.tables, options, typedAnswers, signal)),
          ...list.tables.flatMap((read) => unusedDefaultWarnings(read, options, typedAnswers.defaultStatus)),
        ]
      : [];
  const checked = {
    tables: list.tables,
    answers,
    unusedAnswers,
    reason: options.reason,
    people,
    merged: mergeCounts.merged,
    outweighed: mergeCounts.outweighed,
    subscribedBesideBlank: mergeCounts.subscribedBesideBlank,
    differInTopics: mergeCounts.differInTopics,
    ...counts,
    domains,
    offerKey,
  };
  return {
    ...reread,
    contacts,
    unsubscribed: counts.unsubscribed,
    batches: await countBatches(surveyed, { contacts, ambiguous: addresses.ambiguous }, signal),
    enrollable: await countEnrollable(surveyed, counts, signal),
    inputs: list.tables.map(inputReading),
    rows: {
      read: sumOf(list.tables.map(({ statistics }) => statistics.rows)),
      rejected: sumOf(counts.rejected.values()),
      merged: mergeCounts.merged,
      skipped: withoutZeros(counts.skipped),
    },
    rejections: rejections(list.tables, counts.rejected),
    unread: unreadInputs(list.tables, domains),
    consentEnds: list.tables.flatMap(consentEndsOf),
    suppressions: people.suppressionCounts(),
    keys: keysOf(tables),
    usedKeys: Object.keys(withoutZeros(counts.used)).sort(),
    preview: previewContacts(surveyed, list.tables),
    list: listStatistics(list.tables.map((read) => read.list)),
    findings: [
      ...findingsOrPass(openFindings, 'encoding', ENCODING_IS_CERTAIN),
      ...LIST_CHECKS.flatMap((check) => check(checked)),
    ],
    unusedAnswers,
    refusedTopics: sumOf(
      list.tables.flatMap(({ statistics }) => statistics.topics.map(({ refused }) => refused.rows.total)),
    ),
    engagement: [...new Set(tables.flatMap(({ reading: { engagement } }) => engagement ?? []))],
    mayContain: (email) => addresses.all.has(email.trim().toLowerCase()),
    keepsAway: (email) => addresses.keptAway.has(email.trim().toLowerCase()),
    ambiguousAddresses: addresses.ambiguous,
    inputsWithRejects: inputsWithRejects(list.tables, options),
  };
}

// The thread cuts rows if an input is a large file. It starts while svc opens the inputs.
function threadForPieces(sources: readonly TableSource[], listThread: ListThread): PieceThread | undefined {
  const plainFiles = sources.filter(({ plainFile }) => plainFile !== undefined);
  return listThread.startForLongList(plainFiles.map(({ size }) => size)) ? listThread : undefined;
}

const ENCODING_IS_CERTAIN = 'the encoding of every input is certain';

function inputReading({ table, sha256, statistics }: ReadTable): InputReading {
  const { source, platform, dialect, reading } = table;
  return {
    path: source.path,
    entry: source.entry,
    name: source.name,
    sha256,
    isWholeFile: source.plainFile !== undefined,
    platform,
    dialect,
    reading,
    rows: statistics.rows,
    values: statistics.status.values,
    notes: notesWithoutConsent(statistics.status.notes, table),
  };
}

function consentEndsOf({ table, statistics }: ReadTable): InputConsentEnds[] {
  const input = sourceLabel(table.source);
  return statistics.status.consentEnds.map(({ index, ...ends }) => {
    const column = columnName(table, index);
    const end = endOfConsent(table.header[index] ?? '', table.header) ?? 'validity';
    return { ...ends, input, column, answeredAs: withInputName(table, column), end };
  });
}

function rejections(tables: readonly ReadTable[], rejected: ReadonlyMap<string, number>): RejectionCount[] {
  return Object.entries(withoutZeros(rejected)).map(([reason, total]) => ({
    reason,
    total,
    examples: tables.flatMap(({ statistics }) => statistics.rejected.byReason.get(reason)?.shown ?? []).slice(0, 5),
  }));
}

function inputsWithRejects(tables: readonly ReadTable[], { duplicates }: ReadingOptions): ReadonlySet<number> {
  const withRejects = tables.filter(
    ({ statistics }) => statistics.rejected.byReason.size > 0 || duplicates === 'reject',
  );
  return new Set(withRejects.map(({ table }) => table.source.index));
}

function keysOf(tables: readonly Table[]): Record<string, string> {
  return Object.fromEntries(
    tables.flatMap(({ attributes }) => attributes.map(({ header, key, index }) => [header || String(index + 1), key])),
  );
}

function withoutZeros(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}
