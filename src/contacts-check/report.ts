import type { ClientStats } from '../api/http/service-connection.ts';
import { EXIT, type ExitCode } from '../base/lib/errors.ts';
import { sumOf } from '../base/lib/rows.ts';
import { formatNumber, plural, spreadsheetSafeCell } from '../base/lib/text.ts';
import { replaceFileByText } from '../base/os/replace-file.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import type { CheckOptions } from './check-options.ts';
import type { SkippedSubscribers } from './compare-list.ts';
import type { CheckOutcome, FieldDifference } from './compare-person.ts';
import type { LookUpSummary } from './confirm-results.ts';
import type { CheckResults } from './results.ts';

/**
 * The result of a check, as --json prints it and report.json stores it. Scripts read it, so a field may be added, but
 * none may be renamed or removed.
 */
export interface CheckReport {
  readonly object: 'contact_check';
  readonly run: string;
  readonly command: string;
  /** The finished run that `runs verify` compared. */
  readonly verifies?: string;
  readonly status: 'same' | 'different';
  readonly exit_code: ExitCode;
  readonly origin: string;
  readonly audience: { readonly id: string; readonly name: string };
  readonly inputs: readonly { readonly path: string; readonly entry?: string; readonly rows: number }[];
  /** Rows of the list, as an import counts them. */
  readonly rows: {
    readonly read: number;
    readonly merged: number;
    readonly skipped: number;
    readonly rejected: number;
    readonly suppressed: number;
  };
  readonly counts: Readonly<Record<CheckOutcome, number>>;
  /** For each field, how many people differ in it. */
  readonly fields: Readonly<Record<string, number>>;
  /** The first 20 people with each outcome. */
  readonly examples: Readonly<Record<CheckOutcome, readonly CheckExample[]>>;
  /** How many people svc looked up again, one by one. */
  readonly looked_up: number;
  /** For each outcome: how many people svc did not look up again, because of the limit. */
  readonly unconfirmed: LookUpSummary['unconfirmed'];
  /** What could not be compared, with the reason. Also typed answers that count for no row. */
  readonly notes: readonly string[];
  readonly requests: ClientStats;
  readonly files: { readonly report: string; readonly output?: string };
}

export interface CheckExample {
  readonly email: string;
  readonly fields?: readonly FieldDifference[];
}

/** What is known when a check ends. */
export interface FinishedCheck {
  readonly run: string;
  readonly options: CheckOptions;
  readonly origin: string;
  readonly audience: { readonly id: string; readonly name: string };
  readonly survey: Survey;
  readonly results: CheckResults;
  readonly skipped: SkippedSubscribers;
  readonly lookUps: LookUpSummary;
  /** Notes about input files that changed since a resumed check began (D5). */
  readonly changedInputs: readonly string[] | undefined;
  /**
   * False if the service counts more contacts of the audience than svc saw. Always true for `runs verify`, because it
   * looks up missing people.
   */
  readonly complete: boolean;
  readonly shownFields: readonly string[];
  readonly requests: CheckReport['requests'];
  readonly file: string;
}

const MAX_EXAMPLES = 20;

/**
 * Makes the report of a check. If `contacts check` could not read the whole audience, the status is not `same` (L5).
 */
export function checkReport(end: FinishedCheck): CheckReport {
  const { options, results, survey, complete, lookUps } = end;
  const counts = results.counts();
  const isSame = complete && counts.different + counts.missing + counts.extra === 0;
  return {
    object: 'contact_check',
    run: end.run,
    command: options.command,
    ...(options.verifies && { verifies: options.verifies.run }),
    status: isSame ? 'same' : 'different',
    exit_code: isSame ? EXIT.ok : EXIT.partial,
    origin: end.origin,
    audience: { id: end.audience.id, name: end.audience.name },
    inputs: survey.inputs.map(({ path, entry, rows }) => ({ path, ...(entry !== undefined && { entry }), rows })),
    rows: rowsOf(survey),
    counts,
    fields: results.fields(),
    examples: examplesOf(results),
    looked_up: lookUps.lookedUp,
    unconfirmed: lookUps.unconfirmed,
    notes: notesOf(end),
    requests: end.requests,
    files: { report: end.file, ...(options.output !== undefined && { output: options.output }) },
  };
}

function rowsOf({ rows, suppressions }: Survey): CheckReport['rows'] {
  const { read, merged, rejected, skipped } = rows;
  return {
    read,
    merged,
    skipped: sumOf(Object.values(skipped)),
    rejected,
    suppressed: sumOf(Object.values(suppressions)),
  };
}

function examplesOf(results: CheckResults): CheckReport['examples'] {
  const examplesWith = (outcome: CheckOutcome) =>
    results.list(outcome, MAX_EXAMPLES).map(({ email, differences }) => ({
      email,
      ...(differences.length > 0 && { fields: differences }),
    }));
  return {
    same: examplesWith('same'),
    different: examplesWith('different'),
    missing: examplesWith('missing'),
    extra: examplesWith('extra'),
    opted_out: examplesWith('opted_out'),
  };
}

function notesOf({ options, complete, lookUps, shownFields, survey, skipped, ...end }: FinishedCheck): string[] {
  // A report of a check has no findings. So the notes show typed answers that count for no row (C10).
  const notes = [...(end.changedInputs ?? []), ...(survey.unusedAnswers ?? []).map(({ message }) => message)];
  // `runs verify` compares only what its run wrote, and the run skipped these people on purpose.
  if (skipped.total > 0 && options.verifies === undefined) {
    const people = plural(skipped.total, 'person whom', 'people whom');
    const more = skipped.total - skipped.first.length;
    const names = `${skipped.first.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
    notes.push(
      `${people} the list skips may still get mail, because the audience has them as subscribed: ${names}. If a skipped word means that they left, answer it with =unsubscribed instead of =skip`,
    );
  }
  if (!complete) {
    notes.push('the service lists fewer contacts than it counts, so the list of extra people is not complete');
  }
  const notShown = fieldsOf(survey).filter((field) => !shownFields.includes(field));
  const hidden = notShown.filter((field) => field !== 'topics');
  if (hidden.length > 0 && shownFields.length > 0) {
    notes.push(`not compared, because no contact of the audience shows it: ${hidden.join(', ')}`);
  }
  if (notShown.includes('topics') && shownFields.length > 0) {
    notes.push(TOPICS_NOT_COMPARED);
  }
  const { refusedTopics = 0 } = survey;
  if (refusedTopics > 0) {
    const cells = plural(refusedTopics, 'cell refuses', 'cells refuse');
    notes.push(
      `refused topics were not checked: ${cells} a topic for a subscribed person. svc does not write a refusal, so a person who has the topic keeps it`,
    );
  }
  if (lookUps.suppressionsUnknown !== undefined) {
    notes.push(`suppressed people may be among the missing and the different: ${lookUps.suppressionsUnknown}`);
  }
  return notes;
}

// The note of a check that could not compare topics. The headline of the result looks for the first words of this note.
const TOPICS_NOT_COMPARED =
  'not compared: topics. The list of contacts does not show them; for one person: svc contacts get <address> --topics';

/** The fields of a contact that the columns of the list set. */
function fieldsOf({ inputs, unsubscribed }: Survey): string[] {
  const fields = new Set<string>(['status']);
  for (const { kind } of inputs.flatMap(({ reading }) => reading.columns)) {
    FIELDS_OF_KIND[kind]?.forEach((field) => fields.add(field));
  }
  if (unsubscribed === 0) {
    fields.delete('unsubscribed_at');
  }
  return [...fields];
}

const FIELDS_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  first_name: ['first_name'],
  last_name: ['last_name'],
  name: ['first_name', 'last_name'],
  unsubscribed_at: ['unsubscribed_at'],
  attribute: ['attributes'],
  topic: ['topics'],
};

/**
 * Writes all results to a CSV file: a line for each field that differs, otherwise one line for the person. The file
 * gets its name once it is complete (D2). No cell can run as a formula in a spreadsheet (K5).
 */
export async function writeResults(results: CheckResults, path: string): Promise<void> {
  await replaceFileByText(path, csvLines(results));
}

function* csvLines(results: CheckResults): Generator<string> {
  yield 'email,outcome,field,list,there\n';
  for (const { email, outcome, differences } of results.all()) {
    const fieldDifferences = differences.length === 0 ? [NO_FIELD] : differences;
    for (const { field, list, there } of fieldDifferences) {
      const cells = [
        spreadsheetSafeCell(email),
        outcome,
        spreadsheetSafeCell(field),
        spreadsheetSafeCell(list),
        spreadsheetSafeCell(there),
      ];
      yield `${cells.join(',')}\n`;
    }
  }
}

const NO_FIELD: FieldDifference = { field: '', list: '', there: '' };
