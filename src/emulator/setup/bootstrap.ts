import { SCOPES } from '../../wire/service-words.ts';
import { insertAudience } from '../store/audiences.ts';
import { type AccountPlan, insertKey, type OrganizationRow } from '../store/organizations.ts';
import { insertRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** The ids and the API key of a store. They stay the same after a restart with the same data folder. */
export interface StoreIdentity {
  readonly storeId: string;
  /** The API key with all scopes. The store has the key in plain text, because the key opens only this store. */
  readonly apiKey: string;
  /** The row number of the default audience. */
  readonly audience: number;
  /** True if this start created the store. */
  readonly isFresh: boolean;
}

/** The settings for creating a new store. */
export interface AccountSetup {
  /** The plan of a new store, by default `paid`. An existing store keeps its plan. */
  readonly plan: AccountPlan | undefined;
  readonly now: number;
  randomHex(length: number): string;
}

/** Reads the first account of a store. In a new store, first creates the account with one API key and one audience. */
export function openFirstAccount(store: Store, setup: AccountSetup): StoreIdentity {
  return store.transaction(() => readIdentity(store) ?? create(store, setup));
}

function readIdentity(store: Store): StoreIdentity | undefined {
  const rows = store.all<{ name: string; value: string }>('select name, value from meta');
  const meta = new Map(rows.map((row) => [row.name, row.value]));
  const [storeId, apiKey, audience] = [meta.get('store_id'), meta.get('api_key'), meta.get('audience')];
  if (storeId === undefined || apiKey === undefined || audience === undefined) {
    return undefined;
  }
  return { storeId, apiKey, audience: Number(audience), isFresh: false };
}

function create(store: Store, { now, plan = 'paid', randomHex }: AccountSetup): StoreIdentity {
  const storeId = randomHex(16);
  const apiKey = `svc_emulator_${randomHex(32)}`;
  const organization = insertRow<OrganizationRow>(store, 'organizations', { plan });
  insertKey(store, apiKey, { organization, scopes: SCOPES });
  const audience = insertAudience(store, organization, 'Newsletter', now).seq;
  for (const [name, value] of Object.entries({ store_id: storeId, api_key: apiKey, audience: String(audience) })) {
    store.run('insert into meta (name, value) values (?, ?)', name, value);
  }
  return { storeId, apiKey, audience, isFresh: true };
}
