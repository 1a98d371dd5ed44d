import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { AccountSettings } from '../admin/account.ts';
import type { Admin } from '../admin/admin.ts';
import type { NewAutomation } from '../admin/automations.ts';
import type { SeedContact } from '../admin/contacts.ts';

/** The contents of a new account, as in the file of `--seed`. */
export interface SeedFile {
  readonly account?: AccountSettings;
  /** Audiences beside the default one, by name. */
  readonly audiences?: readonly { readonly name: string; readonly contacts?: readonly SeedContact[] }[];
  /** People of the default audience. */
  readonly contacts?: readonly SeedContact[];
  /** Addresses by reason. */
  readonly suppressions?: Readonly<Record<string, readonly string[]>>;
  /** `audience` is a name from `audiences`; without it the default one. */
  readonly automations?: readonly (Omit<NewAutomation, 'audienceId'> & { readonly audience?: string })[];
}

/** Fills a fresh account. Throws SvcError where the seed doesn't have the shape of one. */
export function applySeed(admin: Admin, seed: SeedFile): void {
  try {
    fill(admin, seed);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'not a seed';
    throw new SvcError(EXIT.usage, 'seed_unusable', `the emulator's seed can't be used: ${message}`, { cause });
  }
}

// People are added before automations, so that no flow fires.
function fill(admin: Admin, seed: SeedFile): void {
  admin.set(seed.account ?? {});
  admin.addContacts(seed.contacts ?? []);
  const audiences = new Map<string, string>();
  for (const { name, contacts = [] } of seed.audiences ?? []) {
    const id = admin.createAudience(name);
    audiences.set(name, id);
    admin.addContacts(contacts, id);
  }
  for (const [reason, emails] of Object.entries(seed.suppressions ?? {})) {
    admin.suppress(emails, reason);
  }
  for (const { audience, ...automation } of seed.automations ?? []) {
    const audienceId = audience === undefined ? undefined : audiences.get(audience);
    admin.createAutomation({ ...automation, ...(audienceId === undefined ? {} : { audienceId }) });
  }
}
