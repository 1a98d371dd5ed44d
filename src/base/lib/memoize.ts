const MAX_CACHED = 1_000;

/**
 * Caches the results of `read`, also undefined ones, for up to a thousand different cells, then begins again. Even a
 * million rows usually have few different words.
 */
export function memoize<T>(read: (cell: string) => T): (cell: string) => T {
  // The map is made at the first cell: a table may have 100,000 columns, and most of their readers are never used.
  let cache: Map<string, T> | undefined;
  return (cell) => {
    cache ??= new Map();
    const cached = cache.get(cell);
    if (cached !== undefined || cache.has(cell)) {
      return cached as T;
    }
    if (cache.size >= MAX_CACHED) {
      cache.clear();
    }
    const value = read(cell);
    cache.set(cell, value);
    return value;
  };
}

/** Keeps the last result. Ten functions read one cell in turn, and most of them begin with its words. */
export function withLastResult(read: (text: string) => string): (text: string) => string {
  let last: string | undefined;
  let result = '';
  return (text) => {
    if (text !== last) {
      result = read(text);
      last = text;
    }
    return result;
  };
}
