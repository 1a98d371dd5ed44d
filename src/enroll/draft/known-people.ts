import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import { plural } from '../../base/lib/text.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import type { ContactLedger } from '../../ledgers/contact-ledger.ts';
import { readLedgerIndex } from '../../ledgers/ledger-index.ts';
import { findContactLedger } from '../../ledgers/open-contact-ledger.ts';
import { lookUpContact } from '../../migrate/compare/look-up.ts';
import {
  collectPeople,
  type LookedUpPerson,
  MAX_LOOK_UPS,
  type ResentPeople,
} from '../../migrate/contact-ledger/people/deleted-people.ts';
import type { EnrollmentRecords } from '../records/enrollment-records.ts';
import type { OpenEnrollment } from './automation.ts';
import { type EnrollmentList, enrollablePeople } from './enrollment-list.ts';

/** The reason of a person who is skipped, because they were deleted in the app since a run wrote or enrolled them. */
export const DELETED_SINCE = 'deleted_since';

/** The people of the list who were in the audience before, as far as the ledgers know. */
export interface KnownPeople {
  readonly known: ResentPeople;
  /** How many people only a run that found differences sent. The audience may never have had them (G8). */
  readonly unproven: number;
  /** The rows of the people who are not in the audience any more. */
  readonly deleted: readonly RowPosition[];
  /** The people to write whom svc looked up, and who are in the audience. */
  readonly lookedUp: readonly LookedUpPerson[];
}

export const NO_KNOWN_PEOPLE: KnownPeople = {
  known: { changed: 0, deleted: 0, examples: [], lookedUp: true },
  unproven: 0,
  deleted: [],
  lookedUp: [],
};

const MAX_EXAMPLES = 5;

/**
 * Looks up the people whom an earlier run wrote to the audience, or enrolled, before svc writes them as contacts. Those
 * who are not in the audience any more were deleted in the app, and no run must sign them up again (C1). If a look-up
 * fails, the run ends before it sends anything. Looks up no person if they are too many. `isLeftOut` is true for people
 * whom svc does not write anyway.
 */
export async function lookUpKnownPeople(
  run: OpenEnrollment,
  listed: EnrollmentList,
  isLeftOut: (row: RowPosition) => boolean,
): Promise<KnownPeople> {
  const { account, automationTarget, stateFolder, signal, emit } = run;
  if (!account || !automationTarget) {
    return NO_KNOWN_PEOPLE;
  }
  const audienceId = automationTarget.audience.id;
  const ledger = findContactLedger({ stateFolder, origin: account.origin, audienceId });
  const collected = collectKnown(run.records, ledger, peopleToWrite(listed, isLeftOut, signal));
  const { found, unproven } = await collected.finally(() => ledger?.close());
  const { people, total } = found;
  if (total > MAX_LOOK_UPS) {
    return { ...NO_KNOWN_PEOPLE, known: { changed: total, deleted: 0, examples: [], lookedUp: false }, unproven };
  }
  if (total > 0) {
    emit({ type: 'note', message: `Looking up ${plural(total, 'person', 'people')} of earlier lists.` });
  }
  const deleted: Enrollee[] = [];
  const lookedUp: LookedUpPerson[] = [];
  for (const person of people) {
    const { email } = person;
    if (await lookUpContact({ client: account.client, signal }, audienceId, { email })) {
      lookedUp.push({ email, lookedUp: email });
    } else {
      deleted.push(person);
    }
  }
  const examples = deleted.slice(0, MAX_EXAMPLES).map(({ email }) => email);
  return {
    known: { changed: total, deleted: deleted.length, examples, lookedUp: true },
    unproven,
    deleted: deleted.map(({ source, line }) => ({ source, line })),
    lookedUp,
  };
}

async function* peopleToWrite(
  listed: EnrollmentList,
  isLeftOut: (row: RowPosition) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Enrollee> {
  for await (const person of enrollablePeople(listed, signal)) {
    if (!isLeftOut(person)) {
      yield person;
    }
  }
}

/** Finds the people who were in the audience before, and counts those of whom only an unproven acceptance is known. */
async function collectKnown(
  records: EnrollmentRecords | undefined,
  ledger: ContactLedger | undefined,
  people: AsyncIterable<Enrollee>,
) {
  const found = collectPeople<Enrollee>();
  const acceptanceOf = ledger ? createAcceptanceReader(ledger) : () => 'none';
  let unproven = 0;
  for await (const person of people) {
    const acceptance = acceptanceOf(person.email);
    if (acceptance === 'known' || wasEnrolled(records, person)) {
      found.add(person);
    } else if (acceptance === 'unproven') {
      unproven += 1;
    }
  }
  return { found, unproven };
}

/**
 * Returns a function that says whether the audience had a person, as far as the contact ledger knows. The audience also
 * had the people who were missing in a list and had left by then (G6).
 */
function createAcceptanceReader(ledger: ContactLedger): (email: string) => 'known' | 'unproven' | 'none' {
  const index = readLedgerIndex(ledger.db);
  const left = new Set([...ledger.optedOut(), ...ledger.leftBefore()]);
  return (email) => {
    const person = ledger.hashAddress(email);
    const entry = index.find(person);
    const acceptance = entry === undefined ? 'none' : index.acceptanceOf(entry);
    return acceptance === 'without content' || left.has(person.toString('hex')) ? 'known' : acceptance;
  };
}

/** True if a run enrolled the person. Only with --reenroll does svc write such a person. */
function wasEnrolled(records: EnrollmentRecords | undefined, { email }: Enrollee): boolean {
  return LASTING_OUTCOMES.includes(records?.ledger.lookup(email)?.outcome ?? '');
}
