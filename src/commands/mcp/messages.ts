import { parseJson } from '../../base/lib/json.ts';
import type { WireResponse } from '../../base/transport.ts';

/** The JSON values that an answer of streamable HTTP carries: one, a batch, or the events of a stream; none if unreadable. */
export function messagesOf({ headers, body }: WireResponse): unknown[] {
  const type = headers['content-type'] ?? '';
  const text = body.toString('utf8');
  if (/^text\/event-stream\b/i.test(type)) {
    return eventsOf(text).flatMap(parse);
  }
  return /^application\/json\b/i.test(type) ? parse(text) : [];
}

/** The data of each event (WHATWG HTML, "Server-sent events"); other fields don't matter here. */
function eventsOf(text: string): string[] {
  return text.split(/(?:\r\n|\r|\n){2,}/).map((event) =>
    event
      .split(/\r\n|\r|\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
      .join('\n'),
  );
}

function parse(text: string): unknown[] {
  const value = parseJson(text);
  return value === undefined ? [] : [value].flat();
}
