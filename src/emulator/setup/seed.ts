import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { CONTACT_STATUSES, SUPPRESSION_EVENT_REASONS, SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { AccountSettings } from '../admin/account.ts';
import type { Admin } from '../admin/admin.ts';
import { FLOW_FIELDS, type NewAutomation } from '../admin/automations.ts';
import type { SeedContact } from '../admin/contacts.ts';
import { canonicalize, isAddress } from '../domain/address.ts';
import { PLANS } from '../store/organizations.ts';
import { COUNT, FLAG, listOf, mapOf, must, objectOf, oneOf, orNull, TEXT } from './value-checks.ts';

/** The contents of a new account, as in the file of `--seed`. */
export interface SeedFile {
  readonly account?: AccountSettings;
  /** Audiences beside the default one, by name. */
  readonly audiences?: readonly { readonly name: string; readonly contacts?: readonly SeedContact[] }[];
  /** People of the default audience. */
  readonly contacts?: readonly SeedContact[];
  /** Addresses by reason. */
  readonly suppressions?: Readonly<Record<string, readonly string[]>>;
  /** `audience` is a name from `audiences`. Default: the default audience. */
  readonly automations?: readonly (Omit<NewAutomation, 'audienceId'> & { readonly audience?: string })[];
}

const STRINGS = listOf(TEXT);
const ADDRESS = must(
  'an email address',
  (value) => typeof value === 'string' && isAddress(canonicalize(value, { address_case: 'unicode' })),
);
const CONTACT = objectOf(
  {
    email: ADDRESS,
    first_name: TEXT,
    last_name: TEXT,
    status: oneOf(CONTACT_STATUSES),
    unsubscribed_at: COUNT,
    attributes: mapOf(TEXT),
  },
  ['email'],
);
const REASONS = [...new Set([...SUPPRESSION_REASONS, ...SUPPRESSION_EVENT_REASONS])];

const SEED = objectOf({
  account: objectOf({
    plan: oneOf(PLANS),
    members: STRINGS,
    domains: STRINGS,
    sendingDisabled: FLAG,
    forbidden: FLAG,
    allowance: orNull(COUNT),
  }),
  audiences: listOf(objectOf({ name: TEXT, contacts: listOf(CONTACT) }, ['name'])),
  contacts: listOf(CONTACT),
  suppressions: objectOf(Object.fromEntries(REASONS.map((reason) => [reason, listOf(ADDRESS)]))),
  automations: listOf(
    objectOf({
      ...FLOW_FIELDS,
      entryFilter: mapOf(TEXT),
      audience: TEXT,
    }),
  ),
});

/** Fills a new account. Throws SvcError for an invalid seed, with the path of the first wrong field. */
export function applySeed(admin: Admin, seed: SeedFile): void {
  const problem = SEED(seed, '') ?? unknownAudience(seed);
  if (problem !== undefined) {
    throw unusable(problem);
  }
  try {
    fill(admin, seed);
  } catch (cause) {
    throw unusable(cause instanceof Error ? cause.message : 'not a seed', cause);
  }
}

function unknownAudience({ audiences = [], automations = [] }: SeedFile): string | undefined {
  const names = new Set(audiences.map(({ name }) => name));
  const index = automations.findIndex(({ audience }) => audience !== undefined && !names.has(audience));
  return index < 0 ? undefined : `automations[${index}].audience must be a name from audiences`;
}

function unusable(problem: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'seed_unusable', `the emulator's seed can't be used: ${problem}`, { cause });
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
