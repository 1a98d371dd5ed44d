import type { Finding } from '../../import/survey/survey-types.ts';
import { writesOf } from '../options.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/**
 * Checks that the API key can read this account. Only a write shows what it may write, because the service shows no
 * scopes.
 */
export function key(known: CheckContext): Finding {
  if (!known.snapshot) {
    return skippedCheck('key', known);
  }
  return writesOf(known.options.command).contacts
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : {
        check: 'key',
        level: 'skipped',
        message: 'suppressions need no reads, so the first write shows what the key may do',
      };
}
