/** Levels of nesting that a document may have; whatever reads or writes one recursively has room for as many. */
const MOST_LEVELS = 100;

/** The value of a JSON text; undefined where it is not JSON, or nested so deeply that nothing could print it. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Level by level, because a function that calls itself would overflow on the values that this is about. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) {
      return false;
    }
    level = level
      .filter((one) => typeof one === 'object' && one !== null)
      .flatMap((one) => Object.values(one as object));
  }
  return true;
}
