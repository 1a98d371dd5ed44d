import { plural } from '../../base/lib/text.ts';
import type { Automation } from '../../wire/shapes.ts';
import type { DoctorFinding } from './finding.ts';
import type { AccountRead } from './read-account.ts';

/** Flows that fire at whoever joins an audience, by audience (rule M3), and flows that mail members only (rule M4). */
export function examineFlows({ audiences, automations }: AccountRead): DoctorFinding[] {
  const joins = automations.filter((flow) => flow.trigger === 'audience_join' && isLive(flow));
  const byAudience = Map.groupBy(joins, ({ audience_id }) => audience_id);
  const firing = [...byAudience].map(([id, flows]) => firingAt(nameOf(audiences, id), flows));
  const sandboxed = automations.filter((flow) => flow.sandbox && isLive(flow));
  return [...(firing.length > 0 ? firing : [NONE_FIRES]), ...(sandboxed.length > 0 ? [membersOnly(sandboxed)] : [])];
}

const NONE_FIRES: DoctorFinding = { check: 'flows', level: 'pass', message: 'no flow fires by itself as people join' };

// A status we have never heard of counts as live, as in the checks of an import.
function isLive({ status }: Automation): boolean {
  return status !== 'draft' && status !== 'archived';
}

function firingAt(audience: string, flows: readonly Automation[]): DoctorFinding {
  return {
    check: 'flows',
    level: 'info',
    message: `${plural(flows.length, 'flow fires', 'flows fire')} at everybody who joins ${audience}: ${listed(flows)}`,
    hint: 'An import into it stops until they are paused and archived, or allowed with --allow-automation <id>.',
  };
}

function membersOnly(flows: readonly Automation[]): DoctorFinding {
  return {
    check: 'sandbox',
    level: 'info',
    message: `${plural(flows.length, 'flow mails', 'flows mail')} members of your organisation only: ${listed(flows)}`,
    hint: 'That follows the plan at each publishing: publish again after an upgrade.',
  };
}

function listed(flows: readonly Automation[]): string {
  return flows.map(({ id, name, status }) => `"${name}" (${id}, ${status})`).join(', ');
}

function nameOf(audiences: AccountRead['audiences'], id: string): string {
  const audience = audiences.find((each) => each.id === id);
  return audience ? `"${audience.name}" (${id})` : id;
}
