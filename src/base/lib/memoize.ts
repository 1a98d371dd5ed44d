const MAX_CACHED = 1_000;

/**
 * Caches the results of `read`, even undefined ones. A small cache is enough, because even a million rows usually have
 * few different words. After a thousand different cells, the cache is emptied.
 */
export function memoize<T>(read: (cell: string) => T): (cell: string) => T {
  // The map is made at the first cell, because a table may have 100,000 columns, and most of their readers are never
  // used.
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

/**
 * Keeps only the last result. That is enough, because about ten functions read the same cell one after the other, and
 * most of them call this function first.
 */
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
