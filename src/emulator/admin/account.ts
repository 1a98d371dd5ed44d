import { SCOPES } from '../../wire/service-words.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Context } from '../action-context.ts';
import { canonicalize } from '../domain/address.ts';
import { parseId } from '../domain/formats.ts';
import { EVERYTHING } from '../http/pagination.ts';
import { audienceItem } from '../routes/audiences.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { ADDRESS, COUNT, DOMAIN, FLAG, listOf, oneOf, orNull } from '../setup/value-checks.ts';

import { deleteAudience, insertAudience, listAudiences } from '../store/audiences.ts';
import {
  getOrganization,
  insertKey,
  insertOrganization,
  type OrganizationRow,
  PLANS,
  type Plan,
  readSent,
  revokeKey,
} from '../store/organizations.ts';

/**
 * Settings of an account. Missing fields stay unchanged. An `allowance` of null means no monthly limit. Members and
 * domains are stored in the canonical form of the service.
 */
export interface AccountSettings {
  readonly plan?: Plan;
  readonly members?: readonly string[];
  readonly domains?: readonly string[];
  readonly sendingDisabled?: boolean;
  readonly forbidden?: boolean;
  readonly allowance?: number | null;
}

/** The checks of the settings that a seed file and the admin API name alike. */
export const ACCOUNT_FIELDS = {
  plan: oneOf(PLANS),
  members: listOf(ADDRESS),
  domains: listOf(DOMAIN),
  forbidden: FLAG,
  allowance: orNull(COUNT),
};

/** An account, and the number of messages that it sent in the current month. */
export interface AccountState extends OrganizationRow {
  readonly sent: number;
}

/** What `createOrganization` made: the number of the account, its API key, and the id of its audience. */
export interface NewOrganization {
  readonly organization: number;
  readonly apiKey: string;
  readonly audienceId: string;
}

/** Manages accounts, keys and audiences, as users do in the web app. `organization` is the first one by default. */
export interface AccountAdmin {
  set(settings: AccountSettings, organization?: number): void;
  setPlan(plan: Plan): void;
  account(organization?: number): AccountState;
  createOrganization(plan?: Plan): NewOrganization;
  /** Creates an API key and returns it. The store keeps only its hash, so it can't be read again. */
  createKey(scopes?: readonly string[], organization?: number): string;
  revokeKey(key: string): void;
  createAudience(name: string): string;
  /** All audiences of the first organization, newest first, without contact counts. */
  audiences(): Audience[];
  deleteAudience(audienceId: string): void;
}

/** The admin functions for accounts, keys and audiences. */
export function createAccountAdmin(context: Context): AccountAdmin {
  const { store, clock, ids } = context;
  const createKey = (scopes: readonly string[] = SCOPES, organization = FIRST_ORGANIZATION) => {
    const key = `svc_emulator_${context.randomHex(32)}`;
    insertKey(store, key, { organization, scopes });
    return key;
  };
  const newAudience = (name: string, organization = FIRST_ORGANIZATION) =>
    ids.make('audience', insertAudience(store, organization, { name, now: clock.now() }).seq);
  return {
    set: (settings, organization = FIRST_ORGANIZATION) => change(context, organization, settings),
    setPlan: (plan) => change(context, FIRST_ORGANIZATION, { plan }),
    account: (organization = FIRST_ORGANIZATION) => ({
      ...getOrganization(store, organization),
      sent: readSent(store, organization, clock.now()),
    }),
    createOrganization(plan = 'paid') {
      const organization = insertOrganization(store, plan);
      return {
        organization,
        apiKey: createKey(SCOPES, organization),
        audienceId: newAudience('Newsletter', organization),
      };
    },
    createKey,
    revokeKey: (key) => revokeKey(store, key),
    createAudience: (name) => newAudience(name),
    audiences: () => listAudiences(store, FIRST_ORGANIZATION, EVERYTHING).map((row) => audienceItem(ids, row)),
    deleteAudience: (id) => deleteAudience(store, parseId(context.ids, 'audience', id)),
  };
}

function change({ store, variants }: Context, organization: number, settings: AccountSettings): void {
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
      store.run(`update organizations set ${column} = ? where seq = ?`, value, organization);
    }
  }
}

function toInteger(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
