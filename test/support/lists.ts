/** A list of `rows` people with a header, as CSV. `row` makes each line from its number. */
export function csv(header: string, rows: number, row: (index: number) => string): string {
  return `${header}\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}\n`;
}

/** A list of subscribed people, from `person0@example.com`. */
export function people(rows: number, from = 0): string {
  return csv(
    'email,first_name,status',
    rows,
    (index) => `person${from + index}@example.com,Name ${from + index},subscribed`,
  );
}
