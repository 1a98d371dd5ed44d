import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { type Enrollee, type RowWithDecision, rereadRows } from '../../import/batch/reread-list.ts';
import { mayEnroll } from '../../import/batch/row-decision.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { lookUpContact, refusalOutcomes } from '../../migrate/compare/look-up.ts';
import { lookAlikeKeys, looseKey } from '../../wire/person-key.ts';
import type { EnrollmentList } from '../draft/enrollment-list.ts';
import {
  ENROLLED,
  ENROLLED_BEFORE,
  type EnrollContext,
  enrollmentRequestOf,
  isStillToSend,
  NOT_ACTIVE,
  type PersonOutcome,
  personOutcomeOf,
} from '../records/enrollment-records.ts';
import type { PersonResult } from './record-person-outcome.ts';
import { recordWithoutSending } from './send-person.ts';

/** A person of the list. `isExcluded` is true if the row says that the person must not be enrolled. */
interface ListedPerson extends Enrollee {
  readonly isExcluded: boolean;
}

/**
 * Groups of people whose addresses look alike, by `looseKey`, each in the order of the list. The service may take the
 * people of a group for one person (F8). Most lists have no such group.
 */
export type LookAlikes = ReadonlyMap<string, readonly ListedPerson[]>;

/**
 * Finds people whose addresses look alike. Reads the list once, and a second time if an address may look like another.
 */
export async function findLookAlikes(
  { survey, people, emailFlag }: EnrollmentList,
  signal: AbortSignal,
): Promise<LookAlikes> {
  const readRows = () => rereadRows({ survey, people }, { signal });
  const keys = lookAlikeKeys([...emailFlag.people, ...emailFlag.keptAway].map(({ email }) => email));
  for await (const rows of readRows()) {
    lookAlikeKeys(rows.flatMap(({ record }) => record.email ?? [])).forEach((key) => keys.add(key));
  }
  const groups = new Map<string, ListedPerson[]>();
  const add = (person: ListedPerson) => {
    const key = looseKey(person.email);
    if (keys.has(key)) {
      groups.set(key, [...(groups.get(key) ?? []), person]);
    }
  };
  for await (const rows of keys.size === 0 ? [] : readRows()) {
    rows.flatMap((row) => listedPerson(survey, row)).forEach(add);
  }
  emailFlag.people.forEach((person) => add({ ...person, isExcluded: false }));
  emailFlag.keptAway.forEach((person) => add({ ...person, isExcluded: true }));
  return groups;
}

/**
 * The contacts to write, without people whose address looks like that of an excluded person. The service may take both
 * for one, so the contact could sign the excluded person up (C1).
 */
export async function* withoutExcludedPeople(
  items: AsyncIterable<ContactItem>,
  lookAlikes: LookAlikes,
): AsyncGenerator<ContactItem> {
  for await (const item of items) {
    const group = lookAlikes.size > 0 ? lookAlikes.get(looseKey(item.contact.email)) : undefined;
    if (!group?.some(({ isExcluded }) => isExcluded)) {
      yield item;
    }
  }
}

/** The person of a row, as an array with one item. Empty for a row that neither enrolls nor excludes a person. */
function listedPerson(
  survey: EnrollmentList['survey'],
  { source, line, table, record, decision }: RowWithDecision,
): ListedPerson[] {
  if (decision.kind === 'person') {
    return [{ source, line, email: decision.email, isExcluded: !mayEnroll(survey, table, decision) }];
  }
  const isExcluded = decision.kind === 'rejected' && decision.state !== 'subscribed' && decision.state !== 'none';
  return isExcluded && record.email !== undefined ? [{ source, line, email: record.email, isExcluded }] : [];
}

/** Enrolls people one by one if their addresses look alike: the outcome of the first decides about the next (F8). */
export function oneByOne<T>(
  lookAlikes: LookAlikes,
  enroll: (person: Enrollee) => Promise<T>,
): (person: Enrollee) => Promise<T> {
  const latest = new Map<string, Promise<T>>();
  return (person) => {
    const key = lookAlikes.size > 0 ? looseKey(person.email) : '';
    if (!lookAlikes.has(key)) {
      return enroll(person);
    }
    const result = latest.get(key)?.then(() => enroll(person)) ?? enroll(person);
    latest.set(key, result);
    return result;
  };
}

/**
 * Skips a person whom another run enrolled, or may have enrolled, and records the outcome. Also skips a row if the
 * service takes its person for the person of an excluded or earlier row, who would get mail in spite of the list, or
 * twice (M5). Undefined if the person may be enrolled.
 */
export async function skipLookAlike(
  context: EnrollContext,
  person: Enrollee,
  lookAlikes: LookAlikes,
): Promise<PersonResult | undefined> {
  const request = enrollmentRequestOf(context.journal, person);
  const outcome = personOutcomeOf(context.records, person, request);
  const group = lookAlikes.get(looseKey(person.email)) ?? [];
  const isChecked = group.length > 1 && isStillToSend(outcome);
  const otherRow = isChecked ? await outcomeOfOtherRow(context, person, group) : undefined;
  const word = outcome.kind === ENROLLED_BEFORE ? 'already_enrolled' : otherRow;
  if (word === undefined) {
    return undefined;
  }
  recordWithoutSending(context, person, { earlier: request, word });
  return word === UNKNOWN_ENROLLMENT ? { kind: word, cause: undefined } : { kind: 'refused', countsAsFailed: false };
}

/**
 * The outcome of this row if another row of the group may have the same person. Undefined if svc may send a request.
 * Two rows have the same person if the service shows one contact for both. It may show a new contact only after
 * seconds. So if it shows none for one of the two rows, svc assumes the same person if the other row was enrolled, or
 * may have been. If it shows none for this row, svc assumes the same person for an excluded row too.
 */
async function outcomeOfOtherRow(
  context: EnrollContext,
  person: Enrollee,
  group: readonly ListedPerson[],
): Promise<string | undefined> {
  const contactOf = ({ email }: Enrollee) => lookUpContact(context, context.audienceId, { email });
  const position = group.findIndex((other) => rowKey(other) === rowKey(person));
  // A row that the service refused, even if only as a contact, enrolled no person.
  const refused = refusalOutcomes(context.journal);
  const ahead = group.slice(0, position).filter((other) => !other.isExcluded && !refused.has(rowKey(other)));
  const others = [...group.filter(({ isExcluded }) => isExcluded), ...ahead];
  const own = await contactOf(person);
  const isEnrolled = (other: ListedPerson) =>
    !other.isExcluded && mayBeEnrolled(personOutcomeOf(context.records, other));
  if (!own) {
    return others.some((other) => other.isExcluded || isEnrolled(other)) ? 'not_subscribed' : undefined;
  }
  for (const other of others) {
    const theirs = await contactOf(other);
    if (theirs ? theirs.id === own.id : isEnrolled(other)) {
      return other.isExcluded ? 'not_subscribed' : outcomeAfter(personOutcomeOf(context.records, other));
    }
  }
  return undefined;
}

/** True if a row with this outcome started the automation, or may have. */
function mayBeEnrolled(outcome: PersonOutcome): boolean {
  return outcome.kind === 'accepted'
    ? LASTING_OUTCOMES.includes(outcome.word)
    : [UNKNOWN_ENROLLMENT, ENROLLED_BEFORE].includes(outcome.kind);
}

/**
 * The outcome of a row whose person was enrolled, or may have been, by an earlier row. If the service did not enroll
 * the person for the earlier row, this row gets the same outcome word. If the outcome of the earlier row is unknown,
 * the user decides about both rows.
 */
function outcomeAfter(earlier: PersonOutcome): string {
  if (earlier.kind === UNKNOWN_ENROLLMENT) {
    return earlier.kind;
  }
  const isLeftOut = earlier.kind === 'accepted' && ![ENROLLED, NOT_ACTIVE].includes(earlier.word);
  return isLeftOut ? earlier.word : 'already_enrolled';
}
