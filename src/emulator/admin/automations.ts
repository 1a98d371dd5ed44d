import type { World } from '../context.ts';
import { FIRST_ORGANIZATION, type Identity } from '../setup/bootstrap.ts';
import { type AutomationRow, findAutomation, insertAutomation, updateAutomation } from '../store/automations.ts';
import { listEnrollments, moveEnrollments } from '../store/enrollments.ts';
import { getOrganization } from '../store/organizations.ts';
import { parseId } from './rows.ts';
import type { Admin, NewAutomation } from './types.ts';

type AutomationAdmin = Pick<
  Admin,
  'createAutomation' | 'setAutomationStatus' | 'publishAutomation' | 'enrollments' | 'finishEnrollments'
>;

/** Automations, as they are written, published and stopped in the app. */
export function createAutomationAdmin({ world, identity }: { world: World; identity: Identity }): AutomationAdmin {
  const { store } = world;
  const change = (id: string, with_: (row: AutomationRow) => Partial<AutomationRow>) => {
    const row = getAutomation(world, id);
    const changed = { ...row, ...with_(row), updated_at: world.clock.now() };
    updateAutomation(store, changed);
    if (changed.status === 'active') {
      moveEnrollments(store, row.seq, { from: 'waiting', to: 'running' });
    }
  };
  return {
    createAutomation: (automation = {}) => create(world, automation, identity),
    setAutomationStatus: (id, status) => change(id, () => ({ status })),
    publishAutomation: (id) =>
      change(id, (row) => ({
        status: 'active',
        live_version: (row.live_version ?? 0) + 1,
        sandbox: stampSandbox(world),
      })),
    enrollments: (id) => listEnrollments(store, getAutomation(world, id).seq),
    finishEnrollments: (id) =>
      moveEnrollments(store, getAutomation(world, id).seq, { from: 'running', to: 'finished' }),
  };
}

function create(world: World, automation: NewAutomation, identity: Identity): string {
  const { audienceId, name = 'Welcome', status = 'active', trigger = 'api', reentry = 'once' } = automation;
  const now = world.clock.now();
  const seq = insertAutomation(world.store, {
    organization: FIRST_ORGANIZATION,
    audience: audienceId === undefined ? identity.audience : parseId(world, 'audience', audienceId),
    name,
    status,
    trigger,
    live_version: status === 'draft' ? null : 1,
    sandbox: status === 'draft' ? 0 : stampSandbox(world),
    reentry,
    entry_filter: automation.entryFilter === undefined ? null : JSON.stringify(automation.entryFilter),
    unusable: Number(automation.unusable ?? false),
    created_at: now,
    updated_at: now,
  });
  return world.ids.make('automation', seq);
}

// Stamped on every publish and never in between, so an upgraded account keeps a sandboxed flow until then (rule M4).
function stampSandbox(world: World): number {
  return Number(getOrganization(world.store, FIRST_ORGANIZATION).plan === 'free');
}

function getAutomation(world: World, id: string): AutomationRow {
  const row = findAutomation(world.store, FIRST_ORGANIZATION, parseId(world, 'automation', id));
  if (row === undefined) {
    throw new RangeError(`no automation ${id}`);
  }
  return row;
}
