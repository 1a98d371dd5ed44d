import type { Context } from '../context.ts';
import { refuse, refuseField } from '../http/envelope.ts';
import { isMember, type OrganizationRow, parseList } from '../store/organizations.ts';
import { findSuppressed, HARD_REASONS } from '../store/suppressions.ts';

/** Throws 403 `sending_disabled`, or `plan_limit_reached` when the month's allowance doesn't cover the messages. */
export function checkAccount(organization: OrganizationRow, messages: number): void {
  if (organization.sending_disabled) {
    throw refuse(403, 'sending_disabled', 'Sending is turned off for this account.');
  }
  if (organization.allowance !== null && organization.sent + messages > organization.allowance) {
    throw refuse(403, 'plan_limit_reached', `The monthly allowance of ${organization.allowance} emails is used up.`);
  }
}

/** Throws 403 `domain_not_verified`. */
export function checkSender(organization: OrganizationRow, from: string): void {
  const verified = parseList(organization.domains);
  const domain = from.slice(from.indexOf('@') + 1);
  if (!verified.includes('*') && !verified.includes(domain)) {
    throw refuseField('from', [403, 'domain_not_verified', `${domain} is not a verified sending domain.`]);
  }
}

/** Throws 403 `sandbox_recipient_not_allowed` or 400 `email_suppressed`. */
export function checkRecipients(context: Context, organization: OrganizationRow, to: readonly string[]): void {
  const stranger = organization.plan === 'free' && to.find((email) => !isMember(organization, email));
  if (stranger) {
    throw refuseField('to', [
      403,
      'sandbox_recipient_not_allowed',
      'The free plan mails members of the organization only.',
    ]);
  }
  // Unsubscribes apply to campaigns and are ignored for transactional email (document, "What the service does" 1 and
  // 2).
  const suppressed = findSuppressed(context.store, organization.seq, to);
  if ([...suppressed.values()].some((reason) => HARD_REASONS.includes(reason))) {
    throw refuseField('to', [400, 'email_suppressed', 'A recipient is on the suppression list.']);
  }
}
