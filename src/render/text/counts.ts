/** The counts of a record that are not zero, in the order given first, then the rest as they come. */
export function counts(record: object, order: readonly string[] = []): [string, number][] {
  const entries = Object.entries(record).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] !== 0,
  );
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return entries.toSorted(([a], [b]) => rank(a) - rank(b));
}

/** The same with the largest first. */
export function byCount(record: object): [string, number][] {
  return counts(record).toSorted(([, a], [, b]) => b - a);
}
