import type { EnrollmentOutcome } from '../../wire/service-words.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { findAudience } from '../store/audiences.ts';
import { type AutomationRow, type EnrollmentRow, firstEnrollmentState, listEnrollments } from '../store/automations.ts';
import { type ContactRow, findContactByEmail, isInOtherAudience } from '../store/contacts.ts';
import { getOrganization, isMember } from '../store/organizations.ts';
import { insertRow } from '../store/rows.ts';
import { findSuppressed } from '../store/suppressions.ts';
import type { AttributeChanges } from './attributes.ts';
import { writeBatch } from './write-batch.ts';

/** The person to enroll. If `attributes` is an object, even an empty one, an unknown address becomes a new contact. */
export interface PersonToEnroll {
  readonly email: string;
  readonly attributes: AttributeChanges | undefined;
}

/** The outcome. `enrollment` is the row number of the new enrollment, if there is one. */
export interface EnrollResult {
  readonly outcome: EnrollmentOutcome;
  readonly enrollment?: number;
}

/** Enrolls one person in an active or paused automation. Throws 409 or 403 if the contact can't be created. */
export function enrollContact(
  context: EmulatorContext,
  automation: AutomationRow,
  candidate: PersonToEnroll,
): EnrollResult {
  if (automation.unusable || findAudience(context.store, automation.organization, automation.audience) === undefined) {
    return { outcome: 'automation_not_active' };
  }
  const contact = findOrCreate(context, automation, candidate);
  if (typeof contact === 'string') {
    return { outcome: contact };
  }
  const refusal = REFUSAL_ORDER.find((outcome) => REFUSES[outcome](context, automation, contact));
  if (refusal !== undefined) {
    return { outcome: refusal };
  }
  const enrollment = {
    automation: automation.seq,
    email: contact.email,
    state: firstEnrollmentState(automation),
    source: 'api',
    created_at: context.clock.now(),
  };
  return { outcome: 'enrolled', enrollment: insertRow<EnrollmentRow>(context.store, 'enrollments', enrollment) };
}

/**
 * Returns the contact in the automation's audience. If there are attributes, first creates or updates the contact. If
 * there is no contact, returns the outcome that says why.
 */
function findOrCreate(
  context: EmulatorContext,
  automation: AutomationRow,
  { email, attributes }: PersonToEnroll,
): ContactRow | EnrollmentOutcome {
  const existing = findContactByEmail(context.store, automation.audience, email);
  if (attributes !== undefined) {
    write(context, automation, { email, attributes, existing });
  } else if (existing === undefined && isInOtherAudience(context.store, automation, email)) {
    return 'wrong_audience';
  }
  return findContactByEmail(context.store, automation.audience, email) ?? 'not_subscribed';
}

interface EnrolledContact {
  readonly email: string;
  readonly attributes: AttributeChanges;
  readonly existing: ContactRow | undefined;
}

// Creates or updates the contact. If the address is suppressed, a new contact is refused with a 409. An existing
// contact stays as it is, and the outcome is `suppressed`.
function write(
  context: EmulatorContext,
  automation: AutomationRow,
  { email, attributes, existing }: EnrolledContact,
): void {
  const target = {
    organization: automation.organization,
    audience: automation.audience,
    upsert: true,
    dropRows: 0,
    enrolling: automation.seq,
  };
  const status = existing === undefined ? { status: 'subscribed' } : { status: existing.status };
  const [result] = writeBatch(context, target, [{ draft: { email, attributes, ...status } }]);
  if (existing === undefined && result?.status === 'failed') {
    throw result.fault;
  }
}

type Refusal = 'suppressed' | 'not_subscribed' | 'sandbox_not_member' | 'entry_filter_no_match' | 'already_enrolled';

// If several refusals apply, the service document does not say which one the response names. The emulator names the
// first one of this list.
const REFUSAL_ORDER: readonly Refusal[] = [
  'suppressed',
  'not_subscribed',
  'sandbox_not_member',
  'entry_filter_no_match',
  'already_enrolled',
];

/** For each refusal, a function that is true if the refusal applies to the contact. */
const REFUSES: Readonly<
  Record<Refusal, (context: EmulatorContext, automation: AutomationRow, contact: ContactRow) => boolean>
> = {
  suppressed: ({ store }, { organization }, { email }) => findSuppressed(store, organization, [email]).size > 0,
  not_subscribed: (_, __, { status }) => status !== 'subscribed',
  sandbox_not_member: ({ store }, { sandbox, organization }, { email }) =>
    sandbox === 1 && !isMember(getOrganization(store, organization), email),
  entry_filter_no_match: (_, { entry_filter }, contact) => !fitsFilter(entry_filter, contact),
  already_enrolled: (context, automation, contact) => !mayEnroll(context, automation, contact),
};

function fitsFilter(filter: string | null, contact: ContactRow): boolean {
  const attributes = new Map(Object.entries(JSON.parse(contact.attributes)));
  return filter === null || Object.entries(JSON.parse(filter)).every(([key, value]) => attributes.get(key) === value);
}

function mayEnroll(context: EmulatorContext, automation: AutomationRow, contact: ContactRow): boolean {
  const enrollments = listEnrollments(context.store, automation.seq, contact.email);
  switch (automation.reentry) {
    case 'always':
      return true;
    case 'finished':
      return enrollments.every((enrollment) => enrollment.state === 'finished');
    default:
      return enrollments.length === 0;
  }
}
