import { canonical, isAddress, type ModelContext, type Organization, timestamp } from './account.ts';
import { addJob, emit } from './deliveries.ts';
import { AtLeast, SOME_TEXT } from './expectation.ts';
import { invalid, type Outcome, ok, refuse, refuseAny } from './refusals.ts';
import type { Fields } from './shapes.ts';
import { addSuppression } from './suppressions.ts';

/** POST /v1/emails. "Unsubscribes apply to campaigns and are ignored for transactional email." */
export function sendEmail(organization: Organization, body: Fields, context: ModelContext): Outcome {
  const to = typeof body.to === 'string' ? [body.to] : body.to;
  const recipients = Array.isArray(to) ? to.map(String).map(canonical) : [];
  const people = new Set(recipients);
  const isText = (value: unknown) => typeof value === 'string';
  const isPart = (value: unknown) => value === undefined || value === null || isText(value);
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
    ...(exceedsAllowance(organization, people.size, context.now()) ? [refuse(403, 'plan_limit_reached')] : []),
  ];
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  const id = context.nextSymbol('eml');
  organization.messages.push(...Array<number>(people.size).fill(context.now()));
  for (const email of people) {
    const shared = { object: 'email', email_id: id, to: [...people], email, subject: body.subject };
    schedule(organization, email, shared, context);
  }
  return ok({ object: 'email', id });
}

/** Note monthly_allowance: it counts the messages of a calendar month in UTC, one for each person in `to`. */
function exceedsAllowance({ allowance, messages }: Organization, added: number, now: number): boolean {
  const month = timestamp(now).slice(0, 7);
  const sent = messages.filter((at) => timestamp(at).startsWith(month)).length;
  return allowance !== null && sent + added > allowance;
}

const SECOND = 1000;
const BOUNCE = { bounce_subtype: SOME_TEXT };

/** What happens to a message, second by second. The guide of the emulator names these recipients. */
const JOURNEYS: Readonly<Record<string, readonly [string, object?][]>> = {
  bounce: [['email.sent'], ['email.bounced', { ...BOUNCE, bounce_type: 'Permanent' }]],
  undetermined: [['email.sent'], ['email.bounced', { ...BOUNCE, bounce_type: 'Undetermined' }]],
  softbounce: [['email.sent'], ['email.bounced', { ...BOUNCE, bounce_type: 'Transient' }]],
  complaint: [['email.sent'], ['email.delivered'], ['email.complained']],
  fail: [['email.failed', { error: SOME_TEXT }]],
};
const ORDINARY: readonly [string, object?][] = [['email.sent'], ['email.delivered']];

/** "Permanent and Undetermined bounces suppress the address", and so does a complaint. */
const SUPPRESSING: Readonly<Record<string, string>> = {
  bounce: 'bounced',
  undetermined: 'bounced',
  complaint: 'complained',
};

function schedule(organization: Organization, email: string, shared: Fields, context: ModelContext): void {
  const kind = email.split('@')[0] ?? '';
  const steps = JOURNEYS[kind] ?? ORDINARY;
  steps.forEach(([type, more], index) => {
    const run = (at: number) => {
      const data = { ...shared, provider_message_id: SOME_TEXT, ...more };
      emit(organization, { type, data: type === 'email.failed' ? new AtLeast(shared) : data }, at, context);
      const reason = index === steps.length - 1 ? SUPPRESSING[kind] : undefined;
      reason && addSuppression(organization, { email, reason }, at, context);
    };
    addJob(organization, { at: context.now() + (index + 1) * SECOND, run });
  });
}
