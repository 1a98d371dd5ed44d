import { LIMITS } from '../../wire/limits.ts';
import type { Route, RouteCall } from '../context/action-context.ts';
import type { Variants } from '../context/variants.ts';
import { addressIn, checkAddress } from '../domain/address.ts';
import { checkMaySend, checkRecipients, checkSender, type EmailRow, scheduleDelivery } from '../domain/email.ts';
import { ownRow } from '../domain/owned-rows.ts';
import { type JsonObject, readStringField } from '../protocol/body.ts';
import { invalidRequest, type RouteResponse } from '../protocol/envelope.ts';
import { addSentMessages, getOrganization } from '../store/organizations.ts';
import { insertRow } from '../store/rows.ts';

/**
 * The routes for transactional email (service document, "Endpoints shown in part"). The path that reads a message is a
 * guess, because the document does not show it.
 */
export const EMAIL_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/emails', transactional: true, action: send },
  { method: 'GET', path: '/v1/emails/{email_id}', action: retrieve },
];

function send(call: RouteCall): RouteResponse {
  const message = readMessage(call.body, call.context.variants);
  const organization = getOrganization(call.context.store, call.caller.organization);
  checkMaySend(call.context, organization, message.to.length);
  checkSender(organization, message.from);
  checkRecipients(call.context, organization, message.to);
  const id = call.context.ids.make('email', accept(call, message));
  return { status: 200, body: { id, object: 'email' } };
}

function accept({ context, caller }: RouteCall, { to, subject }: Message): number {
  const { organization } = caller;
  const created_at = context.clock.now();
  const provider_message_id = `<${context.randomHex(24)}@mail.example.com>`;
  const entry = { organization, subject, provider_message_id, created_at, status: 'queued' };
  const email = insertRow<EmailRow>(context.store, 'emails', { ...entry, recipients: JSON.stringify(to) });
  addSentMessages(context.store, organization, { messages: to.length, now: created_at });
  for (const recipient of to) {
    scheduleDelivery(context, email, recipient);
  }
  return email;
}

function retrieve(call: RouteCall): RouteResponse {
  const email = ownRow<EmailRow>(call, 'email', call.params[0] ?? '');
  return {
    status: 200,
    body: { id: call.context.ids.make('email', email.seq), object: 'email', status: email.status },
  };
}

/** A transactional message as it was requested. Its addresses are canonical. */
interface Message {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
}

/** Reads the body of POST /v1/emails. Throws 400 `invalid_request` or `invalid_email`. */
function readMessage(body: JsonObject, variants: Variants): Message {
  const { from, to, subject } = body;
  if (typeof subject !== 'string') {
    throw invalidRequest('subject is required.', 'subject');
  }
  const parts = ['html', 'text'].filter((name) => body[name] !== undefined && body[name] !== null);
  if (parts.length === 0) {
    throw invalidRequest('html or text is required.', 'html');
  }
  parts.forEach((name) => readStringField(body, name));
  return { from: readAddress(from, 'from', variants), to: readRecipients(to, variants), subject };
}

function readRecipients(to: unknown, variants: Variants): string[] {
  const recipients = typeof to === 'string' ? [to] : to;
  if (!Array.isArray(recipients) || recipients.length === 0) {
    throw invalidRequest('to must name at least one recipient.', 'to');
  }
  if (recipients.length > LIMITS.emailRecipients) {
    throw invalidRequest(`At most ${LIMITS.emailRecipients} recipients a message.`, 'to');
  }
  // An address that occurs twice gets one message, because events are about one address each (service document,
  // "Events").
  return [...new Set(recipients.map((recipient) => readAddress(recipient, 'to', variants)))];
}

function readAddress(value: unknown, param: string, variants: Variants): string {
  if (typeof value !== 'string') {
    throw invalidRequest(`${param} is required.`, param);
  }
  return checkAddress(addressIn(value, variants), param);
}
