import { plural, safe } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import type { Automation } from '../../wire/shapes.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/**
 * Stops if an automation starts when people join: it would mail all imported people. A paused one does so once it is
 * resumed (M3).
 */
export function automations(context: CheckContext): Finding {
  const { snapshot, survey, options, creates } = context;
  if (!snapshot) {
    return skippedCheck('automations', context);
  }
  if (survey.contacts === 0) {
    return { check: 'automations', level: 'pass', message: 'no contacts are written, so no flow starts' };
  }
  const flows = unexpectedFlows(snapshot.joinFlows, options.allowAutomations);
  if (flows.length > 0) {
    return stopFor(flows);
  }
  const allowed = snapshot.joinFlows.length;
  if (allowed > 0) {
    return {
      check: 'automations',
      level: 'warn',
      message: `${plural(allowed, 'flow')} will start for the people imported, as allowed: ${snapshot.joinFlows.map(describe).join(', ')}`,
    };
  }
  const message = creates ? 'the audience is new: no flow runs over it' : 'no flow starts as people join this audience';
  return { check: 'automations', level: 'pass', message };
}

/** The join automations that no --allow-automation allows. */
export function unexpectedFlows(flows: readonly Automation[], allowed: readonly string[]): Automation[] {
  return flows.filter((flow) => !allowed.includes(flow.id));
}

/** Describes an automation: name, id, and what its status means for the imported people. */
export function describe(flow: Automation): string {
  const sandbox = flow.sandbox ? ', sandbox: mails members only until it is published again' : '';
  const paused = flow.status === 'paused' ? ', keeps people waiting and mails them when it resumes' : '';
  return `"${safe(flow.name)}" (${safe(flow.id)}, ${safe(flow.status)}${paused}${sandbox})`;
}

function stopFor(flows: readonly Automation[]): Finding {
  return {
    check: 'automations',
    level: 'stop',
    message: `${plural(flows.length, 'flow')} would start for all people imported: ${flows.map(describe).join(', ')}`,
    hint: flows.map((flow) => `--allow-automation ${safe(flow.id)}`).join(' '),
    when: 'Archive it in the app (a paused flow still collects people), or let it mail all people imported',
    total: flows.length,
  };
}
