import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { rereadContacts } from '../../import/batch/reread-list.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { findLedgerOfSameName } from '../../ledgers/open-contact-ledger.ts';
import { type AccountSnapshot, fetchSnapshot } from '../../migrate/account/account-snapshot.ts';
import { audienceDeletedError } from '../../migrate/run-import.ts';
import { findReplacedAudience, type NamedAudience, type ReplacedAudience } from '../../runs/find/same-audience.ts';
import { LIMITS } from '../../wire/limits.ts';
import { lookAlikeKeys, personKey } from '../../wire/person-key.ts';
import type { EnrollmentTarget } from './automation.ts';
import { contactOptions } from './enroll-options.ts';
import type { EnrollmentList } from './enrollment-list.ts';
import type { UnwrittenPeople } from './unwritten-people.ts';

/**
 * The survey of the contacts to write, without the unwritten people. It knows the people of --email too, so svc finds
 * their opt-outs (C1).
 */
export async function surveyOfContacts(
  { survey, emailFlag }: EnrollmentList,
  { count: unwrittenCount }: Pick<UnwrittenPeople, 'count'>,
  items: () => AsyncIterable<ContactItem>,
): Promise<Survey> {
  const emails = emailFlag.people.map(({ email }) => email);
  const keys = new Set(emails.map(personKey));
  const count = survey.enrollable + emails.length - unwrittenCount;
  return {
    ...survey,
    ...{ contacts: count, unsubscribed: 0, batches: Math.ceil(count / LIMITS.batchItems) },
    preview: unwrittenCount > 0 ? await firstContacts(items(), survey.preview.length) : survey.preview,
    mayContain: (email) => survey.mayContain(email) || keys.has(personKey(email)),
    ambiguousAddresses: survey.ambiguousAddresses + lookAlikeKeys(emails).size,
  };
}

async function firstContacts(items: AsyncIterable<ContactItem>, atMost: number): Promise<Survey['preview']> {
  const first: ContactItem['contact'][] = [];
  for await (const { contact } of items) {
    if (first.length === atMost) {
      break;
    }
    first.push(contact);
  }
  return first;
}

/** What svc reads from the account. Undefined if the run writes no contacts, or queries no account. */
export function snapshotOf(
  { options, automationTarget, account, signal, clock }: EnrollmentTarget,
  survey: Survey,
  replaced: ReplacedAudience | undefined,
): Promise<AccountSnapshot | undefined> {
  if (!options.createContacts || !account || !automationTarget) {
    return Promise.resolve(undefined);
  }
  const { audience } = automationTarget;
  const question = { target: audience, replaced, survey, options: contactOptions(options, audience.id) };
  return fetchSnapshot({ client: account.client, signal, clock }, question).catch((error: unknown) => {
    throw audienceDeletedError(error);
  });
}

/**
 * The contacts to write: the subscribed people of the list, and those of --email, without the unwritten people. They
 * are sent without a status (C1).
 */
export async function* contactItems(
  { survey, people, emailFlag }: EnrollmentList,
  unwritten: UnwrittenPeople,
  signal: AbortSignal,
): AsyncGenerator<ContactItem> {
  for await (const item of rereadContacts({ survey, people }, { signal })) {
    if (item.contact.status === undefined && !unwritten.has(item)) {
      yield item;
    }
  }
  for (const { source, line, email } of emailFlag.people) {
    if (!unwritten.has({ source, line })) {
      yield { source, line, contact: { email } };
    }
  }
}

/** Finds an earlier audience to which this machine sent a list. It has the name of this audience, but another id. */
export function findReplaced({ stateFolder, journal, automationTarget }: EnrollmentTarget) {
  const { run, origin } = journal.header;
  const audience = automationTarget && { ...automationTarget.audience, origin };
  const findByLedger = (named: NamedAudience) => findLedgerOfSameName(stateFolder, named);
  return audience && findReplacedAudience(stateFolder, run, audience, { findByLedger });
}
