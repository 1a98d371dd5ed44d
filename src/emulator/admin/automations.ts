import { AUTOMATION_STATUSES, AUTOMATION_TRIGGERS } from '../../wire/service-words.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { normalizeKey } from '../domain/attributes.ts';
import { adminRow } from '../domain/owned-rows.ts';
import type { StoreIdentity } from '../setup/bootstrap.ts';
import { FLAG_CHECK, oneOf, TEXT_CHECK } from '../setup/value-checks.ts';
import type { AudienceRow } from '../store/audiences.ts';
import { type AutomationRow, type EnrollmentRow, listEnrollments, moveEnrollments } from '../store/automations.ts';
import { FIRST_ORGANIZATION, getOrganization } from '../store/organizations.ts';
import { insertRow, updateRow } from '../store/rows.ts';

/** The checks of automation fields that have the same name in a seed file and in the admin API. */
export const AUTOMATION_FIELD_CHECKS = {
  name: TEXT_CHECK,
  status: oneOf(AUTOMATION_STATUSES),
  trigger: oneOf(AUTOMATION_TRIGGERS),
  reentry: oneOf(['once', 'finished', 'always']),
  unusable: FLAG_CHECK,
};

/** A new automation, as a user creates it in the web app. */
export interface NewAutomation {
  /** The audience of the automation. If it is missing, the automation uses the default audience. */
  readonly audienceId?: string;
  readonly name?: string;
  /** `active` by default. */
  readonly status?: string;
  /** What starts the automation, for example `api` (the default) or `audience_join`. */
  readonly trigger?: string;
  /**
   * Whether a person may enter again: `once` (the default) means never, `finished` once all earlier enrollments have
   * finished, `always` at any time.
   */
  readonly reentry?: 'once' | 'finished' | 'always';
  /** The attribute values that a contact must have to enter. */
  readonly entryFilter?: Readonly<Record<string, string>>;
  /** True if the published version can't run: each enrollment has the outcome `automation_not_active`. */
  readonly unusable?: boolean;
}

/** Creates, publishes and stops automations, as users do it in the web app. */
export interface AutomationAdmin {
  createAutomation(automation?: NewAutomation): string;
  /** Changes the status. `active` also starts the enrollments that wait because the automation was paused. */
  setAutomationStatus(automationId: string, status: string): void;
  /**
   * Publishes the next version, which makes the automation active. If the account is on the free plan at that moment,
   * the automation goes into sandbox mode.
   */
  publishAutomation(automationId: string): void;
  enrollments(automationId: string): EnrollmentRow[];
  /** Ends all running enrollments of the automation. */
  finishEnrollments(automationId: string): void;
}

/** Makes the admin functions for automations. */
export function createAutomationAdmin({
  context,
  identity,
}: {
  context: EmulatorContext;
  identity: StoreIdentity;
}): AutomationAdmin {
  const { store } = context;
  const automationOf = (id: string) => adminRow<AutomationRow>(context, 'automation', id);
  const change = (id: string, changesOf: (row: AutomationRow) => Partial<AutomationRow>) => {
    const row = automationOf(id);
    const changes = { ...changesOf(row), updated_at: context.clock.now() };
    updateRow<AutomationRow>(store, 'automations', row.seq, changes);
    if ((changes.status ?? row.status) === 'active') {
      moveEnrollments(store, row.seq, { from: 'waiting', to: 'running' });
    }
  };
  return {
    createAutomation: (automation = {}) => create(context, automation, identity),
    setAutomationStatus: (id, status) => change(id, (row) => ({ status, ...versionIn(context, row, status) })),
    publishAutomation: (id) =>
      change(id, (row) => ({
        status: 'active',
        live_version: (row.live_version ?? 0) + 1,
        sandbox: sandboxMark(context),
      })),
    enrollments: (id) => listEnrollments(store, automationOf(id).seq),
    finishEnrollments: (id) => moveEnrollments(store, automationOf(id).seq, { from: 'running', to: 'finished' }),
  };
}

function create(context: EmulatorContext, automation: NewAutomation, identity: StoreIdentity): string {
  const defaultId = context.ids.make('audience', identity.audience);
  const { audienceId = defaultId, name = 'Welcome', status = 'active', trigger = 'api', reentry = 'once' } = automation;
  const now = context.clock.now();
  const seq = insertRow<AutomationRow>(context.store, 'automations', {
    organization: FIRST_ORGANIZATION,
    audience: adminRow<AudienceRow>(context, 'audience', audienceId).seq,
    name,
    status,
    trigger,
    live_version: status === 'draft' ? null : 1,
    sandbox: status === 'draft' ? 0 : sandboxMark(context),
    reentry,
    entry_filter: automation.entryFilter === undefined ? null : filterColumn(automation.entryFilter),
    unusable: Number(automation.unusable ?? false),
    created_at: now,
    updated_at: now,
  });
  return context.ids.make('automation', seq);
}

// The filter is compared with stored attribute keys, which the service normalizes. So the keys of the filter are
// normalized too.
function filterColumn(filter: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(filter).map(([key, value]) => [normalizeKey(key), value])));
}

/**
 * How a new status changes `live_version`. With `draft`, no version is published any more. `archived` changes nothing.
 * Any other status publishes version 1 if no version is published yet.
 */
function versionIn(context: EmulatorContext, row: AutomationRow, status: string): Partial<AutomationRow> {
  if (status === 'draft') {
    return { live_version: null };
  }
  const publishes = row.live_version === null && status !== 'archived';
  return publishes ? { live_version: 1, sandbox: sandboxMark(context) } : {};
}

// The sandbox mark of an automation: 1 on the free plan. Only publishing sets it, so after an upgrade the automation
// stays in sandbox mode until it is published again (M4).
function sandboxMark(context: EmulatorContext): number {
  return Number(getOrganization(context.store, FIRST_ORGANIZATION).plan === 'free');
}
