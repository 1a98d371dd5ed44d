import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { EVENT_TYPES } from '../../wire/words.ts';

/** Refuses what is no event type and suggests the nearest one; each type comes back once. */
export function checkEventTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) {
    throw new SvcError(EXIT.usage, 'unknown_event_type', `not an event type: ${safe(unknown)}`, {
      hint: `Did you mean ${nearest(unknown)}? There are ${EVENT_TYPES.join(', ')}.`,
    });
  }
  return [...new Set(types)];
}

function nearest(text: string): string {
  const typed = text.toLowerCase();
  return [...EVENT_TYPES].sort((a, b) => distance(typed, a) - distance(typed, b))[0] ?? '';
}

/** How many letters have to be put in, taken out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    row = nextRow(row, index + 1, { letter, to });
  }
  return row.at(-1) ?? 0;
}

function nextRow(above: readonly number[], first: number, { letter, to }: { letter: string; to: string }): number[] {
  const row = [first];
  for (let at = 1; at <= to.length; at++) {
    const changed = (above[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
    row.push(Math.min((above[at] ?? 0) + 1, (row[at - 1] ?? 0) + 1, changed));
  }
  return row;
}
