import type { Automation } from '../../wire/shapes.ts';
import type { Cell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import type { Style, Tone } from '../text/style.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['active', 'green'],
  ['paused', 'yellow'],
  ['draft', 'dim'],
  ['archived', 'dim'],
]);

/**
 * `svc automations ls`: shows which automations start by themselves (`audience_join`, rule M3) and which mail sandbox
 * members only (M4).
 */
export function automationsTable(automations: readonly Automation[], style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true },
      { title: 'name' },
      { title: 'status', neverCut: true },
      { title: 'trigger', minWidth: 13 },
      { title: 'audience', field: 'audience_id', neverCut: true, dropOrder: 2 },
      { title: 'version', field: 'live_version', align: 'right', dropOrder: 1 },
      { title: 'sandbox' },
    ],
    automations.map(automationRow),
    style,
  );
}

function automationRow(automation: Automation): Cell[] {
  const { id, name, status, trigger, audience_id, live_version, sandbox } = automation;
  return [
    id,
    name,
    { text: status, tone: TONES.get(status) },
    { text: trigger, tone: trigger === 'audience_join' ? 'yellow' : undefined },
    audience_id,
    live_version,
    sandbox ? { text: 'members only', tone: 'yellow', raw: 'true' } : { text: '', raw: 'false' },
  ];
}
