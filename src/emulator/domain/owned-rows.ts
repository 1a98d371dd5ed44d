import type { EmulatorContext, RouteCall } from '../action-context.ts';
import { notFound } from '../http/envelope.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { findRow } from '../store/rows.ts';

/** The kinds of objects that belong to an organization. The name of a kind in the plural is the name of its table. */
type OwnedKind = 'audience' | 'automation' | 'webhook' | 'email' | 'campaign';

interface OwnedRow {
  readonly seq: number;
  readonly organization: number;
}

/** The row with this id, if the caller's organization has it. Throws 404 otherwise. */
export function ownRow<Row extends OwnedRow>(
  { context, caller }: Pick<RouteCall, 'context' | 'caller'>,
  kind: OwnedKind,
  id: string,
): Row {
  const row = find<Row>(context, caller.organization, { kind, id });
  if (row === undefined) {
    throw notFound(kind === 'webhook' ? 'webhook endpoint' : kind);
  }
  return row;
}

/** The row with this id, if the first organization has it. Throws RangeError otherwise, as admin functions do. */
export function adminRow<Row extends OwnedRow>(context: EmulatorContext, kind: OwnedKind, id: string): Row {
  const row = find<Row>(context, FIRST_ORGANIZATION, { kind, id });
  if (row === undefined) {
    throw new RangeError(`no ${kind} ${id}`);
  }
  return row;
}

function find<Row extends OwnedRow>(
  { store, ids }: EmulatorContext,
  organization: number,
  { kind, id }: { readonly kind: OwnedKind; readonly id: string },
): Row | undefined {
  const seq = ids.parse(kind, id);
  const row = seq === undefined ? undefined : findRow<OwnedRow>(store, `${kind}s`, { seq, organization });
  // The caller names the type of the rows in the table.
  return row as Row | undefined;
}
