import { plural } from '../../base/text.ts';
import type { Finding } from '../../import/survey-types.ts';
import type { Known } from './known.ts';

/** Unknown attribute keys register themselves as custom fields for good (rule F6). */
export function newFields({ facts, newFields: keys, options }: Known): Finding {
  const most = facts ? 'at most ' : 'as far as can be known without the account, at most ';
  const message =
    keys.length === 0
      ? 'no custom field is born'
      : `${most}${plural(keys.length, 'custom field')} born for good: ${keys.slice(0, 20).join(', ')}${keys.length > 20 ? ', …' : ''}`;
  if (keys.length > options.maxNewFields) {
    return {
      check: 'new_fields',
      level: 'stop',
      message,
      hint: `Choose columns with --attributes a,b,c (or none), or allow them: --max-new-fields ${keys.length}`,
      total: keys.length,
    };
  }
  return { check: 'new_fields', level: 'pass', message, total: keys.length };
}
