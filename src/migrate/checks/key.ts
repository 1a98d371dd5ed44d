import type { Finding } from '../../import/survey/survey-types.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/** Whether the key reads this account. What it may write is only seen by writing: the service shows no scopes. */
export function key(known: CheckContext): Finding {
  return known.facts
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : skippedCheck('key', known);
}
