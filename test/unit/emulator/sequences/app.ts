import { type Flow, type Organization, type Run, timestamp } from '../model/account.ts';
import type { AutomationPlan } from './commands.ts';
import type { Game } from './exchange.ts';

/** Makes an automation in the app. */
export function addAutomation({ subject, model, bindings }: Game, { inSecond, ...plan }: AutomationPlan): void {
  const [own] = model.organizations;
  const audience = own.audiences[inSecond ? 1 : 0]!;
  const now = timestamp(model.context.now());
  const isDraft = plan.status === 'draft';
  const { entryFilter: filter, ...rest } = plan;
  const flow: Flow = {
    ...rest,
    id: model.context.nextSymbol('aut'),
    name: 'Welcome',
    audience,
    live_version: isDraft ? null : 1,
    sandbox: !isDraft && own.plan === 'free',
    created_at: now,
    updated_at: now,
    filter,
    runs: [],
  };
  own.flows.push(flow);
  const audienceId = bindings.idOf(audience.id)!;
  bindings.bind(flow.id, subject.emulator.admin.createAutomation({ ...plan, audienceId }));
}

/** Changes the status of a person in the app. */
export function changePerson({ subject, model }: Game, email: string, status: string): void {
  const { people, isDeleted } = model.organizations[0].audiences[0]!;
  const person = people.get(email);
  if (person !== undefined && !isDeleted) {
    subject.emulator.admin.setStatus(email, status);
    person.unsubscribed_at = status === 'unsubscribed' ? timestamp(model.context.now()) : null;
    person.status = status;
  }
}

/** Publishes an automation, changes its status, or lets its runs end. */
export function changeAutomation({ subject, model, bindings }: Game, at: number, becomes: string): void {
  const [own] = model.organizations;
  const flow = own.flows[at % own.flows.length]!;
  const id = bindings.idOf(flow.id)!;
  const { admin } = subject.emulator;
  if (becomes === 'finished') {
    admin.finishEnrollments(id);
    moveRuns(flow.runs, 'running', 'finished');
    return;
  }
  if (becomes === 'published') {
    admin.publishAutomation(id);
    publish(own, flow, (flow.live_version ?? 0) + 1);
    flow.status = 'active';
  } else {
    admin.setAutomationStatus(id, becomes);
    setStatus(own, flow, becomes);
  }
  flow.updated_at = timestamp(model.context.now());
  if (flow.status === 'active') {
    moveRuns(flow.runs, 'waiting', 'running');
  }
}

/** "published version number; null if never published (always null on a draft)" */
function setStatus(organization: Organization, flow: Flow, status: string): void {
  if (flow.live_version === null && (status === 'active' || status === 'paused')) {
    publish(organization, flow, 1);
  }
  flow.live_version = status === 'draft' ? null : flow.live_version;
  flow.status = status;
}

/** "re-stamped on every publish so it follows the plan" */
function publish({ plan }: Organization, flow: Flow, version: number): void {
  flow.live_version = version;
  flow.sandbox = plan === 'free';
}

function moveRuns(runs: readonly Run[], from: string, to: string): void {
  for (const run of runs.filter(({ state }) => state === from)) {
    run.state = to;
  }
}
