import { plural } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import type { CheckContext } from './context.ts';

/** Lists unknown attribute keys: the service makes custom fields of them, which cannot be deleted (F6). */
export function newFields({ facts, newFields: keys, options }: CheckContext): Finding {
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
      hint: `--max-new-fields ${keys.length}`,
      when: 'To let them be born for good',
      otherwise: [{ when: 'To send no attributes (or name some: --attributes a,b)', flags: '--attributes none' }],
      total: keys.length,
    };
  }
  return { check: 'new_fields', level: 'pass', message, total: keys.length };
}
