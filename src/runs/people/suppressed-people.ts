import type { DatabaseSync } from 'node:sqlite';
import type { RowPosition } from '../../base/lib/rows.ts';
import { eachRow, type SqlRow } from '../../base/os/sqlite.ts';
import { otherSpellings } from '../../wire/person-key.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../wire/service-words.ts';

/** A person to suppress, and the row that counts for this person. */
export interface SuppressedPerson extends RowPosition {
  readonly email: string;
  readonly reason: SuppressionReason;
  /** The date in the list. consent.csv keeps it, because the service stores no date of a suppression. */
  readonly optOutDate: string | undefined;
}

/** The people to suppress, after duplicates were merged. */
export interface SuppressedPeople {
  /** Addresses to suppress for this reason, in the order of the list. */
  suppressions(reason: SuppressionReason): IteratorObject<SuppressedPerson>;
  /**
   * The same people under the other spellings of their addresses: in Unicode, in Punycode, and as they are in the list
   * (F8). Most addresses have only one spelling.
   */
  suppressedUnderOtherSpellings(reason: SuppressionReason): IteratorObject<SuppressedPerson>;
  /** The number of people to suppress, by reason. */
  suppressionCounts(): SuppressionCounts;
  /** The number of addresses that `suppressedUnderOtherSpellings` returns for all reasons together. */
  otherSpellingCount(): number;
}

export type SuppressionCounts = Readonly<Partial<Record<SuppressionReason, number>>>;

// SQL that is true for the rows of a person whose address has several spellings.
const SPELLED = "(people_rows.email <> people_rows.person OR instr(people_rows.person, 'xn--') > 0)";

/** The index that `suppressedUnderOtherSpellings` needs. */
export const RESPELLED_INDEX = `CREATE INDEX IF NOT EXISTS people_respelled ON people_rows (person) WHERE ${SPELLED};`;

const SUPPRESSED = 'SELECT * FROM people WHERE reason = ? ORDER BY source, line';
// CROSS JOIN makes SQLite read `people_rows` first. There the index `people_respelled` finds the few rows quickly.
const RESPELLED = `SELECT people.*, people_rows.email AS listed FROM people_rows CROSS JOIN people USING (person)
  WHERE ${SPELLED} AND people.reason = ? ORDER BY people.source, people.line, people_rows.source, people_rows.line`;

const COUNTS = 'SELECT reason, count(*) AS n FROM people WHERE reason IS NOT NULL GROUP BY 1';

/** Reads the people to suppress from a database that `openPeopleTables` filled. */
export function openSuppressedPeople(db: DatabaseSync): SuppressedPeople {
  return {
    suppressions: (reason) => eachRow(db, SUPPRESSED, reason).map((values) => readSuppressed(values, reason)),
    suppressedUnderOtherSpellings: (reason) => respelledOf(db, reason),
    otherSpellingCount: () =>
      SUPPRESSION_REASONS.reduce((sum, reason) => respelledOf(db, reason).reduce((count) => count + 1, sum), 0),
    suppressionCounts: () =>
      Object.fromEntries(eachRow(db, COUNTS).map(({ reason, n }) => [String(reason), Number(n)])),
  };
}

function* respelledOf(db: DatabaseSync, reason: SuppressionReason): Generator<SuppressedPerson> {
  let person: unknown;
  let known = new Set<string>();
  for (const values of eachRow(db, RESPELLED, reason)) {
    const item = readSuppressed(values, reason);
    if (person !== values.person) {
      person = values.person;
      known = new Set([item.email]);
    }
    for (const email of [...otherSpellings(item.email), String(values.listed)]) {
      if (!known.has(email)) {
        known.add(email);
        yield { ...item, email };
      }
    }
  }
}

function readSuppressed(values: SqlRow, reason: SuppressionReason): SuppressedPerson {
  return {
    email: String(values.email),
    reason,
    source: Number(values.source),
    line: Number(values.line),
    optOutDate: typeof values.at === 'string' ? values.at : undefined,
  };
}
