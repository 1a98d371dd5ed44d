import { EVENT_TYPES } from '../../wire/words.ts';
import { invalid } from '../http/envelope.ts';

/** The `events` of an endpoint: at least one, all known, each once. */
export function readEvents(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid('events must name at least one event type.', 'events');
  }
  for (const each of value) {
    if (!EVENT_TYPES.some((known) => known === each)) {
      throw invalid(`events must be among ${EVENT_TYPES.join(', ')}.`, 'events');
    }
  }
  return [...new Set<string>(value)];
}

/** The `description` of an endpoint; empty where there is none. */
export function readDescription(value: unknown): string {
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw invalid('description must be a string.', 'description');
  }
  return value ?? '';
}

/** The `status` of an endpoint. The document shows `active` alone, so any word is kept. */
export function readStatus(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw invalid('status must be a word.', 'status');
  }
  return value;
}
