import type { Finding } from '../../import/survey/finding.ts';
import { writesOf } from '../options.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/**
 * Checks that the API key can read this account. Only a write shows what it may write, because the service shows no
 * scopes.
 */
export function key(context: CheckContext): Finding {
  if (!context.snapshot) {
    return skippedCheck('key', context);
  }
  return writesOf(context.options.command).contacts
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : {
        check: 'key',
        level: 'skipped',
        message: 'suppressions need no reads, so the first write shows what the key may do',
      };
}
