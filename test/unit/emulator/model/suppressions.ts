import { canonical, isAddress, type ModelContext, type Organization, timestamp } from './account.ts';
import { emit } from './deliveries.ts';
import { invalid, type Outcome, ok, refuse, refuseAny } from './refusals.ts';
import type { Fields } from './shapes.ts';

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
    addSuppression(organization, { email, reason: String(reason) }, context.now(), context);
  }
  return ok({ object: 'suppression_batch', total_suppressed_after: organization.suppressions.size });
}

const EVENT_REASONS: Readonly<Record<string, string>> = {
  bounced: 'hard_bounce',
  complained: 'complaint',
  unsubscribed: 'unsubscribe',
};

/** Adds an address, with an event. Note second_reason: a stronger reason replaces `unsubscribed`, without an event. */
export function addSuppression(
  organization: Organization,
  { email, reason }: { readonly email: string; readonly reason: string },
  at: number,
  context: ModelContext,
): void {
  const before = organization.suppressions.get(email);
  if (before === undefined) {
    const entry = { id: context.nextSymbol('sup'), email, reason, created_at: timestamp(at) };
    organization.suppressions.set(email, entry);
    const data = { object: 'suppression', email, reason: EVENT_REASONS[reason] };
    emit(organization, { type: 'suppression.created', data }, at, context);
  } else if (before.reason === 'unsubscribed') {
    // "Hard bounces and complaints are refused for both", so a stronger reason replaces this one.
    organization.suppressions.set(email, { ...before, reason });
  }
}

function listRefusals(emails: readonly unknown[]): Outcome[] {
  const texts = emails.filter((email) => typeof email === 'string');
  return [
    ...(emails.length > 1000 ? [refuse(400, 'batch_too_large', 'emails')] : []),
    ...(emails.length === 0 || texts.length < emails.length ? [invalid('emails')] : []),
    ...(texts.every((email) => isAddress(canonical(email))) ? [] : [refuse(400, 'invalid_email', 'emails')]),
  ];
}
