import { isState, type State } from '../../platforms/lib/states.ts';
import { remember } from '../../platforms/lib/status-words.ts';
import type { StagedRow } from '../../runs/store/people.ts';
import type { RowProblem } from '../csv/byte-row.ts';
import type { CollidingValues } from '../mapping/collisions.ts';
import type { FoundAddressColumn } from '../mapping/found-addresses.ts';
import type { DraftFields } from '../record/contact-fields.ts';

/** The data that a staged row carries for the merge, beside its state and date. */
export interface StagedPayload {
  readonly fields: DraftFields;
  readonly why?: string | undefined;
  readonly unknown?: string | undefined;
  readonly problem?: RowProblem | undefined;
  readonly addressFault?: boolean | undefined;
  readonly collisions?: CollidingValues | undefined;
  /**
   * True for a mentioned address: the row is about another person and only names this one. Its state counts here; the
   * row is counted for the other person.
   */
  readonly witness?: boolean | undefined;
  /** The column of a mentioned address, if it holds addresses without an address header. */
  readonly column?: FoundAddressColumn | undefined;
}

export function readPayload(payload: string): StagedPayload {
  // Only this program writes payloads, as JSON of a StagedPayload.
  return JSON.parse(payload) as StagedPayload;
}

export interface ReadRow {
  readonly row: StagedRow;
  readonly state: State;
  readonly payload: StagedPayload;
}

/** Longer payloads are not remembered, to limit memory. */
const SHORT = 1_000;

/** The rows with their payloads, to be read once. Equal short payloads are parsed once. */
export function* readStagedRows(rows: Iterable<StagedRow>): Generator<ReadRow> {
  const payloadOf = remember(readPayload);
  for (const row of rows) {
    const payload = row.payload.length <= SHORT ? payloadOf(row.payload) : readPayload(row.payload);
    yield { row, state: isState(row.state) ? row.state : 'none', payload };
  }
}
