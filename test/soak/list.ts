import { writeFileSync } from 'node:fs';

const STATES = ['subscribed', 'subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'bounced', 'complained'];

/**
 * A list of two batches and a few suppressions. `mark` begins every address, so that lists have no person in common.
 */
export function listOf(mark: string, people = 1_200): string {
  const rows = Array.from({ length: people }, (_, index) => {
    // Most people are subscribed, so that there are few suppressions and many batches.
    const state = index % 20 === 0 ? (STATES[(index / 20) % STATES.length] ?? '') : 'subscribed';
    const date = state === 'unsubscribed' && index % 40 === 0 ? '2024-02-01T10:00:00Z' : '';
    return `${mark}p${index}@example.com,Name ${index},${state},${date},Town ${index % 7}`;
  });
  return `email,first_name,status,unsubscribed_at,town\n${rows.join('\n')}\n`;
}

/** Writes a list of 17 MiB, which svc reads with a thread of its own. */
export function writeLongList(path: string): void {
  const town = 'Town '.padEnd(300, 'x');
  const rows = Array.from({ length: 57_000 }, (_, index) => `p${index}@example.com,subscribed,${town}\n`);
  writeFileSync(path, `email,status,town\n${rows.join('')}`);
}
