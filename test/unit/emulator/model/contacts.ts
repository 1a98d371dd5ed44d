import {
  type AudienceState,
  canonical,
  isAddress,
  liveAudiences,
  type ModelContext,
  type Organization,
  type Person,
  passesCap,
  timestamp,
} from './account.ts';
import { allStrings, changePerson, faultsOf } from './contact-fields.ts';
import { AnyOf, AtLeast, Matcher } from './expectation.ts';
import { invalid, type Outcome, ok, refuse, refuseAny } from './refusals.ts';
import type { Fields } from './shapes.ts';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** POST .../contacts/batch */
export function writeBatch(
  organization: Organization,
  audience: AudienceState,
  body: Fields,
  context: ModelContext,
): Outcome {
  const { contacts, upsert = false } = body;
  const refusals = [
    ...(typeof upsert === 'boolean' ? [] : [invalid('upsert')]),
    ...(Array.isArray(contacts) ? wholeRefusals(contacts) : [invalid('contacts')]),
  ];
  if (refusals.length > 0 || !Array.isArray(contacts)) {
    return refuseAny(refusals);
  }
  const rows = contacts as Fields[];
  const results = rows.map((row) => rowResult(organization, audience, row, upsert === true));
  const created = results.filter((result) => result === 'created').length;
  if (passesCap(organization, created)) {
    return refuse(403, 'plan_limit_reached');
  }
  rows.forEach((row, index) => typeof results[index] === 'string' && save(organization, audience, row, context));
  const updated = results.filter((result) => result === 'updated').length;
  return ok({
    object: 'contact_batch',
    summary: { created, updated, failed: results.length - created - updated },
    results: results.map((result, index) =>
      typeof result === 'string'
        ? { index, status: result }
        : { index, status: 'failed', error: new AtLeast({ code: new AnyOf(result) }) },
    ),
  });
}

/** What refuses a whole batch: too many items, items that are no objects, wrong attributes, an address twice. */
function wholeRefusals(contacts: readonly unknown[]): Outcome[] {
  if (contacts.length > 1000) {
    return [refuse(400, 'batch_too_large', 'contacts')];
  }
  const rows = contacts.filter(isObject);
  const emails = rows.flatMap(({ email }) =>
    typeof email === 'string' && email.trim() !== '' ? [canonical(email)] : [],
  );
  const isWrong =
    rows.length < contacts.length ||
    rows.some(({ attributes }) => attributes !== undefined && !allStrings(attributes)) ||
    new Set(emails).size < emails.length;
  return isWrong ? [invalid('contacts')] : [];
}

/** The result of one row: created, updated, or the codes that fit its faults. */
function rowResult(
  organization: Organization,
  { people }: AudienceState,
  row: Fields,
  upsert: boolean,
): 'created' | 'updated' | string[] {
  const email = canonical(String(row.email));
  const known = people.has(email);
  const codes = [
    ...faultsOf(row).map(({ code }) => code),
    ...(organization.suppressions.has(email) ? ['email_suppressed'] : []),
    ...(known && !upsert ? ['contact_already_exists'] : []),
  ];
  if (codes.length > 0) {
    return codes;
  }
  return known ? 'updated' : 'created';
}

/** POST .../contacts */
export function createContact(
  organization: Organization,
  audience: AudienceState,
  { body, upsert }: { body: Fields; upsert: boolean },
  context: ModelContext,
): Outcome {
  const { attributes, email } = body;
  const address = canonical(String(email));
  const known = audience.people.has(address);
  const refusals = [
    ...faultsOf(body).map(({ code, field }) => refuse(400, code, field)),
    ...(attributes === undefined || allStrings(attributes) ? [] : [invalid('attributes')]),
    ...(isAddress(address) && organization.suppressions.has(address) ? [refuse(409, 'email_suppressed', 'email')] : []),
    ...(known && !upsert ? [refuse(409, 'contact_already_exists', 'email')] : []),
    ...(!known && passesCap(organization, 1) ? [refuse(403, 'plan_limit_reached')] : []),
  ];
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  return ok(contactRecord(save(organization, audience, body, context)), known ? 200 : 201);
}

/** Writes an accepted row. A new person joins the audience, so the audience's automations start. */
export function save(organization: Organization, audience: AudienceState, row: Fields, context: ModelContext): Person {
  const email = canonical(String(row.email));
  const existing = audience.people.get(email);
  const person = existing ?? createPerson(email, context);
  audience.people.set(email, person);
  changePerson(person, row, { isNew: existing === undefined, now: context.now() });
  if (existing === undefined && person.status === 'subscribed') {
    fireJoins(organization, audience, email);
  }
  return person;
}

function createPerson(email: string, context: ModelContext): Person {
  return {
    id: context.nextSymbol('sub'),
    email,
    first_name: null,
    last_name: null,
    status: 'subscribed',
    unsubscribed_at: null,
    attributes: new Map(),
    topics: new Map(),
    created_at: timestamp(context.now()),
  };
}

/** Starts automations in spite of filter, sandbox or version: see the notes join_gates and enroll_fires_joins. */
function fireJoins({ flows }: Organization, audience: AudienceState, email: string): void {
  for (const flow of flows) {
    const fires = flow.trigger === 'audience_join' && (flow.status === 'active' || flow.status === 'paused');
    if (fires && flow.audience === audience) {
      flow.runs.push({ email, state: flow.status === 'paused' ? 'waiting' : 'running' });
    }
  }
}

/** The record of a contact; `topics` only where they were asked for. */
export function contactRecord({ attributes, topics, ...person }: Person, withTopics = false): Fields {
  return {
    ...person,
    object: 'contact',
    updated_at: notBefore(person.created_at),
    attributes: Object.fromEntries(attributes),
    ...(withTopics ? { topics: Object.fromEntries(topics) } : {}),
  };
}

/** The document shows no `updated_at` of a contact. */
const notBefore = (moment: string) =>
  new Matcher(`a moment from ${moment} on`, (value) => typeof value === 'string' && value >= moment);

/** True if another audience holds the address. */
export function isElsewhere(organization: Organization, audience: AudienceState, email: string): boolean {
  return liveAudiences(organization).some((other) => other !== audience && other.people.has(email));
}
