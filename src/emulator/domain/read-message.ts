import { LIMITS } from '../../wire/limits.ts';
import type { JsonObject } from '../context.ts';
import { invalid, refuseField } from '../http/envelope.ts';
import type { Quirks } from '../variants/variants.ts';
import { canonicalize, isAddress } from './address.ts';

/** A transactional message as asked for; addresses are canonical. */
export interface Message {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
}

/** Reads the body of POST /v1/emails. Throws 400 `invalid_request` or `invalid_email`. */
export function readMessage(body: JsonObject, quirks: Quirks): Message {
  const { from, to, subject, html, text } = body;
  if (typeof subject !== 'string') {
    throw invalid('subject is required.', 'subject');
  }
  if (typeof html !== 'string' && typeof text !== 'string') {
    throw invalid('html or text is required.', 'html');
  }
  return { from: readAddress(from, 'from', quirks), to: readRecipients(to, quirks), subject };
}

function readRecipients(to: unknown, quirks: Quirks): string[] {
  const recipients = typeof to === 'string' ? [to] : to;
  if (!Array.isArray(recipients) || recipients.length === 0) {
    throw invalid('to must name at least one recipient.', 'to');
  }
  if (recipients.length > LIMITS.emailRecipients) {
    throw invalid(`At most ${LIMITS.emailRecipients} recipients a message.`, 'to');
  }
  return recipients.map((recipient) => readAddress(recipient, 'to', quirks));
}

// `Name <address>` is how a sender is usually written.
function readAddress(value: unknown, param: string, quirks: Quirks): string {
  if (typeof value !== 'string') {
    throw invalid(`${param} is required.`, param);
  }
  const email = canonicalize(/<([^<>]+)>\s*$/.exec(value)?.[1] ?? value, quirks);
  if (!isAddress(email)) {
    throw refuseField(param, [400, 'invalid_email', 'Not an email address.']);
  }
  return email;
}
