import { safe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/types.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';
import { compareConsent, compareContact, type Difference } from '../verify/compare.ts';
import { lookUp } from '../verify/look-up.ts';
import { refusedRows, rowKey } from '../verify/refused-rows.ts';
import type { Work } from '../work.ts';
import type { Delivered } from '../write/deliver.ts';
import { findNewcomer } from './newcomer.ts';

/** A person of a batch as the service showed them before it went out; `before` is null for a new one. */
export interface Witness {
  readonly source: number;
  readonly line: number;
  readonly sent: BatchContact;
  readonly before: Contact | null;
}

/** A witness before and after the batch. */
export interface Seen {
  readonly witness: Witness;
  readonly after: Contact | undefined;
}

const WITNESSES = 3;

/** Looks at three people of a batch who show most, and at the first of those who had left, before it goes out. */
export async function chooseWitnesses(
  work: Work,
  audienceId: string,
  { items, gone }: { readonly items: readonly ContactItem[]; readonly gone: readonly ContactItem[] },
): Promise<Witness[]> {
  const first = items.filter((item) => rowKey(item) === (gone[0] && rowKey(gone[0])));
  const chosen = [...new Set([...first, ...telling(items)])].slice(0, WITNESSES + first.length);
  const witnesses: Witness[] = [];
  for (const item of chosen) {
    const before = await lookUp(work, audienceId, item.contact.email);
    witnesses.push({ source: item.source, line: item.line, sent: item.contact, before: before ?? null });
  }
  return witnesses;
}

/** A batch that was answered, and who was looked at before it. */
export interface Looked {
  readonly witnesses: readonly Witness[];
  /** True where an earlier batch showed what a new person becomes. */
  readonly joins: boolean;
  readonly items: readonly ContactItem[];
  readonly sent: Delivered;
}

/** The witnesses as they are now, less those whose row was refused: nothing was written for them. */
export async function lookAgain(work: Work, audienceId: string, looked: Looked): Promise<Seen[]> {
  const refused = refusedRows(work.journal);
  const heard = looked.witnesses.filter((one) => !refused.has(rowKey(one)));
  const seen: Seen[] = [];
  for (const witness of [...heard, ...(await standIns(work, audienceId, { heard, looked }))]) {
    const after = await lookUp(work, audienceId, witness.sent.email);
    seen.push({ witness, after });
  }
  return seen;
}

/** Where nobody who was looked at shows what a new person becomes, somebody else of the batch does, if somebody in it was new. */
async function standIns(work: Work, audienceId: string, { heard, looked }: Heard): Promise<Witness[]> {
  if (looked.joins || heard.some(({ before, sent }) => before === null && sent.status === undefined)) {
    return [];
  }
  const found = await findNewcomer(work, audienceId, looked);
  return found ? [{ source: found.source, line: found.line, sent: found.contact, before: null }] : [];
}

interface Heard {
  /** Witnesses whose row was not refused. */
  readonly heard: readonly Witness[];
  readonly looked: Looked;
}

/** What the service shows otherwise than it was sent, in words. */
export function problemsOf(seen: readonly Seen[]): string[] {
  const subscribes = seen.some(isNewlySubscribed);
  return seen.flatMap((one) => differencesOf(one, subscribes));
}

/** True for a person who wasn't there before and is subscribed although no status was sent. */
export function isNewlySubscribed({ witness, after }: Seen): boolean {
  return witness.before === null && witness.sent.status === undefined && after?.status === 'subscribed';
}

/** True for a person who had left and was sent without a status. */
export function hadLeft({ witness: { before, sent } }: Seen): boolean {
  return before !== null && before.status !== 'subscribed' && sent.status === undefined;
}

/** The people who show most: one without a status, one who left with a date, one with many fields. */
function telling(items: readonly ContactItem[]): ContactItem[] {
  const plain = items.find((item) => item.contact.status === undefined);
  const left =
    items.find((item) => item.contact.unsubscribed_at !== undefined) ??
    items.find((item) => item.contact.status !== undefined);
  const richest = items.reduce((most, item) => (richness(item) > richness(most) ? item : most), items[0]!);
  return [plain, left, richest, ...items.slice(0, WITNESSES)].filter((item) => item !== undefined);
}

function richness(item: ContactItem): number {
  return Object.keys(item.contact.attributes ?? {}).length;
}

function differencesOf({ witness, after }: Seen, subscribes: boolean): string[] {
  if (after === undefined) {
    return [`${safe(witness.sent.email)} is not in the audience after the batch`];
  }
  const fields = compareContact(witness.sent, after);
  const consent = witness.before === null ? compareConsent(witness.sent, after) : [];
  // Where others are subscribed without a status, one who isn't has left in the meantime.
  const left = subscribes && witness.sent.status === undefined;
  return [...fields, ...(left ? [] : consent)].map((difference) => inWords(witness, difference));
}

function inWords(witness: Witness, { field, sent, got }: Difference): string {
  return `${safe(witness.sent.email)}: ${safe(field)} was sent as "${safe(sent)}" and reads "${safe(got)}"`;
}
