import { AUTOMATION_STATUSES, AUTOMATION_TRIGGERS } from '../../wire/service-words.ts';
import type { Context } from '../action-context.ts';
import { normalizeKey } from '../domain/attributes.ts';
import { parseId } from '../domain/formats.ts';
import { FIRST_ORGANIZATION, type Identity } from '../setup/bootstrap.ts';
import { FLAG, oneOf, TEXT } from '../setup/value-checks.ts';
import {
  type AutomationRow,
  type EnrollmentRow,
  findAutomation,
  insertAutomation,
  listEnrollments,
  moveEnrollments,
  updateAutomation,
} from '../store/automations.ts';
import { getOrganization } from '../store/organizations.ts';

/** The checks of the fields that both a seed and the admin API write. */
export const FLOW_FIELDS = {
  name: TEXT,
  status: oneOf(AUTOMATION_STATUSES),
  trigger: oneOf(AUTOMATION_TRIGGERS),
  reentry: oneOf(['once', 'finished', 'always']),
  unusable: FLAG,
};

/** The fields of an automation in the app. */
export interface NewAutomation {
  /** Default: the first organization's default audience. */
  readonly audienceId?: string;
  readonly name?: string;
  /** Default `active`. */
  readonly status?: string;
  /** Default `api`. */
  readonly trigger?: string;
  /** If a person may enter again: never (`once`, the default), after the last run has ended, or always. */
  readonly reentry?: 'once' | 'finished' | 'always';
  /** Attribute values that a contact must have. */
  readonly entryFilter?: Readonly<Record<string, string>>;
  /** The published version can't run. */
  readonly unusable?: boolean;
}

/** Automations, as users edit, publish and stop them in the app. */
export interface AutomationAdmin {
  createAutomation(automation?: NewAutomation): string;
  /** Changes the status. A resumed flow releases the people who wait at its trigger. */
  setAutomationStatus(automationId: string, status: string): void;
  /** Publishes the next version: activates the flow and sets its sandbox by the current plan. */
  publishAutomation(automationId: string): void;
  enrollments(automationId: string): EnrollmentRow[];
  /** Ends every running run of a flow. */
  finishEnrollments(automationId: string): void;
}

export function createAutomationAdmin({
  context,
  identity,
}: {
  context: Context;
  identity: Identity;
}): AutomationAdmin {
  const { store } = context;
  const change = (id: string, changesOf: (row: AutomationRow) => Partial<AutomationRow>) => {
    const row = getAutomation(context, id);
    const changed = { ...row, ...changesOf(row), updated_at: context.clock.now() };
    updateAutomation(store, changed);
    if (changed.status === 'active') {
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
        sandbox: stampSandbox(context),
      })),
    enrollments: (id) => listEnrollments(store, getAutomation(context, id).seq),
    finishEnrollments: (id) =>
      moveEnrollments(store, getAutomation(context, id).seq, { from: 'running', to: 'finished' }),
  };
}

function create(context: Context, automation: NewAutomation, identity: Identity): string {
  const { audienceId, name = 'Welcome', status = 'active', trigger = 'api', reentry = 'once' } = automation;
  const now = context.clock.now();
  const seq = insertAutomation(context.store, {
    organization: FIRST_ORGANIZATION,
    audience: audienceId === undefined ? identity.audience : parseId(context.ids, 'audience', audienceId),
    name,
    status,
    trigger,
    live_version: status === 'draft' ? null : 1,
    sandbox: status === 'draft' ? 0 : stampSandbox(context),
    reentry,
    entry_filter: automation.entryFilter === undefined ? null : filterColumn(automation.entryFilter),
    unusable: Number(automation.unusable ?? false),
    created_at: now,
    updated_at: now,
  });
  return context.ids.make('automation', seq);
}

// The service normalizes the keys of attributes. So the keys of the filter are normalized in the same way.
function filterColumn(filter: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(filter).map(([key, value]) => [normalizeKey(key), value])));
}

/** A draft has no published version. Moving it to a status other than `archived` publishes it. */
function versionIn(context: Context, row: AutomationRow, status: string): Partial<AutomationRow> {
  if (status === 'draft') {
    return { live_version: null };
  }
  const publishes = row.live_version === null && status !== 'archived';
  return publishes ? { live_version: 1, sandbox: stampSandbox(context) } : {};
}

// Only a publish sets this. So an upgraded account keeps a sandboxed flow until the next publish (rule M4).
function stampSandbox(context: Context): number {
  return Number(getOrganization(context.store, FIRST_ORGANIZATION).plan === 'free');
}

/** An automation of the first organization, which must exist. */
function getAutomation(context: Context, id: string): AutomationRow {
  const row = findAutomation(context.store, FIRST_ORGANIZATION, parseId(context.ids, 'automation', id));
  if (row === undefined) {
    throw new RangeError(`no automation ${id}`);
  }
  return row;
}
