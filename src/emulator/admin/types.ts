import type { Audience, WebhookEndpoint } from '../../wire/shapes.ts';
import type { AccountChange, FaultRule } from '../faults/faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import type { ContactRow } from '../store/contacts.ts';
import type { EnrollmentRow } from '../store/enrollments.ts';
import type { OrganizationRow, Plan } from '../store/organizations.ts';
import type { SuppressionRow } from '../store/suppressions.ts';

/** A contact that is there without our doing. */
export interface SeedContact {
  readonly email: string;
  readonly first_name?: string;
  readonly last_name?: string;
  /** Default `subscribed`. */
  readonly status?: string;
  /** Milliseconds since the epoch. */
  readonly unsubscribed_at?: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What an automation is made of in the app. */
export interface NewAutomation {
  /** Default: the first organization's default audience. */
  readonly audienceId?: string;
  readonly name?: string;
  /** Default `active`. */
  readonly status?: string;
  /** Default `api`. */
  readonly trigger?: string;
  /** Whether a person may run through it again: never (`once`, the default), after the last run has ended, or always. */
  readonly reentry?: 'once' | 'finished' | 'always';
  /** Attribute values that a contact must have. */
  readonly entryFilter?: Readonly<Record<string, string>>;
  /** The published version can't run. */
  readonly unusable?: boolean;
}

/** What can be set on an account. Absent fields are left alone; an allowance of null means no limit. */
export interface AccountSettings {
  readonly plan?: Plan;
  readonly members?: readonly string[];
  readonly domains?: readonly string[];
  readonly sendingDisabled?: boolean;
  readonly forbidden?: boolean;
  readonly allowance?: number | null;
}

/** An account as `createOrganization` makes it. */
export interface NewOrganization {
  readonly organization: number;
  readonly apiKey: string;
  readonly audienceId: string;
}

/** Counts over the first organization, and the emulator's time in milliseconds. */
export interface EmulatorState {
  readonly now: number;
  readonly store_id: string;
  readonly plan: Plan;
  readonly audiences: number;
  readonly contacts: number;
  readonly suppressions: number;
  readonly automations: number;
  readonly enrollments: number;
  readonly webhooks: number;
  readonly requests: number;
}

/**
 * What people do in the app and other programs do beside ours, and what tests look at. It goes past the gate: no key,
 * no rate, no idempotency. Ids that don't exist throw RangeError. `organization` is the first one unless given.
 */
export interface Admin {
  set(settings: AccountSettings, organization?: number): void;
  setPlan(plan: Plan): void;
  account(organization?: number): OrganizationRow;
  /** The emulator at a glance. */
  state(): EmulatorState;
  createOrganization(plan?: Plan): NewOrganization;
  /** Returns the key, shown this once. */
  createKey(scopes?: readonly string[], organization?: number): string;
  revokeKey(key: string): void;
  createAudience(name: string): string;
  /** Newest first, without counts. */
  audiences(): Audience[];
  deleteAudience(audienceId: string): void;
  /** Puts people into an audience without any flow firing at them. An address that is there already is an error. */
  addContacts(contacts: readonly SeedContact[], audienceId?: string): void;
  contacts(audienceId?: string): ContactRow[];
  contact(email: string, audienceId?: string): ContactRow | undefined;
  /** Sets a contact's status by hand, as a person who leaves, comes back or bounces does. */
  setStatus(email: string, status: string, audienceId?: string): void;
  deleteContact(email: string, audienceId?: string): void;
  fields(audienceId?: string): string[];
  suppress(emails: readonly string[], reason?: string): void;
  unsuppress(email: string): void;
  suppressions(): SuppressionRow[];
  createAutomation(automation?: NewAutomation): string;
  /** Moves an automation; a resumed flow releases whom it kept waiting. */
  setAutomationStatus(automationId: string, status: string): void;
  /** Publishes the next version: activates a draft and stamps the sandbox by the plan of now. */
  publishAutomation(automationId: string): void;
  enrollments(automationId: string): EnrollmentRow[];
  /** Ends every running run of a flow. */
  finishEnrollments(automationId: string): void;
  /** Sends an event of any type to the endpoints that subscribe to it. */
  emitEvent(type: string, data: object): void;
  /** Endpoints with their secrets, newest first. */
  webhooks(): Required<WebhookEndpoint>[];
  deleteWebhook(webhookId: string): void;
  /** The signing secret, as the app reveals it. */
  webhookSecret(webhookId: string): string;
  /** Gives an endpoint a new secret and returns it. */
  rotateSecret(webhookId: string): string;
  /** Sends the original payload of a delivery once more, as a delivery of its own. */
  resendDelivery(deliveryId: string): void;
  faults(): readonly FaultRule[];
  addFault(rule: FaultRule): void;
  clearFaults(): void;
  /** Other clients of the organization use up that many requests of the window. */
  stealRequests(count: number): void;
  requests(): readonly LoggedRequest[];
  clearRequests(): void;
  /** Puts the emulator's clock forward. */
  advance(ms: number): void;
  /** What the scripted fault `change` does; the header tells whose key to revoke. */
  change(change: AccountChange, authorization?: string): void;
}
