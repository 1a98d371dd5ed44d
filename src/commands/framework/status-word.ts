import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';

/**
 * Refuses a --status that is no word of the service document. A typing mistake would list nothing, or the service
 * would answer 400 without the valid words. `what` names the objects: `contacts`.
 */
export function checkStatusWord(given: string | undefined, known: readonly string[], what: string): void {
  if (given !== undefined && !known.includes(given)) {
    throw statusError(given, known, what);
  }
}

/** The usage error for an unknown status, with the possible values. */
export function statusError(given: string, known: readonly string[], what: string): SvcError {
  return new SvcError(EXIT.usage, 'unknown_status', `no status of ${what}: ${safe(given)}`, {
    hint: `Possible values: ${known.join(', ')}`,
  });
}
