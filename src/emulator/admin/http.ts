import { encode, invalid, notFound } from '../envelope.ts';
import type { GateRequest, GateResponse } from '../gate-types.ts';
import { readBody } from '../read-body.ts';
import type { Caller } from '../world.ts';
import type { Admin } from './types.ts';

/**
 * The admin functions over HTTP: `POST /_emulator/<function>` with `{"arguments": […]}` in the order of the typed ones.
 * The answer is what the function returned, or `{}`.
 */
export function answerAdmin(admin: Admin, request: GateRequest, _caller: Caller): GateResponse {
  const name = request.path
    .split('?')[0]
    ?.slice('/_emulator/'.length)
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const found = Object.entries(admin).find(([key]) => key === name)?.[1];
  if (found === undefined || (request.method !== 'POST' && request.method !== 'GET')) {
    throw notFound('admin function');
  }
  return { status: 200, headers: {}, body: encode(call(found, readBody(request).arguments ?? []) ?? {}) };
}

function call(found: unknown, values: unknown): unknown {
  if (typeof found !== 'function' || !Array.isArray(values)) {
    throw invalid('arguments must be an array.', 'arguments');
  }
  try {
    return found(...values);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'The admin function failed.', 'arguments');
  }
}
