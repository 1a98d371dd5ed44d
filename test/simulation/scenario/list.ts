import type { Random } from '../random.ts';

/** A small seeded list as CSV, and the canonical addresses of its people. */
export interface List {
  readonly bytes: Buffer;
  readonly csv: string;
  readonly emails: readonly string[];
}

const STATES = ['subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'bounced', 'complained', 'pending'];
const DATES = ['2024-02-01T10:00:00Z', '2023-11-30T08:15:00Z', '', ''];
const WORDS = ['Acme', 'Beta, Ltd', '"quoted"', '00123', '', 'true', 'Zürich', 'null'];

/**
 * Rows of invented people. Some occur twice, perhaps in capitals and with another state. Some have an impossible
 * address.
 */
export function createList(random: Random, most: number): List {
  const count = random.int(3, most);
  const plain = random.chance(0.3);
  const emails = Array.from({ length: count }, (_, index) => `p${index}@example.com`);
  const rows = emails.flatMap((email) => rowsOf(email, random, plain));
  const bad = random.chance(0.3)
    ? Array.from({ length: random.int(1, 3) }, (_, i) => `no body ${i},A,B,subscribed,,x,y`)
    : [];
  const lines = [
    'email,first_name,last_name,status,unsubscribed_at,company,tier',
    ...shuffle([...rows, ...bad], random),
  ];
  const csv = `${lines.join('\n')}\n`;
  return { bytes: Buffer.from(csv), csv, emails };
}

function rowsOf(email: string, random: Random, plain: boolean): string[] {
  const first = rowOf(email, random, plain);
  if (!random.chance(0.08)) {
    return [first];
  }
  return [first, rowOf(random.chance(0.5) ? email.toUpperCase() : email, random, plain)];
}

function rowOf(email: string, random: Random, plain: boolean): string {
  const state = plain ? 'subscribed' : random.pick(STATES);
  const date = state === 'unsubscribed' ? random.pick(DATES) : '';
  const cells = [email, random.pick(WORDS), random.pick(WORDS), state, date, random.pick(WORDS), random.pick(WORDS)];
  return cells.map(cell).join(',');
}

function cell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
