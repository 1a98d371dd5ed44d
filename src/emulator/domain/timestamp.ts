/** A time of the store as the document writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same for a column that may be empty. */
export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Milliseconds of a timestamp in exactly the document's shape, or undefined; 30 February is no date. */
export function parseTimestamp(text: string): number | undefined {
  const ms = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || timestamp(ms) !== text ? undefined : ms;
}
