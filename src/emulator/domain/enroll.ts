import type { EnrollmentOutcome } from '../../wire/words.ts';
import type { World } from '../context.ts';
import { findAudience } from '../store/audiences.ts';
import { type AutomationRow, insertEnrollment, listEnrollments } from '../store/automations.ts';
import { type ContactRow, findContactByEmail, isElsewhere } from '../store/contacts.ts';
import { getOrganization, isMember } from '../store/organizations.ts';
import { findSuppressed } from '../store/suppressions.ts';
import type { AttributeChanges } from './attributes.ts';
import { writeBatch } from './write-batch.ts';

/** Whom to enrol. With attributes, even none, an unknown address is created; without, it isn't. */
export interface Candidate {
  readonly email: string;
  readonly attributes: AttributeChanges | undefined;
}

/** What became of the candidate; the run's number where one was started. */
export interface Enrolled {
  readonly outcome: EnrollmentOutcome;
  readonly enrollment?: number;
}

/** Puts one person into an active or paused flow. Throws where creating the contact is refused (409, 403). */
export function enroll(world: World, flow: AutomationRow, candidate: Candidate): Enrolled {
  if (flow.unusable || findAudience(world.store, flow.organization, flow.audience) === undefined) {
    return { outcome: 'automation_not_active' };
  }
  const contact = admit(world, flow, candidate);
  if (typeof contact === 'string') {
    return { outcome: contact };
  }
  const refusal = GATE_ORDER.find((outcome) => GATES[outcome](world, flow, contact));
  if (refusal !== undefined) {
    return { outcome: refusal };
  }
  const state = flow.status === 'paused' ? 'waiting' : 'running';
  const run = { automation: flow.seq, email: contact.email, state, source: 'api', created_at: world.clock.now() };
  return { outcome: 'enrolled', enrollment: insertEnrollment(world.store, run) };
}

/** The contact in the flow's audience, created or merged into as the attributes ask; or why there is none. */
function admit(world: World, flow: AutomationRow, { email, attributes }: Candidate): ContactRow | EnrollmentOutcome {
  const existing = findContactByEmail(world.store, flow.audience, email);
  if (existing === undefined) {
    if (isElsewhere(world.store, flow, email)) {
      return 'wrong_audience';
    }
    if (attributes === undefined) {
      return 'not_subscribed';
    }
  }
  if (attributes !== undefined) {
    write(world, flow, { email, attributes, existing });
  }
  return findContactByEmail(world.store, flow.audience, email) ?? 'not_subscribed';
}

interface Writing {
  readonly email: string;
  readonly attributes: AttributeChanges;
  readonly existing: ContactRow | undefined;
}

// A suppressed contact that exists is not written and not refused: the `suppressed` outcome says so. Creating one is 409.
function write(world: World, flow: AutomationRow, { email, attributes, existing }: Writing): void {
  const target = { organization: flow.organization, audience: flow.audience, upsert: true, dropRows: 0 };
  const status = existing === undefined ? { status: 'subscribed' } : { status: existing.status };
  const [result] = writeBatch(world, target, [{ draft: { email, attributes, ...status } }]);
  if (existing === undefined && result?.status === 'failed') {
    throw result.fault;
  }
}

type Gate = 'suppressed' | 'not_subscribed' | 'sandbox_not_member' | 'entry_filter_no_match' | 'already_enrolled';

// The document shows no order; a suppressed address is named first, whatever else holds.
const GATE_ORDER: readonly Gate[] = [
  'suppressed',
  'not_subscribed',
  'sandbox_not_member',
  'entry_filter_no_match',
  'already_enrolled',
];

/** Whether each of the gates keeps a contact out of a flow. */
const GATES: Readonly<Record<Gate, (world: World, flow: AutomationRow, contact: ContactRow) => boolean>> = {
  suppressed: ({ store }, { organization }, { email }) => findSuppressed(store, organization, [email]).size > 0,
  not_subscribed: (_, __, { status }) => status !== 'subscribed',
  sandbox_not_member: ({ store }, { sandbox, organization }, { email }) =>
    sandbox === 1 && !isMember(getOrganization(store, organization), email),
  entry_filter_no_match: (_, { entry_filter }, contact) => !fitsFilter(entry_filter, contact),
  already_enrolled: (world, flow, contact) => !mayEnter(world, flow, contact),
};

function fitsFilter(filter: string | null, contact: ContactRow): boolean {
  const attributes = new Map(Object.entries(JSON.parse(contact.attributes)));
  return filter === null || Object.entries(JSON.parse(filter)).every(([key, value]) => attributes.get(key) === value);
}

function mayEnter(world: World, flow: AutomationRow, contact: ContactRow): boolean {
  const runs = listEnrollments(world.store, flow.seq, contact.email);
  switch (flow.reentry) {
    case 'always':
      return true;
    case 'finished':
      return runs.every((run) => run.state === 'finished');
    default:
      return runs.length === 0;
  }
}
