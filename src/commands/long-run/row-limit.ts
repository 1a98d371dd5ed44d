import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import type { FailureLimit } from '../../migrate/options.ts';

/** Parses the value of a flag that limits rows or people: `100` or `5%`. */
export function rowLimit(flag: string, text: string): FailureLimit {
  const match = /^(\d{1,9}(?:\.\d+)?)(%?)$/.exec(text);
  if (!match || (match[2] === '' && match[1]!.includes('.'))) {
    throw new SvcError(EXIT.usage, 'usage', `${flag} takes a number or a percentage, not "${safe(text)}"`, {
      hint: `For example: ${flag} 100, or ${flag} 5%`,
    });
  }
  const value = Number(match[1]);
  if (match[2] === '%' && value > 100) {
    throw new SvcError(EXIT.usage, 'usage', `${flag} takes at most 100%, not ${safe(text)}`, {
      hint: `For example: ${flag} 5%`,
    });
  }
  return match[2] === '%' ? { kind: 'percent', percent: value } : { kind: 'rows', rows: value };
}
