import { SvcError } from '../../base/lib/errors.ts';
import { readBody } from '../http/body.ts';
import { encode, invalid, notFound } from '../http/envelope.ts';
import type { ServiceRequest, ServiceResponse } from '../http/messages.ts';
import { captureParams } from '../http/router.ts';
import type { Admin } from './admin.ts';
import { ADMIN_ROUTES } from './routes.ts';

/** Answers under `/_emulator/`, after the checks of host and key. An unknown id or value is 400 `invalid_request`. */
export function answerAdmin(admin: Admin, request: ServiceRequest): ServiceResponse {
  const path = request.path.split('?')[0] ?? '';
  for (const route of ADMIN_ROUTES) {
    const params = route.method === request.method ? captureParams(route.path.split('/'), path.split('/')) : undefined;
    if (params !== undefined) {
      return {
        status: 200,
        headers: {},
        body: encode(call(() => route.action(admin, readBody(request), params)) ?? {}),
      };
    }
  }
  throw notFound('admin route');
}

function call(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    throw error instanceof RangeError || error instanceof SvcError ? invalid(error.message) : error;
  }
}
