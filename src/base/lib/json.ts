/** How many levels deep a JSON text may be nested. With more levels, recursive functions could overflow the stack. */
const MAX_LEVELS = 100;

/**
 * Parses a JSON text from outside, with or without a byte order mark. Throws if it is no JSON, or is nested too deeply.
 */
export function parseJsonStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  if (!isShallow(value)) {
    throw new SyntaxError(`JSON nested more than ${MAX_LEVELS} levels deep`);
  }
  return value;
}

/** Parses a JSON text from outside. Undefined if it is no JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonStrictly(text);
  } catch {
    return undefined;
  }
}

/** True for a JSON object. False for an array and for null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a key that comes from data. Undefined if the object has no such key. The names that every object
 * inherits, such as `constructor`, count as missing (F7).
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * True if a value is not nested too deeply. Uses a loop over the levels, because recursion would overflow the stack.
 */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) {
      return false;
    }
    level = level
      .filter((one) => typeof one === 'object' && one !== null)
      .flatMap((one) => Object.values(one as object));
  }
  return true;
}
