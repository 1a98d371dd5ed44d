import { LIMITS } from '../../wire/limits.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { createFieldRefusal, createRefusal, type Refusal } from '../protocol/envelope.ts';
import { addToContactCounts, type CountChange, countContacts } from '../store/audiences.ts';
import { firstEnrollmentState, insertEnrollments, listJoinAutomations } from '../store/automations.ts';
import {
  type ContactRow,
  contactCountChange,
  findContacts,
  insertContacts,
  type NewContact,
  registerFields,
  updateContact,
} from '../store/contacts.ts';
import { getOrganization } from '../store/organizations.ts';
import { findSuppressed } from '../store/suppressions.ts';
import { type ContactDraft, mergedContact, newContact, statusAfter } from './contact-draft.ts';

/** One contact of a batch. `fault` is the error of this row, if one of its fields is invalid. */
export interface BatchRow {
  readonly draft: ContactDraft;
  readonly fault?: Refusal;
}

/** Where and how a batch is written. */
export interface BatchTarget {
  readonly organization: number;
  readonly audience: number;
  /** True to update existing contacts. If false, the row of a contact that exists already fails. */
  readonly upsert: boolean;
  /** For a scripted fault: how many of the last rows are counted as written, but not written. */
  readonly dropRows: number;
  /**
   * The automation in which this request itself enrolls the people. If it is a join automation, it must not start again
   * for them.
   */
  readonly enrolling?: number;
}

/** The result of one row of the batch. */
export type RowResult =
  | { readonly status: 'created' | 'updated' }
  | { readonly status: 'failed'; readonly fault: Refusal };

/**
 * Writes a batch. Returns one result for each row, in the order of the rows. Before it writes anything, throws 403
 * `plan_limit_reached` if the contacts do not fit into the plan.
 */
export function writeBatch(context: EmulatorContext, target: BatchTarget, rows: readonly BatchRow[]): RowResult[] {
  const emails = rows.map((row) => row.draft.email);
  const existing = findContacts(context.store, target.audience, emails);
  const suppressed = findSuppressed(context.store, target.organization, emails);
  const results = rows.map((row) => outcomeOf(row, { existing, suppressed, target }));
  if (getOrganization(context.store, target.organization).plan === 'free') {
    assertHeadroom(context, target.organization, countAdded(context, { rows, results, existing }));
  }
  write(context, target, { rows, results, existing });
  return results;
}

interface BatchContext {
  readonly existing: ReadonlyMap<string, ContactRow>;
  readonly suppressed: ReadonlyMap<string, string>;
  readonly target: BatchTarget;
}

function outcomeOf({ draft, fault }: BatchRow, batch: BatchContext): RowResult {
  const found = fault ?? findFault(draft, batch);
  if (found !== undefined) {
    return { status: 'failed', fault: found };
  }
  return { status: batch.existing.has(draft.email) ? 'updated' : 'created' };
}

function findFault(draft: ContactDraft, { existing, suppressed, target }: BatchContext): Refusal | undefined {
  if (suppressed.has(draft.email)) {
    return createFieldRefusal('email', [409, 'email_suppressed', 'This address is on the suppression list.']);
  }
  if (existing.has(draft.email) && !target.upsert) {
    return createFieldRefusal('email', [409, 'contact_already_exists', 'This address is in the audience already.']);
  }
  return undefined;
}

/**
 * How many contacts the batch adds. The variant `cap_counts` decides whether the free plan counts all contacts or only
 * subscribed ones.
 */
function countAdded(context: EmulatorContext, { rows, results, existing }: DecidedRows): number {
  const counted = context.variants.cap_counts === 'subscribed' ? 'subscribed' : 'total';
  const good = rows.filter((_, index) => results[index]?.status !== 'failed');
  return good.reduce((sum, { draft }) => {
    const before = existing.get(draft.email)?.status;
    return sum + contactCountChange(before, statusAfter(context, draft, before))[counted];
  }, 0);
}

interface DecidedRows {
  readonly rows: readonly BatchRow[];
  readonly results: readonly RowResult[];
  readonly existing: ReadonlyMap<string, ContactRow>;
}

function write(context: EmulatorContext, target: BatchTarget, { rows, results, existing }: DecidedRows): void {
  const good = rows.filter((_, index) => results[index]?.status !== 'failed');
  const writtenRows = good.slice(0, Math.max(0, good.length - target.dropRows));
  const counts: CountChange = { subscribed: 0, unsubscribed: 0, total: 0 };
  const fields = new Set<string>();
  const fresh: NewContact[] = [];
  const [{ audience }, now] = [target, context.clock.now()];
  for (const { draft } of writtenRows) {
    const before = existing.get(draft.email);
    const after = before ? update(context, before, draft) : newContact(draft, { audience, now }, context);
    if (before === undefined) {
      fresh.push(after);
    }
    addCounts(counts, contactCountChange(before?.status, after.status));
    addKeys(fields, draft);
  }
  insertContacts(context.store, fresh);
  addToContactCounts(context.store, audience, counts);
  registerFields(context.store, audience, { keys: fields, now });
  const joined = fresh.filter(({ status }) => status === 'subscribed');
  startJoinAutomations(
    context,
    target,
    joined.map(({ email }) => email),
  );
}

function update(context: EmulatorContext, before: ContactRow, draft: ContactDraft): ContactRow {
  const after = mergedContact(before, draft, context);
  // If a list is sent again, most rows change nothing. Such a row needs no write.
  if (isChanged(before, after)) {
    updateContact(context.store, after);
  }
  return after;
}

const CHANGEABLE = ['first_name', 'last_name', 'status', 'unsubscribed_at', 'attributes', 'topics'] as const;

function isChanged(before: ContactRow, after: ContactRow): boolean {
  return CHANGEABLE.some((column) => before[column] !== after[column]);
}

function addCounts(counts: CountChange, change: CountChange): void {
  counts.subscribed += change.subscribed;
  counts.unsubscribed += change.unsubscribed;
  counts.total += change.total;
}

function addKeys(fields: Set<string>, draft: ContactDraft): void {
  for (const key in draft.attributes) {
    if (draft.attributes[key] !== null) {
      fields.add(key);
    }
  }
}

/**
 * Starts the join automations of an audience for its new subscribed contacts. In a paused automation these people wait.
 */
function startJoinAutomations(
  context: EmulatorContext,
  { audience, enrolling }: BatchTarget,
  emails: readonly string[],
): void {
  if (emails.length === 0) {
    return;
  }
  for (const automation of listJoinAutomations(context.store, audience).filter(({ seq }) => seq !== enrolling)) {
    const state = firstEnrollmentState(automation);
    const entry = { automation: automation.seq, state, source: 'join', created_at: context.clock.now() };
    insertEnrollments(context.store, entry, emails);
  }
}

/**
 * Throws 403 `plan_limit_reached` if `added` more contacts do not fit into the free plan. The message says how many
 * fit.
 */
function assertHeadroom(context: EmulatorContext, organization: number, added: number): void {
  const which = context.variants.cap_counts === 'subscribed' ? 'subscribed' : 'total';
  const headroom = Math.max(0, LIMITS.freePlanSubscribers - countContacts(context.store, organization, which));
  if (added > headroom) {
    const message = `The free plan holds ${LIMITS.freePlanSubscribers} subscribers: room for ${headroom} more, ${added} requested.`;
    throw createRefusal(403, 'plan_limit_reached', message);
  }
}
