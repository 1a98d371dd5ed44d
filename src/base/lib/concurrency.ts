/**
 * Runs `work` on at most `width` items at once, and yields each result once it is there. Reads the next item only when
 * its call may start, so a slow service slows down the reading. If the consumer stops or something fails, waits for the
 * calls in flight and drops their results. So `work` itself must record what it did.
 */
export async function* runConcurrently<T, R>(
  source: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = source[Symbol.asyncIterator]();
  const calls = new Set<Promise<Step<T, R>>>();
  let pull: Promise<Step<T, R>> | undefined;
  let hasEnded = false;
  try {
    for (;;) {
      if (!hasEnded && !pull && calls.size < width) {
        pull = iterator.next().then((next) => ({ kind: 'pulled', next }));
      }
      if (!pull && calls.size === 0) {
        return;
      }
      const step = await Promise.race(pull ? [...calls, pull] : calls);
      if (step.kind === 'done') {
        calls.delete(step.call);
        yield step.value;
      } else {
        pull = undefined;
        hasEnded = step.next.done === true;
        if (!step.next.done) {
          calls.add(start(work(step.next.value)));
        }
      }
    }
  } finally {
    await Promise.allSettled([...calls, pull]);
    await iterator.return?.();
  }
}

/**
 * Runs `work` on at most `width` items at once, and returns the results in the order of the items. If a call fails,
 * waits for the calls in flight before it rejects.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const indexed = runConcurrently(yieldEach(items.entries()), width, async ([index, item]) => ({
    index,
    result: await work(item),
  }));
  for await (const { index, result } of indexed) {
    results[index] = result;
  }
  return results;
}

async function* yieldEach<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

type Step<T, R> =
  | { readonly kind: 'pulled'; readonly next: IteratorResult<T> }
  | { readonly kind: 'done'; readonly value: R; readonly call: Promise<Step<T, R>> };

function start<T, R>(work: Promise<R>): Promise<Step<T, R>> {
  const call: Promise<Step<T, R>> = work.then((value) => ({ kind: 'done', value, call }));
  return call;
}

/** Items that may be worked on at the same time, or one item that must be worked on alone. */
type Part<T> =
  | { readonly kind: 'together'; readonly items: AsyncIterable<T> }
  | { readonly kind: 'alone'; readonly item: T };

/**
 * Splits a source at each item that must go alone, and keeps the order. If only `c` goes alone, `a b c d` becomes
 * together `a b`, alone `c`, together `d`. Reads one item ahead. Read all items of a part before you ask for the next
 * part.
 */
export async function* splitAtLoneItems<T>(
  source: AsyncGenerator<T>,
  goesAlone: (item: T) => boolean,
): AsyncGenerator<Part<T>> {
  let next = await source.next();
  async function* untilAlone() {
    for (; !next.done && !goesAlone(next.value); next = await source.next()) {
      yield next.value;
    }
  }
  try {
    while (!next.done) {
      yield { kind: 'together', items: untilAlone() };
      if (!next.done) {
        yield { kind: 'alone', item: next.value };
        next = await source.next();
      }
    }
  } finally {
    await source.return(undefined);
  }
}
