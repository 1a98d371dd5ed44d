import { safe } from '../base/text.ts';
import type { Finding } from '../import/survey/survey-types.ts';
import { failures } from '../migrate/checks/failures.ts';
import { key } from '../migrate/checks/key.ts';
import { type Known, notAsked } from '../migrate/checks/known.ts';
import { inOrder, runChecks } from '../migrate/checks/list.ts';
import type { Automation } from '../wire/shapes.ts';

/** What the checks of an enrolment judge by: as for an import, and the flow. */
export interface EnrollKnown extends Known {
  /** Undefined where the account wasn't asked. */
  readonly flow: Automation | undefined;
  readonly createContacts: boolean;
}

/** All findings, stops first. Those about an audience only where contacts are written (rule M7). */
export function enrollFindings(known: EnrollKnown): Finding[] {
  const survey = { ...known.survey, findings: known.survey.findings.map(asToEnrolling) };
  const findings = known.createContacts
    ? runChecks({ ...known, survey })
    : [...survey.findings, keyOf(known), failures(known)];
  return inOrder([automation(known), ...findings]);
}

/** Nobody without a state is enrolled and no date is written: neither is a reason to stop. */
function asToEnrolling(finding: Finding): Finding {
  const stops = finding.level === 'stop';
  return stops && ['no_status', 'ambiguous_dates'].includes(finding.check) ? { ...finding, level: 'warn' } : finding;
}

function keyOf(known: EnrollKnown): Finding {
  return known.flow ? { check: 'key', level: 'pass', message: 'the key reads this account' } : key(known);
}

/** Draft and archived flows have nothing to run; paused and sandbox ones do something else than one may expect (rule M4). */
function automation({ flow, unasked }: EnrollKnown): Finding {
  const finding = (level: Finding['level'], message: string): Finding => ({ check: 'automation', level, message });
  if (!flow) {
    return notAsked('automation', { unasked });
  }
  const name = `"${safe(flow.name)}" (${safe(flow.id)})`;
  if (flow.status === 'draft' || flow.status === 'archived') {
    return finding('stop', `${name} is ${flow.status}: there is nothing to enrol into; publish it in the app`);
  }
  const notes = [...statusNotes(flow), ...sandboxNotes(flow), ...joinNotes(flow)];
  return notes.length > 0 ? finding('warn', `${name} ${notes.join('; ')}`) : finding('pass', `${name} is active`);
}

function statusNotes({ status }: Automation): string[] {
  if (status === 'paused') {
    return ['is paused: people wait at the trigger and are mailed when it resumes'];
  }
  return status === 'active' ? [] : [`has the status ${safe(status)}, which we don't know`];
}

function sandboxNotes({ sandbox }: Automation): string[] {
  return sandbox ? ['is in sandbox mode: it mails members of your organisation only, until it is published again'] : [];
}

function joinNotes({ trigger }: Automation): string[] {
  return trigger === 'audience_join' ? ['also starts on its own for everybody who joins the audience'] : [];
}
