import type { RowFailure, Unit, UnitAnswer, UnitFailure, UnitKind, UnitState } from './types.ts';

/** A row of `units`, with the types that the STRICT schema holds it to. */
interface UnitRow {
  readonly id: number;
  readonly kind: UnitKind;
  readonly name: string;
  readonly key: string;
  readonly generation: number;
  readonly rows: number;
  readonly first_sent_at: number;
  readonly body_hash: string | null;
  readonly details: string | null;
  readonly state: UnitState;
  readonly answer: string | null;
}

/** A unit from its row; its failures are asked for only where there is an answer. */
export function readUnit(record: unknown, failuresOf: (id: number) => readonly unknown[]): Unit {
  const row = record as UnitRow;
  const { id, kind, name, key, generation, rows, state } = row;
  return {
    id,
    kind,
    name,
    key,
    generation,
    rows,
    firstSentAt: row.first_sent_at,
    state,
    answer: row.answer === null ? undefined : readAnswer(row.answer, failuresOf(id)),
    ...(row.body_hash !== null && { bodyHash: row.body_hash }),
    ...(row.details !== null && { details: JSON.parse(row.details) }),
  };
}

/** An answer as kept in its unit's row; the failures have rows of their own. */
export function writeAnswer({ failures: _, ...answer }: UnitAnswer): string {
  return JSON.stringify(answer);
}

/** A failure joined with its unit, without the columns that hold nothing. */
export function readUnitFailure(record: unknown): UnitFailure {
  return withoutNulls(record) as UnitFailure;
}

function readAnswer(text: string, failures: readonly unknown[]): UnitAnswer {
  return { ...JSON.parse(text), failures: failures.map((failure) => withoutNulls(failure) as RowFailure) };
}

function withoutNulls(record: unknown): unknown {
  return Object.fromEntries(Object.entries(record as object).filter(([, value]) => value !== null));
}
