import type { World } from '../context.ts';
import type { IdKind } from '../domain/ids.ts';

/** A page that holds every row there may be. */
export const EVERYTHING = { limit: 10_000_000, before: Number.MAX_SAFE_INTEGER };

/** The row number of an id that must exist in this store. */
export function parseId(world: World, kind: IdKind, id: string): number {
  const seq = world.ids.parse(kind, id);
  if (seq === undefined) {
    throw new RangeError(`no ${kind} ${id}`);
  }
  return seq;
}
