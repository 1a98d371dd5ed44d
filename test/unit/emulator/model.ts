/**
 * A small model of the service, written from its document alone: maps, no HTTP, no database. It shares nothing with the
 * emulator. It responds to each request with a status and the relevant parts of the body.
 */
export interface Model {
  respond(request: ModelRequest): ModelResponse;
  /** Everything that the API shows, in a fixed order. */
  state(): ModelState;
}

export type ModelRequest =
  | {
      readonly kind: 'batch';
      readonly upsert: boolean;
      readonly contacts: readonly ModelContact[];
      readonly key?: string;
    }
  | { readonly kind: 'create'; readonly upsert: boolean; readonly contact: ModelContact; readonly key?: string }
  | { readonly kind: 'suppress'; readonly reason: string; readonly emails: readonly string[]; readonly key?: string }
  | { readonly kind: 'enroll'; readonly email: string; readonly attributes?: Attributes; readonly key?: string };

type Attributes = Readonly<Record<string, unknown>>;

export interface ModelContact {
  readonly email: string;
  readonly status?: string;
  readonly first_name?: string;
  readonly attributes?: Attributes;
}

/** Status and code, or the relevant parts of a success. */
export interface ModelResponse {
  readonly status: number;
  readonly says: unknown;
}

export interface ModelState {
  readonly contacts: readonly {
    readonly email: string;
    readonly status: string;
    readonly first_name: string | null;
    readonly attributes: Attributes;
  }[];
  readonly counts: { readonly subscribed: number; readonly unsubscribed: number; readonly total: number };
  readonly suppressions: readonly (readonly [string, string])[];
  readonly enrolled: readonly string[];
}

interface Person {
  status: string;
  first_name: string | null;
  attributes: Record<string, string>;
}

interface Account {
  readonly cap: number;
  people: Map<string, Person>;
  suppressed: Map<string, string>;
  enrolled: Set<string>;
}

/** An account with the given plan, one audience and one active flow for it. Each person can enter the flow once. */
export function createModel(plan: 'free' | 'paid'): Model {
  const cap = plan === 'free' ? 500 : Number.POSITIVE_INFINITY;
  const account: Account = { cap, people: new Map(), suppressed: new Map(), enrolled: new Set() };
  const stored = new Map<string, { body: string; response: ModelResponse }>();
  return {
    respond({ key, ...request }) {
      const body = JSON.stringify(request);
      const before = key === undefined ? undefined : stored.get(key);
      if (before !== undefined) {
        return before.body === body ? before.response : refused(409, 'idempotency_conflict');
      }
      const response = act(account, request);
      if (key !== undefined) {
        stored.set(key, { body, response });
      }
      return response;
    },
    state: () => stateOf(account),
  };
}

function act(account: Account, request: ModelRequest): ModelResponse {
  switch (request.kind) {
    case 'batch':
      return batch(account, request.contacts, request.upsert);
    case 'create':
      return create(account, request.contact, request.upsert);
    case 'suppress':
      return suppress(account, request.reason, request.emails);
    case 'enroll':
      return enroll(account, request.email, request.attributes);
    default:
      return request satisfies never;
  }
}

const refused = (status: number, code: string): ModelResponse => ({ status, says: code });
const canonical = (email: string) => email.trim().toLowerCase();
const valid = (email: string) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email);
const allStrings = (attributes: Attributes = {}) =>
  Object.values(attributes).every((value) => typeof value === 'string' || value === null);

function batch(account: Account, contacts: readonly ModelContact[], upsert: boolean): ModelResponse {
  const emails = contacts.map(({ email }) => canonical(email));
  const written = emails.filter((email) => email !== '');
  if (!contacts.every(({ attributes }) => allStrings(attributes)) || new Set(written).size < written.length) {
    return refused(400, 'invalid_request');
  }
  const outcomes = contacts.map((contact) => batchOutcome(account, contact, upsert));
  const fresh = outcomes.filter((outcome) => outcome === 'created').length;
  if (account.people.size + fresh > account.cap && fresh > 0) {
    return refused(403, 'plan_limit_reached');
  }
  contacts.forEach(
    (contact, index) => ['created', 'updated'].includes(String(outcomes[index])) && write(account, contact),
  );
  return { status: 200, says: outcomes };
}

function batchOutcome(account: Account, { email, status }: ModelContact, upsert: boolean): string {
  const address = canonical(email);
  if (!valid(address)) {
    return 'invalid_email';
  }
  if (status !== undefined && status !== 'subscribed' && status !== 'unsubscribed') {
    return 'invalid_request';
  }
  if (account.suppressed.has(address)) {
    return 'email_suppressed';
  }
  const known = account.people.has(address);
  return known && !upsert ? 'contact_already_exists' : known ? 'updated' : 'created';
}

function write(account: Account, { email, status, first_name, attributes = {} }: ModelContact): void {
  const address = canonical(email);
  const person = account.people.get(address) ?? { status: 'subscribed', first_name: null, attributes: {} };
  person.status = status ?? person.status;
  person.first_name = first_name ?? person.first_name;
  for (const [key, value] of Object.entries(attributes)) {
    delete person.attributes[key];
    if (typeof value === 'string') {
      person.attributes[key] = value;
    }
  }
  account.people.set(address, person);
}

const STATUS: ReadonlyMap<string, number> = new Map([
  ['invalid_email', 400],
  ['invalid_request', 400],
  ['email_suppressed', 409],
  ['contact_already_exists', 409],
]);

function create(account: Account, contact: ModelContact, upsert: boolean): ModelResponse {
  const response = batch(account, [contact], upsert);
  if (response.status !== 200 || !Array.isArray(response.says)) {
    return response;
  }
  const outcome = String(response.says[0]);
  const status = STATUS.get(outcome);
  return status === undefined
    ? { status: outcome === 'created' ? 201 : 200, says: canonical(contact.email) }
    : refused(status, outcome);
}

function suppress(account: Account, reason: string, emails: readonly string[]): ModelResponse {
  if (!['bounced', 'complained', 'unsubscribed'].includes(reason) || emails.length === 0) {
    return refused(400, 'invalid_request');
  }
  if (!emails.every((email) => valid(canonical(email)))) {
    return refused(400, 'invalid_email');
  }
  for (const email of emails.map(canonical)) {
    account.suppressed.set(email, account.suppressed.get(email) ?? reason);
  }
  return { status: 200, says: account.suppressed.size };
}

function enroll(account: Account, email: string, attributes: Attributes | undefined): ModelResponse {
  const address = canonical(email);
  if (!valid(address) || !allStrings(attributes)) {
    return refused(400, valid(address) ? 'invalid_request' : 'invalid_email');
  }
  const known = account.people.has(address);
  if (!known && attributes === undefined) {
    return { status: 200, says: 'not_subscribed' };
  }
  if (!known && account.suppressed.has(address)) {
    return refused(409, 'email_suppressed');
  }
  if (!known && account.people.size >= account.cap) {
    return refused(403, 'plan_limit_reached');
  }
  if (attributes !== undefined && !account.suppressed.has(address)) {
    write(account, { email: address, attributes });
  }
  return { status: 200, says: outcomeOf(account, address) };
}

function outcomeOf(account: Account, address: string): string {
  if (account.suppressed.has(address)) {
    return 'suppressed';
  }
  if (account.people.get(address)?.status !== 'subscribed') {
    return 'not_subscribed';
  }
  // The free plan is a sandbox, and this account has no members.
  if (account.cap < Number.POSITIVE_INFINITY) {
    return 'sandbox_not_member';
  }
  const again = account.enrolled.has(address);
  account.enrolled.add(address);
  return again ? 'already_enrolled' : 'enrolled';
}

function stateOf({ people, suppressed, enrolled }: Account): ModelState {
  const contacts = [...people].map(([email, person]) => ({ email, ...person }));
  const count = (status: string) => contacts.filter((contact) => contact.status === status).length;
  return {
    contacts: contacts.sort((a, b) => (a.email < b.email ? -1 : 1)),
    counts: { subscribed: count('subscribed'), unsubscribed: count('unsubscribed'), total: contacts.length },
    suppressions: [...suppressed].sort(),
    enrolled: [...enrolled].sort(),
  };
}
