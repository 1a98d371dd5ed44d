import { isState, type State } from '../../platforms/lib/states.ts';
import type { StagedRow } from '../../runs/store/people.ts';
import type { CollidingValues } from '../mapping/collisions.ts';
import type { DraftFields, RowProblem } from '../types.ts';

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
}

/** The fields that were staged with a person or a row. */
export function readPayload(payload: string): StagedPayload {
  // Only this program writes payloads, as JSON of a StagedPayload.
  return JSON.parse(payload) as StagedPayload;
}

/** A staged row and its payload. */
export interface ReadRow {
  readonly row: StagedRow;
  readonly state: State;
  readonly payload: StagedPayload;
}

function stateOf(row: StagedRow): State {
  return isState(row.state) ? row.state : 'none';
}

/** The rows with their payloads. Rows on disk are read again on each iteration. Equal payloads are read once. */
export function readStagedRows(rows: Iterable<StagedRow>): Iterable<ReadRow> {
  let text = '';
  let payload: StagedPayload = { fields: {} };
  const readOne = (row: StagedRow): ReadRow => {
    payload = row.payload === text ? payload : readPayload(row.payload);
    text = row.payload;
    return { row, state: stateOf(row), payload };
  };
  return Array.isArray(rows) ? rows.map(readOne) : { [Symbol.iterator]: () => Iterator.from(rows).map(readOne) };
}
