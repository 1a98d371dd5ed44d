import type { EmulatorContext, RouteCall } from '../context/action-context.ts';
import { notFound } from '../protocol/envelope.ts';
import { FIRST_ORGANIZATION } from '../store/organizations.ts';
import { findRow } from '../store/rows.ts';

/** The kinds of objects that an organization owns. The table of a kind has its name in the plural. */
type OwnedKind = 'audience' | 'automation' | 'webhook' | 'email' | 'campaign';

interface OwnedRow {
  readonly seq: number;
  readonly organization: number;
}

/** The row with this id. Throws 404 if the caller's organization does not have it. */
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

/** The row with this id. Throws RangeError, as admin functions do, if the first organization does not have it. */
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
  // Nothing checks the type of the row here: the calling code must name the type that the rows of this table have.
  return row as Row | undefined;
}
