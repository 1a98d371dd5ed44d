import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { CONTACT_STATUSES, SUPPRESSION_EVENT_REASONS, SUPPRESSION_REASONS } from '../../wire/service-words.ts';
import type { Variants } from '../context/variants.ts';
import { canonicalize } from '../domain/address.ts';
import {
  ADDRESS_CHECK,
  ATTRIBUTES_CHECK,
  AUDIENCE_NAME_CHECK,
  FLAG_CHECK,
  fieldPath,
  listOf,
  MOMENT_CHECK,
  objectOf,
  oneOf,
  TEXT_CHECK,
  type ValueCheck,
} from '../setup/value-checks.ts';
import type { AccountPlan } from '../store/organizations.ts';
import { ACCOUNT_FIELD_CHECKS, type AccountSettings } from './account.ts';
import type { Admin } from './admin.ts';
import { AUTOMATION_FIELD_CHECKS, type NewAutomation } from './automations.ts';
import type { SeedContact } from './contacts.ts';

/** The first contents of a store, as the file of `--seed` gives them. */
export interface SeedFile {
  readonly account?: AccountSettings;
  /** Audiences besides the default one. Automations refer to them by name. */
  readonly audiences?: readonly { readonly name: string; readonly contacts?: readonly SeedContact[] }[];
  /** The contacts of the default audience. */
  readonly contacts?: readonly SeedContact[];
  /** Suppressed addresses for each reason. */
  readonly suppressions?: Readonly<Record<string, readonly string[]>>;
  /** Automations. `audience` is a name from `audiences`. If it is missing, the automation uses the default audience. */
  readonly automations?: readonly (Omit<NewAutomation, 'audienceId'> & { readonly audience?: string })[];
}

const CONTACT: ValueCheck = (value, path) => CONTACT_FIELDS(value, path) ?? unusedDate(Object(value), path);

const CONTACT_FIELDS = objectOf(
  {
    email: ADDRESS_CHECK,
    first_name: TEXT_CHECK,
    last_name: TEXT_CHECK,
    status: oneOf(CONTACT_STATUSES),
    unsubscribed_at: MOMENT_CHECK,
    attributes: ATTRIBUTES_CHECK,
  },
  ['email'],
);

function unusedDate({ status, unsubscribed_at }: SeedContact, path: string): string | undefined {
  return unsubscribed_at === undefined || status === 'unsubscribed'
    ? undefined
    : `${fieldPath(path, 'unsubscribed_at')} needs the status unsubscribed`;
}

const REASONS = [...new Set([...SUPPRESSION_REASONS, ...SUPPRESSION_EVENT_REASONS])];

const SEED = objectOf({
  account: objectOf({ ...ACCOUNT_FIELD_CHECKS, sendingDisabled: FLAG_CHECK }),
  audiences: listOf(objectOf({ name: AUDIENCE_NAME_CHECK, contacts: listOf(CONTACT) }, ['name'])),
  contacts: listOf(CONTACT),
  suppressions: objectOf(Object.fromEntries(REASONS.map((reason) => [reason, listOf(ADDRESS_CHECK)]))),
  automations: listOf(objectOf({ ...AUTOMATION_FIELD_CHECKS, entryFilter: ATTRIBUTES_CHECK, audience: TEXT_CHECK })),
});

/** The settings for checking and applying a seed. */
interface SeedSettings {
  readonly variants: Variants;
  /** A plan that replaces the plan of the seed. */
  readonly plan: AccountPlan | undefined;
}

/** Fills a new store. Throws SvcError for an invalid seed, and names the path of the first wrong field. */
export function applySeed(admin: Admin, seed: SeedFile, { variants, plan }: SeedSettings): void {
  const problem = SEED(seed, '') ?? wrongAudience(seed) ?? repeatedAddress(seed, variants);
  if (problem !== undefined) {
    throw seedError(problem);
  }
  try {
    fillFromSeed(admin, seed, plan);
  } catch (cause) {
    throw seedError(cause instanceof Error ? cause.message : 'not a seed', cause);
  }
}

// The problem of the first automation whose `audience` names no audience of the seed, or more than one.
function wrongAudience({ audiences = [], automations = [] }: SeedFile): string | undefined {
  const countOf = (wanted: string | undefined) => audiences.filter(({ name }) => name === wanted).length;
  const index = automations.findIndex(({ audience }) => audience !== undefined && countOf(audience) !== 1);
  if (index < 0) {
    return undefined;
  }
  const isMissing = countOf(automations[index]?.audience) === 0;
  return `automations[${index}].audience must be ${isMissing ? 'a name from audiences' : 'the name of one audience only'}`;
}

/** The problem of the first address that occurs twice in one audience, or twice in the list of suppressions. */
function repeatedAddress({ contacts = [], audiences = [], suppressions = {} }: SeedFile, variants: Variants) {
  const pathsOf = (list: readonly SeedContact[], path: string) =>
    list.map(({ email }, index) => [`${path}[${index}].email`, email] as const);
  const reasons = Object.entries(suppressions);
  const lists = [
    pathsOf(contacts, 'contacts'),
    ...audiences.map((audience, index) => pathsOf(audience.contacts ?? [], `audiences[${index}].contacts`)),
    reasons.flatMap(([reason, emails]) =>
      emails.map((email, index) => [`suppressions.${reason}[${index}]`, email] as const),
    ),
  ];
  const repeated = lists.flatMap((list) => {
    const seen = new Set<string>();
    return list.filter(([, email]) => {
      const address = canonicalize(email, variants);
      return seen.has(address) || !seen.add(address);
    });
  });
  return repeated[0] && `${repeated[0][0]} repeats an earlier address`;
}

function seedError(problem: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'seed_unusable', `the emulator's seed can't be used: ${problem}`, { cause });
}

// Adds contacts before automations, so that the contacts start no automation.
function fillFromSeed(admin: Admin, seed: SeedFile, plan: AccountPlan | undefined): void {
  admin.set({ ...seed.account, ...(plan === undefined ? {} : { plan }) });
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
