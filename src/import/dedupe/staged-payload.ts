import { memoize } from '../../base/lib/memoize.ts';
import { isState, type State } from '../../platforms/lib/states.ts';
import type { StagedRow } from '../../runs/store/people.ts';
import type { RowProblem } from '../csv/raw-rows.ts';
import type { FoundAddressColumn } from '../mapping/address-columns.ts';
import type { CollidingValues } from '../mapping/collisions.ts';
import type { ContactFields } from '../record/contact-fields.ts';

/**
 * What a staged row stores beside its state and date. A staged row waits in SQLite until all rows of its address are
 * known.
 */
export interface StagedPayload {
  readonly fields: ContactFields;
  readonly why?: string | undefined;
  readonly unknown?: string | undefined;
  readonly problem?: RowProblem | undefined;
  readonly addressFault?: boolean | undefined;
  readonly collisions?: CollidingValues | undefined;
  /**
   * True if the row is about another person and only mentions this one. Its state counts for this person, but the row
   * itself counts for the other person.
   */
  readonly witness?: boolean | undefined;
  /** The column of the mention, if its header is not about addresses. */
  readonly column?: FoundAddressColumn | undefined;
}

/** Parses the payload of a staged row. */
export function readPayload(payload: string): StagedPayload {
  // The type assertion is safe: only svc writes payloads.
  return JSON.parse(payload) as StagedPayload;
}

export interface ParsedRow {
  readonly row: StagedRow;
  readonly state: State;
  readonly payload: StagedPayload;
}

/** Longer payloads are not cached, to limit memory. */
const LONGEST_CACHED_PAYLOAD = 1_000;

/** Yields the rows with their parsed payloads. Equal short payloads are parsed only once. */
export function* readStagedRows(rows: Iterable<StagedRow>): Generator<ParsedRow> {
  const payloadOf = memoize(readPayload);
  for (const row of rows) {
    const payload = row.payload.length <= LONGEST_CACHED_PAYLOAD ? payloadOf(row.payload) : readPayload(row.payload);
    yield { row, state: isState(row.state) ? row.state : 'none', payload };
  }
}
