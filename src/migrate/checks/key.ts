import type { Finding } from '../../import/types.ts';
import type { Known } from './known.ts';

/** Whether the key reads this account. What it may write is only seen by writing: the service shows no scopes. */
export function key({ facts }: Known): Finding {
  return facts
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : { check: 'key', level: 'skipped', message: 'the account was not asked: no URL or no key' };
}
