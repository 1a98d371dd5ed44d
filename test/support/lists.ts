/** A list of `rows` people under a header, as CSV; `row` makes each line from its number. */
export function csv(header: string, rows: number, row: (index: number) => string): string {
  return `${header}\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}\n`;
}

/** A plain list of subscribed people, `person0@example.com` and on. */
export function people(rows: number, from = 0): string {
  return csv(
    'email,first_name,status',
    rows,
    (index) => `person${from + index}@example.com,Name ${from + index},subscribed`,
  );
}
