import type { Answer } from '../envelope.ts';
import type { Call } from '../world.ts';

/** The delete confirmation (document, "Common shapes" and "Versioning" 5), or an empty 204 under the quirk `delete_body`. */
export function deleted(call: Call, id: string): Answer {
  return call.world.quirks.delete_body === '204'
    ? { status: 204, body: undefined }
    : { status: 200, body: { id, deleted: true } };
}
