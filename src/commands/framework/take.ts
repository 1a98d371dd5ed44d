/** The first `most` items, or all of them; nothing is asked for beyond the last. */
export async function* take<T>(items: AsyncIterable<T>, most: number | undefined): AsyncGenerator<T> {
  let left = most ?? Number.POSITIVE_INFINITY;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left <= 0) {
      return;
    }
  }
}
