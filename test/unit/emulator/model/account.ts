import type { Attempt, Webhook } from './shapes.ts';

/**
 * The state of the model: what an organization holds. It is written from the service document and from
 * docs/service-notes.md alone, and shares nothing with the emulator.
 */
export interface Organization {
  plan: 'free' | 'paid';
  members: readonly string[];
  sendingDisabled: boolean;
  readonly audiences: AudienceState[];
  readonly flows: Flow[];
  readonly suppressions: Map<string, Suppression>;
  /** When the requests of the last minutes came, and those for POST /v1/emails. */
  requests: number[];
  sends: number[];
  readonly claims: Map<string, Claim>;
  /** How many messages may be sent in a calendar month; null for any number. */
  allowance: number | null;
  /** When each message was accepted. */
  readonly messages: number[];
  readonly webhooks: Webhook[];
  /** What happens later, by itself. */
  readonly jobs: Job[];
}

/** Something that happens at its time. `run` gets that time. */
export interface Job {
  readonly at: number;
  run(at: number): void;
}

export interface AudienceState {
  readonly id: string;
  name: string;
  readonly created_at: string;
  updated_at: string;
  readonly people: Map<string, Person>;
  isDeleted: boolean;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  first_name: string | null;
  last_name: string | null;
  status: string;
  unsubscribed_at: string | null;
  readonly attributes: Map<string, string>;
  readonly topics: Map<string, unknown>;
  readonly created_at: string;
}

export interface Suppression {
  readonly id: string;
  readonly email: string;
  readonly reason: string;
  readonly created_at: string;
}

export interface Flow {
  readonly id: string;
  readonly name: string;
  status: string;
  readonly trigger: string;
  readonly audience: AudienceState;
  live_version: number | null;
  sandbox: boolean;
  readonly created_at: string;
  updated_at: string;
  readonly reentry: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly unusable: boolean;
  readonly runs: Run[];
}

export interface Run {
  readonly email: string;
  state: string;
}

/** The use of an idempotency key: its time and its request. `response` is set once the test has received it. */
export interface Claim {
  readonly at: number;
  readonly request: string;
  response?: { readonly status: number; readonly json: unknown };
}

/** Time and names for the objects of one model. */
export interface ModelContext {
  now(): number;
  /** The HTTP status with which a receiver responds to an attempt; undefined if the connection fails. */
  receive(url: string, attempt: number): number | undefined;
  /** Every request to a receiver so far. */
  readonly attempts: Attempt[];
  /** The next symbol with this prefix, such as `@sub_3`. */
  nextSymbol(prefix: string): string;
}

export function createOrganization(plan: 'free' | 'paid'): Organization {
  return {
    plan,
    members: [],
    sendingDisabled: false,
    audiences: [],
    flows: [],
    suppressions: new Map(),
    requests: [],
    sends: [],
    claims: new Map(),
    allowance: null,
    messages: [],
    webhooks: [],
    jobs: [],
  };
}

export function addAudience(organization: Organization, name: string, context: ModelContext): AudienceState {
  const now = timestamp(context.now());
  const id = context.nextSymbol('aud');
  const audience = { id, name, created_at: now, updated_at: now, people: new Map<string, Person>(), isDeleted: false };
  organization.audiences.push(audience);
  return audience;
}

export const timestamp = (moment: number) => new Date(moment).toISOString();

/** Audiences that are not deleted. */
export const liveAudiences = ({ audiences }: Organization) => audiences.filter(({ isDeleted }) => !isDeleted);

/** True if this many more contacts would bring a free account over 500. */
export function passesCap(organization: Organization, created: number): boolean {
  const total = liveAudiences(organization).reduce((sum, { people }) => sum + people.size, 0);
  return organization.plan === 'free' && created > 0 && total + created > 500;
}

export const canonical = (email: string) => email.trim().toLowerCase();

/** One `@`, a domain with a dot, at most 254 bytes; no blanks, quoted parts, brackets or dot at the end. */
export function isAddress(email: string): boolean {
  return /^[^@\s"()<>[\]]+@[^@\s"()<>[\]]+\.[^@\s"()<>[\].]+$/.test(email) && Buffer.byteLength(email) <= 254;
}
