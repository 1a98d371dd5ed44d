import { ApiError } from '../../api/http/api-error.ts';
import { rewordError } from '../../base/lib/errors.ts';

const EXPLANATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    domain_not_verified:
      "The domain of --from isn't a verified sending domain. Add it in the app, set the DNS records that it shows, and wait until it is verified.",
    sandbox_recipient_not_allowed:
      'The account is in sandbox mode (free plan): it can write to members of its own organization only. Write to one of them, or change the plan.',
    sending_disabled: 'Sending is turned off for the whole account: only the people who run the service can say why.',
    plan_limit_reached:
      "The plan's monthly allowance is used up, or another limit of it is reached: see the plan in the app.",
    email_suppressed:
      'A recipient bounced hard, complained, or was suppressed by the mail provider: writing there again harms your reputation. Leave it out.',
    insufficient_scope: 'A scope cannot be added to a key: create a new key with it in the app.',
    forbidden: 'This key, or the state of the account, does not allow it.',
    invalid_email: 'One of the addresses is not valid.',
  }),
);

/** Adds a hint to a refusal of the service, if svc has one for its error code. Returns any other error unchanged. */
export function withExplanation(error: unknown): unknown {
  const hint = error instanceof ApiError ? EXPLANATIONS.get(error.code) : undefined;
  return error instanceof ApiError && hint !== undefined ? rewordError(error, { hint }) : error;
}
