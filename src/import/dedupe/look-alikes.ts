import { looseKey } from '../../wire/person-key.ts';

/**
 * The keys of the addresses that another address of the list may look like: the service could take both for one (F8).
 * The keys of ordinary addresses are left out, because nearly all addresses are ordinary.
 */
export function lookAlikeKeys(emails: Iterable<string>): Set<string> {
  return new Set(Iterator.from(emails).filter(hasLookAlikes).map(looseKey));
}

/** True if the service could trim or lower-case the address to another one. */
function hasLookAlikes(email: string): boolean {
  return looseKey(email) !== email;
}

/** How many addresses the service could take for an earlier one (F8). `listEmails` is called twice. */
export function countLookAlikes(listEmails: () => Iterable<string>): number {
  const keys = lookAlikeKeys(listEmails());
  const found = new Set<string>();
  let count = 0;
  for (const key of keys.size === 0 ? [] : Iterator.from(listEmails()).map(looseKey)) {
    count += found.has(key) ? 1 : 0;
    if (keys.has(key)) {
      found.add(key);
    }
  }
  return count;
}
