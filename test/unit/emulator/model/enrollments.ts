import { canonical, type Flow, isAddress, type ModelContext, type Organization, passesCap } from './account.ts';
import { allStrings, mergeAttributes } from './contact-fields.ts';
import { isElsewhere, save } from './contacts.ts';
import { ABSENT } from './expectation.ts';
import { invalid, type Outcome, ok, refuse, refuseAny } from './refusals.ts';
import type { Fields } from './shapes.ts';

/** POST /v1/automations/{automation_id}/enroll */
export function enroll(organization: Organization, flow: Flow, body: Fields, context: ModelContext): Outcome {
  const refusals = [...bodyRefusals(body), ...stateRefusals(flow)];
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  const email = canonical(String(body.email));
  const isUnusable = flow.unusable || flow.audience.isDeleted;
  if (isUnusable) {
    return outcome('automation_not_active');
  }
  const refusal = body.attributes === undefined ? undefined : writeAttributes(organization, flow, body, context);
  return refusal ?? outcome(outcomeNameOf(organization, flow, email), flow, email, context);
}

function bodyRefusals({ email, attributes }: Fields): Outcome[] {
  const isText = typeof email === 'string';
  return [
    ...(isText ? [] : [invalid('email')]),
    ...(isText && !isAddress(canonical(email)) ? [refuse(400, 'invalid_email', 'email')] : []),
    ...(attributes === undefined || allStrings(attributes) ? [] : [invalid('attributes')]),
  ];
}

function stateRefusals({ status }: Flow): Outcome[] {
  return status === 'draft' || status === 'archived' ? [refuse(409, 'invalid_request')] : [];
}

/** Creates the contact if it is absent from the automation's audience, and merges into it if it is present. */
function writeAttributes(
  organization: Organization,
  flow: Flow,
  { email, attributes }: Fields,
  context: ModelContext,
): Outcome | undefined {
  const address = canonical(String(email));
  const isSuppressed = organization.suppressions.has(address);
  const person = flow.audience.people.get(address);
  if (person !== undefined) {
    isSuppressed || mergeAttributes(person, attributes);
    return undefined;
  }
  const refusals = [
    ...(isSuppressed ? [refuse(409, 'email_suppressed', 'email')] : []),
    ...(passesCap(organization, 1) ? [refuse(403, 'plan_limit_reached')] : []),
  ];
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  const runs = flow.runs.length;
  save(organization, flow.audience, { email: address, attributes }, context);
  // The creation of the contact may have started this automation. It starts once, by the enrollment.
  flow.runs.splice(runs);
  return undefined;
}

/** The first outcome that applies, in the order of the note outcome_order. */
function outcomeNameOf(organization: Organization, flow: Flow, email: string): string {
  const person = flow.audience.people.get(email);
  if (person === undefined) {
    return isElsewhere(organization, flow.audience, email) ? 'wrong_audience' : 'not_subscribed';
  }
  const refusingOutcomes: [string, boolean][] = [
    ['suppressed', organization.suppressions.has(email)],
    ['not_subscribed', person.status !== 'subscribed'],
    ['sandbox_not_member', flow.sandbox && !organization.members.includes(email)],
    ['entry_filter_no_match', Object.entries(flow.filter).some(([key, value]) => person.attributes.get(key) !== value)],
    ['already_enrolled', isInside(flow, email)],
  ];
  return refusingOutcomes.find(([, closed]) => closed)?.[0] ?? 'enrolled';
}

function isInside({ reentry, runs }: Flow, email: string): boolean {
  const own = runs.filter((run) => run.email === email);
  return reentry === 'once' ? own.length > 0 : reentry === 'finished' && own.some(({ state }) => state !== 'finished');
}

function outcome(name: string, flow?: Flow, email = '', context?: ModelContext): Outcome {
  const isStarted = name === 'enrolled';
  if (isStarted) {
    flow?.runs.push({ email, state: flow.status === 'paused' ? 'waiting' : 'running' });
  }
  return ok({
    object: 'enrollment_result',
    outcome: name,
    enrollment_id: isStarted ? context?.nextSymbol('aen') : ABSENT,
  });
}
