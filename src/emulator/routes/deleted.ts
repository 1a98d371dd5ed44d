import type { Answer } from '../http/envelope.ts';

/** The delete confirmation (document, "Common shapes" and "Versioning" 5). */
export function deleted(id: string): Answer {
  return { status: 200, body: { id, deleted: true } };
}
