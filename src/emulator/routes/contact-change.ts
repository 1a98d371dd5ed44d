import { writeBatch } from '../batch-write.ts';
import { readDraft } from '../contact-draft.ts';
import { type Answer, notFound } from '../envelope.ts';
import { deleteContact } from '../store/contacts.ts';
import type { Call, Route } from '../world.ts';
import { audienceOf } from './audiences.ts';
import { contactOf, shapeContact } from './contacts.ts';
import { deleted } from './deleted.ts';

const path = '/v1/audiences/{audience_id}/contacts/{contact_id_or_email}';

/** Changing and deleting one contact, which the document doesn't show: served under `single_contact_change` alone. */
export const CONTACT_CHANGE_ROUTES: readonly Route[] = [
  { method: 'PATCH', path, action: served(update) },
  { method: 'DELETE', path, action: served(remove) },
];

function served(action: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    if (call.world.quirks.single_contact_change === 'none') {
      throw notFound('route');
    }
    return action(call);
  };
}

function update(call: Call): Answer {
  const { email } = contactOf(call);
  const row = readDraft({ ...call.body, email }, call.world.quirks, 'contact');
  const target = { organization: call.caller.organization, audience: audienceOf(call).seq, upsert: true, dropRows: 0 };
  const [result] = writeBatch(call.world, target, [row]);
  if (result?.status === 'failed') {
    throw result.fault;
  }
  return { status: 200, body: shapeContact(call, contactOf(call)) };
}

function remove(call: Call): Answer {
  const contact = contactOf(call);
  deleteContact(call.world.store, contact.audience, contact.email);
  return deleted(call, call.world.ids.make('contact', contact.seq));
}
