import type { Clock } from '../../base/lib/clock.ts';
import type { Store } from '../store/store.ts';
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts';

/**
 * Makes the clock of a store. The store keeps by how much the clock was moved, so the clock continues there after a
 * restart. If the clock ran faster than the machine, it continues at the latest time in the store. Otherwise that time
 * would be in the future: keys would be replayed for more than 24 hours, and deliveries would come too late.
 */
export function openKeptClock(store: Store, base: Clock): ShiftedClock {
  const behind = latestTime(store) - base.now();
  let offset = Math.max(readOffset(store), behind);
  const clock = createShiftedClock(base, offset);
  return {
    ...clock,
    advance(ms) {
      offset += ms;
      store.run("insert or replace into meta (name, value) values ('clock_offset', ?)", String(offset));
      clock.advance(ms);
    },
  };
}

function readOffset(store: Store): number {
  const row = store.get<{ value: string }>("select value from meta where name = 'clock_offset'");
  return Number(row?.value ?? 0);
}

const TABLES = [
  'audiences',
  'automations',
  'campaigns',
  'claims',
  'contacts',
  'deliveries',
  'emails',
  'enrollments',
  'events',
  'suppressions',
  'webhooks',
];

const CHANGES = [
  'select max(updated_at) from audiences',
  'select max(updated_at) from automations',
  'select max(updated_at) from campaigns',
  'select max(updated_at) from contacts',
  'select max(last_success_at) from webhooks',
  'select max(last_failure_at) from webhooks',
];

/**
 * The latest time in the store: of a new object, of a change, or of the end of a webhook attempt. Negative infinity if
 * the store is empty.
 */
function latestTime(store: Store): number {
  const newest = TABLES.map(
    (table) => `select * from (select created_at as at from ${table} order by seq desc limit 1)`,
  );
  const sql = `select max(at) as at from (${[...newest, ...CHANGES].join(' union all ')})`;
  return store.get<{ at: number | null }>(sql)?.at ?? Number.NEGATIVE_INFINITY;
}
