import { listed, plural } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import type { CheckContext } from './context.ts';

/** Lists unknown attribute keys: the service makes custom fields of them, which cannot be deleted (F6). */
export function newFields({ snapshot, newFields: keys, options }: CheckContext): Finding {
  const most = snapshot ? 'at most ' : 'the account was not checked, so at most ';
  const message =
    keys.length === 0
      ? 'no new custom field'
      : `${most}${plural(keys.length, 'new custom field')}, which cannot be deleted: ${listed(keys, 20)}`;
  if (keys.length > options.maxNewFields) {
    return {
      check: 'new_fields',
      level: 'stop',
      message,
      hint: `--max-new-fields ${keys.length}`,
      when: 'To create them',
      otherwise: [{ when: 'To send no attributes (or name some: --attributes a,b)', flags: '--attributes none' }],
      total: keys.length,
    };
  }
  return { check: 'new_fields', level: 'pass', message, total: keys.length };
}
