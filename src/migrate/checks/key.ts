import type { Finding } from '../../import/survey/survey-types.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/**
 * Checks that the API key can read this account. Only a write shows what it may write, because the service shows no
 * scopes.
 */
export function key(known: CheckContext): Finding {
  return known.snapshot
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : skippedCheck('key', known);
}
