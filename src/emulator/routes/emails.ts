import type { Call, Route } from '../context.ts';
import { sendOff } from '../domain/email-journey.ts';
import { checkAccount, checkRecipients, checkSender } from '../domain/email-rules.ts';
import { type Message, readMessage } from '../domain/read-message.ts';
import { type Answer, notFound } from '../http/envelope.ts';
import { countSent, findEmail, insertEmail } from '../store/emails.ts';
import { getOrganization } from '../store/organizations.ts';

/** Document, "Endpoints shown in part": transactional mail. The path of the poll is our reading of "not shown". */
export const EMAIL_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/emails', transactional: true, action: send },
  { method: 'GET', path: '/v1/emails/{email_id}', action: retrieve },
];

function send(call: Call): Answer {
  const message = readMessage(call.body, call.world.quirks);
  const organization = getOrganization(call.world.store, call.caller.organization);
  checkAccount(organization, message.to.length);
  checkSender(organization, message.from);
  checkRecipients(call.world, organization, message.to);
  const id = call.world.ids.make('email', accept(call, message));
  return { status: 200, body: { id, object: 'email' } };
}

function accept({ world, caller }: Call, { to, subject }: Message): number {
  const { organization } = caller;
  const created_at = world.clock.now();
  const provider_message_id = `<${world.randomHex(24)}@mail.example.com>`;
  const entry = { organization, subject, provider_message_id, created_at, status: 'queued' };
  const email = insertEmail(world.store, { ...entry, recipients: JSON.stringify(to) });
  countSent(world.store, organization, to.length);
  for (const recipient of to) {
    sendOff(world, email, recipient);
  }
  return email;
}

function retrieve(call: Call): Answer {
  const { store, ids } = call.world;
  const seq = ids.parse('email', call.params[0] ?? '');
  const email = seq === undefined ? undefined : findEmail(store, seq);
  if (email === undefined || email.organization !== call.caller.organization) {
    throw notFound('email');
  }
  return { status: 200, body: { id: ids.make('email', email.seq), object: 'email', status: email.status } };
}
