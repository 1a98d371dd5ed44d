import type { EmulatorContext } from '../context/action-context.ts';
import { findEverywhere, setContactStatus } from '../store/contacts.ts';
import { insertSuppressions, strengthenReasons } from '../store/suppressions.ts';
import { queueEvents } from './events.ts';

// Three suppression reasons have one word in requests and another word in events.
const WORDS = [
  { request: 'bounced', event: 'hard_bounce' },
  { request: 'complained', event: 'complaint' },
  { request: 'unsubscribed', event: 'unsubscribe' },
] as const;

/**
 * Adds canonical addresses to the suppression list of the account, and sends an event for each new one. `reason` may be
 * the word of requests or the word of events; the store has the word of requests. A reason in `HARD_REASONS`, such as a
 * bounce, replaces a weaker reason. If the variant `suppression_marks_contacts` says so, also changes the status of
 * contacts whose address is new on the list or gets a stronger reason.
 */
export function suppressAddresses(
  context: EmulatorContext,
  organization: number,
  what: { reason: string; emails: readonly string[] },
): void {
  const requestReason = WORDS.find(({ event }) => event === what.reason)?.request ?? what.reason;
  const entry = { organization, reason: requestReason, created_at: context.clock.now() };
  const strengthened = strengthenReasons(context.store, entry, what.emails);
  const added = insertSuppressions(context.store, entry, what.emails);
  if (context.variants.suppression_marks_contacts === 'yes') {
    const status = requestReason === 'bounced' ? 'bounced' : 'unsubscribed';
    for (const email of [...added, ...strengthened]) {
      for (const contact of findEverywhere(context.store, organization, email)) {
        setContactStatus(context.store, contact, status, entry.created_at);
      }
    }
  }
  const reason = WORDS.find(({ request }) => request === requestReason)?.event ?? requestReason;
  const data = added.map((email) => ({ object: 'suppression', email, reason }));
  queueEvents(context, organization, { type: 'suppression.created', data });
}
