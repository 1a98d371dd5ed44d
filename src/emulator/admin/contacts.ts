import type { EmulatorContext } from '../context/action-context.ts';
import { canonicalize } from '../domain/address.ts';
import { readAttributes } from '../domain/attributes.ts';
import { type ContactDraft, newContact } from '../domain/contact-draft.ts';
import { adminRow } from '../domain/owned-rows.ts';
import { suppressAddresses } from '../domain/suppress.ts';
import type { StoreIdentity } from '../setup/bootstrap.ts';
import { type AudienceRow, addToContactCounts } from '../store/audiences.ts';
import { listContacts } from '../store/contact-series.ts';
import {
  type ContactRow,
  contactCountChange,
  deleteContact,
  findContactByEmail,
  findContacts,
  insertContacts,
  listFields,
  type NewContact,
  registerFields,
  setContactStatus,
} from '../store/contacts.ts';
import { FIRST_ORGANIZATION } from '../store/organizations.ts';
import { ALL_ROWS, listPage } from '../store/rows.ts';
import type { SuppressionRow } from '../store/suppressions.ts';

/** A contact of a seed file or of `addContacts`. No API request creates it. */
export interface SeedContact {
  readonly email: string;
  readonly first_name?: string;
  readonly last_name?: string;
  /** `subscribed` by default. */
  readonly status?: string;
  /** When the contact opted out, in milliseconds since the epoch. */
  readonly unsubscribed_at?: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Changes contacts and suppressions without the API, as people do when they opt out. If `audienceId` is missing, the
 * functions use the default audience. Addresses and attribute keys are stored in the canonical form of the service.
 */
export interface ContactAdmin {
  /**
   * Adds contacts to an audience, without starting an automation. Throws RangeError if the audience already has one of
   * the addresses.
   */
  addContacts(contacts: readonly SeedContact[], audienceId?: string): void;
  contacts(audienceId?: string): ContactRow[];
  contact(email: string, audienceId?: string): ContactRow | undefined;
  /** Sets the status of a contact, as if the person had opted out, subscribed again or bounced. */
  setStatus(email: string, status: string, audienceId?: string): void;
  deleteContact(email: string, audienceId?: string): void;
  /** The keys of the audience's custom fields, sorted. */
  fields(audienceId?: string): string[];
  suppress(emails: readonly string[], reason?: string): void;
  unsuppress(email: string): void;
  suppressions(): SuppressionRow[];
}

/** Makes the admin functions for contacts and suppressions. */
export function createContactAdmin({
  context,
  identity,
}: {
  context: EmulatorContext;
  identity: StoreIdentity;
}): ContactAdmin {
  const { store } = context;
  const existing = (id: string) => adminRow<AudienceRow>(context, 'audience', id).seq;
  // Does not look up the default audience: if it was deleted, it has no contacts, and that is no error.
  const audienceOf = (id: string | undefined) => (id === undefined ? identity.audience : existing(id));
  const canonicalOf = (email: string) => canonicalize(email, context.variants);
  return {
    addContacts: (contacts, audienceId) =>
      store.transaction(() =>
        addContacts(context, contacts, existing(audienceId ?? context.ids.make('audience', identity.audience))),
      ),
    contacts: (audienceId) => listContacts<ContactRow>(store, { audience: audienceOf(audienceId) }, ALL_ROWS),
    contact: (email, audienceId) => findContactByEmail(store, audienceOf(audienceId), canonicalOf(email)),
    setStatus: (email, status, audienceId) =>
      setStatus(context, { email: canonicalOf(email), status, audience: audienceOf(audienceId) }),
    deleteContact(email, audienceId) {
      deleteContact(store, audienceOf(audienceId), canonicalOf(email));
    },
    fields: (audienceId) => listFields(store, audienceOf(audienceId)),
    suppress: (emails, reason = 'manual') =>
      suppressAddresses(context, FIRST_ORGANIZATION, { reason, emails: emails.map(canonicalOf) }),
    unsuppress(email) {
      const sql = 'delete from suppressions where email = ? and organization = ?';
      store.run(sql, canonicalOf(email), FIRST_ORGANIZATION);
    },
    suppressions: () => listPage<SuppressionRow>(store, 'suppressions', { organization: FIRST_ORGANIZATION }, ALL_ROWS),
  };
}

function setStatus(context: EmulatorContext, to: { email: string; status: string; audience: number }): void {
  const contact = findContactByEmail(context.store, to.audience, to.email);
  if (contact === undefined) {
    throw new RangeError(`no contact ${to.email}`);
  }
  setContactStatus(context.store, contact, to.status, context.clock.now());
}

function addContacts(context: EmulatorContext, contacts: readonly SeedContact[], audience: number): void {
  const drafts = contacts.map((contact) => draftOf(context, contact));
  const now = context.clock.now();
  const rows = drafts.map((draft) => newContact(draft, { audience, now }, context));
  assertNew(context, rows, audience);
  insertContacts(context.store, rows);
  const keys = new Set(drafts.flatMap(({ attributes }) => Object.keys(attributes)));
  registerFields(context.store, audience, { keys, now });
  for (const { status } of rows) {
    addToContactCounts(context.store, audience, contactCountChange(undefined, status));
  }
}

function draftOf({ variants }: EmulatorContext, contact: SeedContact): ContactDraft {
  const { email, status = 'subscribed', attributes = {} } = contact;
  return {
    ...contact,
    email: canonicalize(email, variants),
    status,
    attributes: readAttributes(attributes),
  };
}

function assertNew(context: EmulatorContext, rows: readonly NewContact[], audience: number): void {
  const emails = rows.map(({ email }) => email);
  const seen = new Set(findContacts(context.store, audience, emails).keys());
  for (const email of emails) {
    if (seen.has(email)) {
      throw new RangeError(`there is a contact ${email} already`);
    }
    seen.add(email);
  }
}
