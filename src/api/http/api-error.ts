import { EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';

/**
 * The error body that the service sends with a refusal. `param` names the input field that caused it, if there is one.
 */
export interface ErrorEnvelope {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * A refusal by the service. svc decides only by the code and the status, because messages may change (O1). `message` is
 * the text of the service, followed by code and param (O9).
 */
export class ApiError extends SvcError {
  readonly status: number;
  readonly param: string | undefined;
  readonly refusal: ErrorEnvelope;

  constructor(refusal: ErrorEnvelope, exit: ExitCode = exitOf(refusal)) {
    const about = refusal.param === undefined ? refusal.code : `${refusal.code}, param ${refusal.param}`;
    super(exit, refusal.code, `${refusal.message} (${about})`, {
      hint: hintOf(refusal),
      requestId: refusal.requestId,
    });
    this.name = 'ApiError';
    this.status = refusal.status;
    this.param = refusal.param;
    this.refusal = refusal;
  }
}

/**
 * Returns an error handler for a request with an id that the user gave. A 404 becomes a usage error; any other error is
 * thrown unchanged. The service also responds with 404 if the id belongs to another organization (O8).
 */
export function refuseWrongId(what: string): (error: unknown) => never {
  return (error) => {
    if (!isNotFound(error)) {
      throw error;
    }
    // Leaves out the message of the service ("No such audience."), which would repeat this one.
    const message = `${what} was not found with this key: wrong id, or the wrong key`;
    throw new ApiError({ ...error.refusal, message }, EXIT.usage);
  };
}

/** True for a response with status 404: the service has no such object. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

const AUTH_CODES: ReadonlySet<string> = new Set(['insufficient_scope', 'test_keys_not_supported', 'forbidden']);

// A 404 about an id that the user gave is handled by `refuseWrongId`. Any other 404 stops the run: its audience or
// automation was deleted meanwhile.
function exitOf({ status, code }: ErrorEnvelope): ExitCode {
  return status === 401 || (status === 403 && AUTH_CODES.has(code)) ? EXIT.auth : EXIT.stopped;
}

const HINTS: Readonly<Record<string, string>> = {
  invalid_api_key: 'check the key, and that it belongs to this base URL',
  revoked_api_key: 'create a new key in the app',
  insufficient_scope: 'a scope cannot be added to a key: create a new key with it in the app',
  test_keys_not_supported: 'use a live key, created in the app',
  forbidden: 'see in the app what this key and this account may do',
  plan_limit_reached: 'raise the plan or make room in the app, or wait for the next monthly allowance; then continue',
  not_found: 'the service answers the same for an id of another organization and for a wrong path in --base-url',
};

function hintOf({ code }: ErrorEnvelope): string | undefined {
  return Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
}
