import { ApiError } from '../../api/api-error.ts';
import { SvcError } from '../../base/lib/errors.ts';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  domain_not_verified:
    "The domain of --from isn't a verified sending domain: add it in the app, set the DNS records it shows, wait until it is verified.",
  sandbox_recipient_not_allowed:
    'The account is in sandbox mode (free plan): only members of its own organisation can be written to. Write to one of them, or change the plan.',
  sending_disabled: 'Sending is turned off for the whole account: only the people who run the service can say why.',
  plan_limit_reached:
    "The plan's monthly allowance is used up, or another limit of it is reached: see the plan in the app.",
  email_suppressed:
    'A recipient bounced hard, complained, or was suppressed by the mail provider: writing there again would harm your reputation. Leave it out.',
  insufficient_scope: 'A scope cannot be added to a key: create a new key with it in the app.',
  forbidden: 'This key, or the state of the account, does not allow it.',
  invalid_email: 'One of the addresses is not valid.',
};

/** What a refused message means and what to do about it; undefined where the code is no one of sending. */
function explainRefusal(code: string): string | undefined {
  return Object.hasOwn(EXPLANATIONS, code) ? EXPLANATIONS[code] : undefined;
}

/** The same refusal with what to do about it; other problems come back as they are. */
export function explained(error: unknown): unknown {
  const hint = error instanceof ApiError ? explainRefusal(error.code) : undefined;
  if (!(error instanceof ApiError) || hint === undefined) {
    return error;
  }
  return new SvcError(error.exit, error.code, error.message, { hint, cause: error, requestId: error.requestId });
}
