import type { JsonObject } from '../context.ts';
import { invalid } from '../http/envelope.ts';
import type { Plan } from '../store/organizations.ts';
import { readEnum, readNumber, readStrings } from './read.ts';
import type { AccountSettings } from './types.ts';

/** Every plan that an account can have. */
export const PLANS: readonly Plan[] = ['free', 'paid'];

/** The settings of an account as the admin API takes them; absent fields are left alone. Throws 400 `invalid_request`. */
export function readAccount(body: JsonObject): AccountSettings {
  return {
    ...(body.plan === undefined ? {} : { plan: readEnum(body, 'plan', PLANS) }),
    ...(body.members === undefined ? {} : { members: readStrings(body, 'members') }),
    ...(body.domains === undefined ? {} : { domains: readStrings(body, 'domains') }),
    ...(body.sending_disabled === undefined ? {} : { sendingDisabled: readFlag(body, 'sending_disabled') }),
    ...(body.forbidden === undefined ? {} : { forbidden: readFlag(body, 'forbidden') }),
    ...(body.allowance === undefined ? {} : { allowance: readAllowance(body) }),
  };
}

function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field];
  if (typeof value !== 'boolean') {
    throw invalid(`${field} must be true or false.`, field);
  }
  return value;
}

// Null lifts the limit.
function readAllowance(body: JsonObject): number | null {
  return body.allowance === null ? null : readNumber(body, 'allowance');
}
