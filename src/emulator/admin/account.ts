import { SCOPES } from '../../wire/service-words.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { canonicalize } from '../domain/address.ts';
import { adminRow } from '../domain/owned-rows.ts';
import { audienceItem } from '../routes/audiences.ts';
import { ADDRESS_CHECK, COUNT_CHECK, DOMAIN_CHECK, FLAG_CHECK, listOf, oneOf, orNull } from '../setup/value-checks.ts';
import { type AudienceRow, deleteAudience, insertAudience } from '../store/audiences.ts';
import {
  type AccountPlan,
  FIRST_ORGANIZATION,
  getOrganization,
  insertKey,
  type OrganizationRow,
  PLANS,
  readSent,
  revokeKey,
} from '../store/organizations.ts';
import { ALL_ROWS, insertRow, listPage, updateRow } from '../store/rows.ts';

/**
 * Settings of an account. A missing field stays unchanged. An `allowance` of null means that there is no monthly limit.
 * Members and domains are stored in the canonical form of the service.
 */
export interface AccountSettings {
  readonly plan?: AccountPlan;
  readonly members?: readonly string[];
  readonly domains?: readonly string[];
  readonly sendingDisabled?: boolean;
  readonly forbidden?: boolean;
  readonly allowance?: number | null;
}

/** The checks of settings that have the same name in a seed file and in the admin API. */
export const ACCOUNT_FIELD_CHECKS = {
  plan: oneOf(PLANS),
  members: listOf(ADDRESS_CHECK),
  domains: listOf(DOMAIN_CHECK),
  forbidden: FLAG_CHECK,
  allowance: orNull(COUNT_CHECK),
};

/** An account, and how many messages it sent in the current month. */
export interface AccountState extends OrganizationRow {
  readonly sent: number;
}

/** What `createOrganization` created: the API key of the account, and the id of its audience. */
export interface NewOrganization {
  readonly apiKey: string;
  readonly audienceId: string;
}

/** Manages the first account, API keys and audiences, as users do it in the web app. */
export interface AccountAdmin {
  set(settings: AccountSettings): void;
  setPlan(plan: AccountPlan): void;
  account(): AccountState;
  /** Creates an account besides the first one, on the paid plan. */
  createOrganization(): NewOrganization;
  /** Creates an API key and returns it. The store keeps only its hash, so the key can't be read again. */
  createKey(scopes?: readonly string[]): string;
  /** Revokes an API key. Returns false if no account has this key. */
  revokeKey(key: string): boolean;
  createAudience(name: string): string;
  /** All audiences of the first organization, newest first, without contact counts. */
  audiences(): Audience[];
  deleteAudience(audienceId: string): void;
}

/** Makes the admin functions for accounts, API keys and audiences. */
export function createAccountAdmin(context: EmulatorContext): AccountAdmin {
  const { store, clock, ids } = context;
  const newKey = (organization: number, scopes: readonly string[]) => {
    const key = `svc_emulator_${context.randomHex(32)}`;
    insertKey(store, key, { organization, scopes });
    return key;
  };
  const newAudience = (organization: number, name: string) =>
    ids.make('audience', insertAudience(store, organization, name, clock.now()).seq);
  return {
    set: (settings) => change(context, settings),
    setPlan: (plan) => change(context, { plan }),
    account: () => ({
      ...getOrganization(store, FIRST_ORGANIZATION),
      sent: readSent(store, FIRST_ORGANIZATION, clock.now()),
    }),
    createOrganization() {
      const organization = insertRow<OrganizationRow>(store, 'organizations', { plan: 'paid' });
      return { apiKey: newKey(organization, SCOPES), audienceId: newAudience(organization, 'Newsletter') };
    },
    createKey: (scopes = SCOPES) => newKey(FIRST_ORGANIZATION, scopes),
    revokeKey: (key) => revokeKey(store, key),
    createAudience: (name) => newAudience(FIRST_ORGANIZATION, name),
    audiences: () =>
      listPage<AudienceRow>(store, 'audiences', { organization: FIRST_ORGANIZATION }, ALL_ROWS).map((row) =>
        audienceItem(ids, row),
      ),
    deleteAudience: (id) => deleteAudience(store, adminRow<AudienceRow>(context, 'audience', id).seq),
  };
}

function change({ store, variants }: EmulatorContext, settings: AccountSettings): void {
  const toColumn = (names: readonly string[]) => JSON.stringify(names.map((name) => canonicalize(name, variants)));
  const columns = {
    plan: settings.plan,
    members: settings.members && toColumn(settings.members),
    domains: settings.domains && toColumn(settings.domains),
    sending_disabled: toInteger(settings.sendingDisabled),
    forbidden: toInteger(settings.forbidden),
    allowance: settings.allowance,
  };
  for (const [column, value] of Object.entries(columns)) {
    if (value !== undefined) {
      updateRow(store, 'organizations', FIRST_ORGANIZATION, { [column]: value });
    }
  }
}

function toInteger(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
