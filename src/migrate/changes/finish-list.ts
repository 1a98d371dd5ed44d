import { plural } from '../../base/lib/text.ts';
import { replaceByText } from '../../base/os/replace-file.ts';
import { type ContactItem, cutBatches } from '../../import/batch/cut-batches.ts';
import { guardedCell } from '../../import/csv/csv-text.ts';
import type { Reading } from '../../import/survey/survey-types.ts';
import type { ContactLedger, LedgerPerson } from '../../runs/contact-ledger.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { ChangeOptions } from '../options.ts';
import type { GoneCounts } from '../report/run-report.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpAll } from '../verify/look-up.ts';
import { optOutBesideList, sendBesideList } from '../write/send-batch.ts';
import type { Changes } from './compare-ledger.ts';
import { keepList, knownLists, nameOf, ownList, shapeOf, UNFINISHED } from './list-shape.ts';
import { type MissingPeople, openMissing, optOutsOf } from './missing-people.ts';

interface FinishedList {
  readonly audienceId: string;
  readonly changes: Changes;
  readonly survey: Reading;
}

/**
 * Call before the first contact is sent. Returns the id of the list in the ledger, and creates the list if it is new.
 * A list of another shape is recorded without its shape until its import ends, because it may stop part-way (G7).
 */
export function beginList(
  { ledger }: Pick<WriteContext, 'ledger'>,
  { changes, survey }: Omit<FinishedList, 'audienceId'>,
): number | undefined {
  if (!ledger) {
    return undefined;
  }
  const shape = shapeOf(survey);
  const known = ownList(ledger, shape);
  const id = known?.id ?? 1 + knownLists(ledger).reduce((last, list) => Math.max(last, list.id), 0);
  const changed = changes.counts.otherShape !== undefined;
  if (changed || !known) {
    const ended = known?.ended === true;
    keepList(ledger, { id, name: nameOf(shape), shape: changed ? UNFINISHED : shape, ended });
  }
  return id;
}

/**
 * Ends a list after all its people are sent: unsubscribes the missing people if asked to, and records its shape. A run
 * that stops before does not change the missing people (G6). After a report, a list with a new name takes over the
 * people of the lists that it replaces (G7).
 */
export async function finishList(context: WriteContext, { audienceId, changes, survey }: FinishedList): Promise<void> {
  const { ledger, journal, options } = context;
  const shape = shapeOf(survey);
  const list = ledger && ownList(ledger, shape);
  if (!ledger || !list) {
    return;
  }
  const missing = openMissing(journal.db);
  if (optOutsOf(options.changes, changes.counts) > 0) {
    await unsubscribeMissing(context, audienceId, missing);
  }
  const { lists } = changes.counts;
  recordMissing(ledger, missing, context.clock.now(), (person) => lists.includes(person.list));
  if (options.changes?.gone === 'report') {
    lists.filter((id) => id !== list.id).forEach((replaced) => ledger.move(replaced, list.id));
  }
  keepList(ledger, { id: list.id, name: nameOf(shape), shape, ended: true });
}

/**
 * Writes people as unsubscribed. Looks each person up first: a deleted person must not be created again, and an
 * opted-out person keeps the date. People whom the service refuses stay missing, so the next import tries again.
 */
async function unsubscribeMissing(context: WriteContext, audienceId: string, missing: MissingPeople): Promise<void> {
  const people = [...missing.all()].filter(({ outcome }) => outcome === 'reported').map(({ email }) => email);
  context.emit({
    type: 'note',
    message: `Looking up ${plural(people.length, 'person', 'people')} missing in the list.`,
  });
  const emailOf = ({ line }: ContactItem) => people[line - 1] as string;
  // The refused people of all batches, because a person may have contacts in two batches.
  const refused = new Set<string>();
  for await (const { items, body } of cutBatches(subscribedOf(context, audienceId, people, missing))) {
    const { open, suppressed } = await sendBesideList(context, audienceId, { kind: 'gone', items, body });
    open.forEach((item) => refused.add(emailOf(item)));
    for (const item of items) {
      const outcome = suppressed.has(item) ? 'left_before' : 'unsubscribed';
      missing.setOutcome([emailOf(item)], refused.has(emailOf(item)) ? 'reported' : outcome);
    }
  }
}

async function* subscribedOf(
  context: WriteContext,
  audienceId: string,
  people: readonly string[],
  missing: MissingPeople,
): AsyncGenerator<ContactItem> {
  for (const [index, email] of people.entries()) {
    const found = await lookUpAll(context, audienceId, { email });
    // A contact without a status may be subscribed, so it is opted out too. An opt-out changes nothing for an opted-out
    // person.
    const subscribed = found.filter(({ status = 'subscribed' }) => status === 'subscribed');
    if (subscribed.length === 0) {
      missing.setOutcome([email], 'left_before');
    }
    // The audience may hold several contacts of the person, under different spellings (F8).
    yield* subscribed.map((contact) => optOutBesideList(contact.email, index + 1));
  }
}

/** Records who is missing, and who came back. `isOwn` is true for people who can be missing in this list. */
function recordMissing(
  ledger: ContactLedger,
  missing: MissingPeople,
  now: number,
  isOwn: (person: LedgerPerson) => boolean,
): void {
  const earlier = [...ledger.missing()].filter(isOwn).map(({ email }) => email);
  const back = earlier.filter((email) => !missing.has(email));
  ledger.setPresent(back);
  const newly: string[] = [];
  const removed: string[] = [];
  for (const { email, since, outcome } of missing.all()) {
    if (outcome !== 'reported') {
      removed.push(email);
    } else if (since === undefined) {
      newly.push(email);
    }
  }
  ledger.remove(removed);
  ledger.setMissing(newly, now);
}

/** Writes the missing people to gone.csv. Returns its path, or undefined without --gone or without such people. */
export async function writeGone(
  { db, files }: Pick<Journal, 'db' | 'files'>,
  changes: ChangeOptions | undefined,
): Promise<string | undefined> {
  const isWritten = changes?.gone && (await replaceByText(files.gone, csvLines(openMissing(db))));
  return isWritten ? files.gone : undefined;
}

function* csvLines(missing: MissingPeople): Generator<string> {
  let head = 'email,missing_since,outcome\n';
  for (const { email, since, outcome } of missing.all()) {
    yield `${head}${guardedCell(email)},${since === undefined ? '' : new Date(since).toISOString()},${outcome}\n`;
    head = '';
  }
}

/** The counts of --gone for the report. Undefined without it. */
export function goneCounts({ db }: Journal, changes: ChangeOptions | undefined): GoneCounts | undefined {
  if (!changes?.gone) {
    return undefined;
  }
  const missing = openMissing(db);
  const { unsubscribed = 0, left_before = 0, reported = 0 } = missing.counts();
  const sum = unsubscribed + left_before + reported;
  return { missing: sum, since_last_list: missing.newlyMissing, unsubscribed, left_before, reported };
}
