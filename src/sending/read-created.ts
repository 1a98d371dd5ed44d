import { isNotFound } from '../api/http/api-error.ts';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import type { Journal } from '../runs/store/journal.ts';
import { type CreationRun, endCreation, forgetCreation, recordDeletion } from './creation-record.ts';

/** An object to read back after its creation. */
interface ObjectToRead<T> {
  /** The name of the object for the error, such as `the audience "News"`. */
  readonly what: string;
  read(): Promise<T>;
  /** When the service created the object. If undefined, a 404 always means that it was deleted. */
  readonly createdAt: string | undefined;
  /** Removes what svc stored about the object, such as its secret. */
  forget?(): void;
}

// A service may show a new object some seconds late. Within this time after the creation, a 404 proves nothing.
const SHOWN_LATE_MS = 60_000;

/** True if the object is so new that the service may not show it yet. Then a 404 does not prove a deletion. */
function isShownLate({ client }: Pick<CreationRun, 'client'>, createdAt: string | undefined): boolean {
  return createdAt !== undefined && client.serverNow() - Date.parse(createdAt) < SHOWN_LATE_MS;
}

/**
 * Reads the created object. If the service does not show it yet, throws, because a second object must not be created
 * (I4). If it was deleted since, throws too (I7). The run keeps its key until the error is reported, so that a resume
 * after a kill does not create the object again (I9).
 */
export async function readBackResource<T>(
  run: CreationRun,
  { what, read, createdAt, forget }: ObjectToRead<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
    if (isShownLate(run, createdAt)) {
      const message = `${what} was created less than a minute ago, and the service does not show it yet`;
      throw new SvcError(EXIT.failed, NOT_SHOWN_YET, message, {
        hint: `Wait a minute. Then: svc runs resume ${run.journal.run}`,
      });
    }
    recordDeletion(run);
    // Removes the secret before the creation ends. After that, svc deletes the run, and no command could remove the
    // secret any more.
    forget?.();
    endCreation(run, 'refused');
    throw new SvcError(EXIT.stopped, DELETED_SINCE, `${what} was created, and was deleted since`, {
      hint: 'Run the same command to create it again.',
    });
  }
}

const NOT_SHOWN_YET = 'not_shown_yet';
const DELETED_SINCE = 'deleted_since';

/** The error code for an endpoint that was created, but whose secret is in no response. */
export const SECRET_LOST = 'secret_lost';

/** The hint of the error, if it already says how to continue with the created object. Otherwise undefined. */
export function hintForCreated({ code, hint }: SvcError): string | undefined {
  return code === NOT_SHOWN_YET || code === SECRET_LOST ? hint : undefined;
}

/**
 * Forgets the key of a deleted object, so that the next command creates a new one. Called once the error is reported.
 */
export function forgetDeletedObject(journal: Journal, code: string | undefined): void {
  if (code === DELETED_SINCE) {
    forgetCreation(journal);
  }
}
