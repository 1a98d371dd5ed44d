import { canonical, isAddress, type ModelContext, type Organization, timestamp } from './account.ts';
import type { Fields } from './contacts.ts';
import { invalid, type Outcome, ok, refuse, refuseAny } from './refusals.ts';

/** POST /v1/suppressions */
export function suppress(organization: Organization, { reason, emails }: Fields, context: ModelContext): Outcome {
  const refusals = [
    ...(['bounced', 'complained', 'unsubscribed'].includes(String(reason)) ? [] : [invalid('reason')]),
    ...(Array.isArray(emails) ? listRefusals(emails) : [invalid('emails')]),
  ];
  if (refusals.length > 0 || !Array.isArray(emails)) {
    return refuseAny(refusals);
  }
  for (const email of emails.map(canonical)) {
    const before = organization.suppressions.get(email);
    if (before === undefined) {
      const created = timestamp(context.now());
      const entry = { id: context.nextSymbol('sup'), email, reason: String(reason), created_at: created };
      organization.suppressions.set(email, entry);
    } else if (before.reason === 'unsubscribed') {
      // "Hard bounces and complaints are refused for both", so a stronger reason replaces this one.
      organization.suppressions.set(email, { ...before, reason: String(reason) });
    }
  }
  return ok({ object: 'suppression_batch', total_suppressed_after: organization.suppressions.size });
}

function listRefusals(emails: readonly unknown[]): Outcome[] {
  const texts = emails.filter((email) => typeof email === 'string');
  return [
    ...(emails.length > 1000 ? [refuse(400, 'batch_too_large', 'emails')] : []),
    ...(emails.length === 0 || texts.length < emails.length ? [invalid('emails')] : []),
    ...(texts.every((email) => isAddress(canonical(email))) ? [] : [refuse(400, 'invalid_email', 'emails')]),
  ];
}

/** POST /v1/emails. "Unsubscribes apply to campaigns and are ignored for transactional email." */
export function sendEmail(organization: Organization, body: Fields, context: ModelContext): Outcome {
  const to = typeof body.to === 'string' ? [body.to] : body.to;
  const recipients = Array.isArray(to) ? to.map(String).map(canonical) : [];
  const isText = (value: unknown) => typeof value === 'string';
  const isPart = (value: unknown) => value === undefined || isText(value);
  const hasBody = isText(body.html) || isText(body.text);
  const malformed = [
    ...(isText(body.from) ? [] : [invalid('from')]),
    ...(isText(body.subject) ? [] : [invalid('subject')]),
    ...(Array.isArray(to) && to.length > 0 && to.length <= 50 ? [] : [invalid('to')]),
    ...(hasBody && isPart(body.html) && isPart(body.text) ? [] : [invalid('html'), invalid('text')]),
    ...(recipients.every(isAddress) ? [] : [refuse(400, 'invalid_email', 'to')]),
  ];
  if (malformed.length > 0) {
    return refuseAny(malformed);
  }
  const isRefused = (email: string) =>
    ['bounced', 'complained'].includes(organization.suppressions.get(email)?.reason ?? '');
  const refusals = [
    ...(organization.sendingDisabled ? [refuse(403, 'sending_disabled')] : []),
    ...(organization.plan === 'free' && !recipients.every((email) => organization.members.includes(email))
      ? [refuse(403, 'sandbox_recipient_not_allowed', 'to')]
      : []),
    ...(recipients.some(isRefused) ? [refuse(400, 'email_suppressed', 'to')] : []),
  ];
  return refusals.length > 0 ? refuseAny(refusals) : ok({ object: 'email', id: context.nextSymbol('eml') });
}
