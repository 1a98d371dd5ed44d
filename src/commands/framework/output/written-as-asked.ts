import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { isSameText, isSameUrl } from '../../../wire/same-value.ts';

/** The fields that a request sets. A field that it does not set is undefined. */
export interface AskedFields {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly events?: readonly string[] | undefined;
}

/**
 * Throws if a value in the response differs from the value in the request. The service drops request fields without an
 * error (F5). A field that the response does not show is no difference. `check` is the command that shows the object.
 */
export function requireWrittenAsAsked(asked: AskedFields, response: object, check: string): void {
  const shown = response as Readonly<Record<string, unknown>>;
  const differences = Object.entries(asked).filter(
    ([field, value]) => value !== undefined && shown[field] !== undefined && !isAsAsked(field, value, shown[field]),
  );
  if (differences.length === 0) {
    return;
  }
  const texts = differences.map(
    ([field, value]) => `${field} is ${textOf(shown[field])}, and ${textOf(value)} was asked for`,
  );
  throw new SvcError(EXIT.unverified, 'not_as_asked', `the service wrote something else: ${texts.join('; ')}`, {
    hint: `See what is there: ${check}`,
  });
}

function isAsAsked(field: string, asked: unknown, shown: unknown): boolean {
  if (Array.isArray(asked)) {
    return Array.isArray(shown) && sorted(asked) === sorted(shown);
  }
  if (typeof asked !== 'string' || (typeof shown !== 'string' && shown !== null)) {
    return false;
  }
  return field === 'url' ? isSameUrl(asked, shown ?? '') : isSameText(asked, shown);
}

function sorted(words: readonly unknown[]): string {
  return [...new Set(words)].sort().join();
}

function textOf(value: unknown): string {
  return terminalSafe(Array.isArray(value) ? value.join(', ') : JSON.stringify(value));
}
