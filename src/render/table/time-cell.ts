import { ago } from './ago.ts';
import type { ShownCell } from './cell.ts';

/** A moment: its distance for people, the timestamp itself for scripts. */
export function timeCell(timestamp: string | null | undefined, now: number): ShownCell {
  return { text: ago(timestamp, now), raw: timestamp ?? null };
}
