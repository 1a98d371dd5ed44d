import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';

/** A parser for flags that take a whole number of at least `least`; anything else is a usage error that names the flag. */
export function wholeNumber(flag: string, least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least) {
      throw new SvcError(EXIT.usage, 'usage', `${flag} takes a whole number of at least ${least}, not "${safe(text)}"`);
    }
    return value;
  };
}
