import type { Emit } from '../base/events.ts';
import { contacts } from '../import/batch/last-read.ts';
import type { Finding, Survey } from '../import/survey/survey-types.ts';
import type { ContactItem } from '../import/types.ts';
import { failures } from '../migrate/checks/failures.ts';
import { key } from '../migrate/checks/key.ts';
import type { Known } from '../migrate/checks/known.ts';
import { inOrder, runChecks } from '../migrate/checks/list.ts';
import type { Outside } from '../migrate/outside.ts';
import { countNewPeople } from '../migrate/plan/new-people.ts';
import { estimateSeconds, newFieldsOf } from '../migrate/plan/plan.ts';
import { withWholeCommands } from '../migrate/plan/whole-commands.ts';
import { askAccount } from '../migrate/prepare/ask-account.ts';
import type { ListReading } from '../migrate/prepare/draft.ts';
import { type Facts, gatherFacts } from '../migrate/prepare/facts.ts';
import type { Plan } from '../migrate/types.ts';
import { refusedRows, rowKey } from '../migrate/verify/refused-rows.ts';
import type { Ledger } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import { LIMITS } from '../wire/limits.ts';
import type { Automation } from '../wire/shapes.ts';
import { automationFinding, type Flow } from './automation.ts';
import { type DedupeStore, isEnrolledBefore } from './dedupe-store.ts';
import { contactOptions, type EnrollOptions } from './options.ts';
import { candidates, type Listed, readPeople } from './people.ts';

/** Everything that is known before the first write. */
export interface EnrollDraft extends Listed {
  /** Undefined where no contacts are written, or the account wasn't asked. */
  readonly facts: Facts | undefined;
  /** The list as an import of the people to be enrolled would see it. */
  readonly asContacts: Survey;
  /** People skipped because another run enrolled them, or may have. */
  readonly before: number;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list once more and yields everybody who is to be enrolled as a contact. */
  readonly items: () => AsyncIterable<ContactItem>;
}

/** What drafting needs. `flow` and `ledger` are undefined where the account isn't asked. */
export interface Drafting {
  readonly options: EnrollOptions;
  readonly outside: Outside;
  readonly flow: Flow | undefined;
  readonly ledger: Ledger | undefined;
  readonly journal: Journal;
  readonly held: ListReading['held'];
  readonly emit: Emit;
}

/** Reads the list and the account, and sends nothing: the people, the plan and its findings. */
export async function draftEnrollment(run: Drafting): Promise<EnrollDraft> {
  const { options, flow } = run;
  const listed = await readPeople(run);
  run.emit({ type: 'phase', phase: 'plan' });
  const memory = run.ledger && { ...run, ledger: run.ledger };
  const people = await countPeople(memory, listed, run.outside.context.signal);
  const asContacts = surveyOfContacts(listed);
  const { facts, unasked } = await askAccount(options, run.outside, async (outside) => ({
    unasked: outside.unasked,
    facts: await factsOf({ options, flow, outside }, asContacts),
  }));
  const items = () => contactItems(listed, run.outside.context.signal);
  const newFields = options.createContacts ? newFieldsOf(asContacts, facts) : [];
  const checked = enrollFindings({
    survey: asContacts,
    facts,
    unasked,
    options: contactOptions(options, flow?.audience.id),
    newPeople: await countNewPeople(facts, asContacts, items),
    newFields,
    creates: false,
    flow: flow?.automation,
    createContacts: options.createContacts,
  });
  const plan = planOf(run, { survey: asContacts, people: people.toEnroll, newFields });
  const findings = withWholeCommands(checked, run.outside.retype);
  return { ...listed, facts, asContacts, before: people.before, plan, findings, items };
}

/**
 * The draft once contacts were written. Who was enrolled before and is refused as a contact now has the refusal as its
 * fate, and no other.
 */
export async function recounted(drafted: EnrollDraft, memory: DedupeStore | undefined): Promise<EnrollDraft> {
  const refused = memory && drafted.before > 0 ? refusedRows(memory.journal) : undefined;
  if (!memory || !refused?.size) {
    return drafted;
  }
  const { signal } = new AbortController();
  return { ...drafted, before: (await countPeople(memory, drafted, signal)).before };
}

/** People to send a request for, in this run or an earlier part of it, and those whom another run enrolled. */
async function countPeople(memory: DedupeStore | undefined, listed: Listed, signal: AbortSignal) {
  const refused = memory ? refusedRows(memory.journal) : new Set<string>();
  let toEnroll = 0;
  let before = 0;
  for await (const person of candidates(listed, signal)) {
    const known = memory !== undefined && isEnrolledBefore(memory, person);
    before += known && !refused.has(rowKey(person)) ? 1 : 0;
    toEnroll += known ? 0 : 1;
  }
  return { toEnroll, before };
}

function surveyOfContacts({ survey, typed }: Listed): Survey {
  const count = survey.enrollable + typed.people.length;
  return { ...survey, contacts: count, unsubscribed: 0, batches: Math.ceil(count / LIMITS.batchItems) };
}

type FactsAsked = Pick<Drafting, 'options' | 'flow' | 'outside'>;

function factsOf({ options, flow, outside }: FactsAsked, survey: Survey): Promise<Facts | undefined> {
  const { account, context } = outside;
  if (!options.createContacts || !account || !flow) {
    return Promise.resolve(undefined);
  }
  const question = { target: flow.audience, survey, options: contactOptions(options, flow.audience.id) };
  return gatherFacts({ client: account.client, ...context }, question);
}

/** Only who is to be enrolled becomes a contact; none of them carries a status (rule C1). */
async function* contactItems({ survey, people, typed }: Listed, signal: AbortSignal): AsyncGenerator<ContactItem> {
  for await (const item of contacts(survey, people, { signal })) {
    if (item.contact.status === undefined) {
      yield item;
    }
  }
  for (const { source, line, email } of typed.people) {
    yield { source, line, contact: { email } };
  }
}

interface Extent {
  readonly survey: Survey;
  readonly people: number;
  readonly newFields: readonly string[];
}

// The look-up of the flow and its audience; with contacts, what an import reads before and after its first batch.
const READS = { enroll: 3, contacts: 10 } as const;

function planOf({ options, outside }: Drafting, { survey, people, newFields }: Extent): Plan {
  const writes = options.createContacts;
  const batches = writes ? survey.batches : 0;
  const requests = people + batches + READS.enroll + (writes ? READS.contacts : 0);
  return {
    suppressions: {},
    contacts: writes ? survey.contacts : 0,
    unsubscribed: 0,
    batches,
    requests,
    estimated_seconds: estimateSeconds(requests, outside.budget),
    keys: writes ? survey.keys : {},
    new_fields: newFields,
    enrollments: people,
  };
}

/** What the checks of an enrolment judge by: as for an import, and the flow. */
interface EnrollCheckContext extends Known {
  /** Undefined where the account wasn't asked. */
  readonly flow: Automation | undefined;
  readonly createContacts: boolean;
}

/** All findings, stops first. Those about an audience only where contacts are written (rule M7). */
function enrollFindings(known: EnrollCheckContext): Finding[] {
  const survey = { ...known.survey, findings: known.survey.findings.map(adjustForEnrolling) };
  const findings = known.createContacts
    ? runChecks({ ...known, survey })
    : [...survey.findings, keyOf(known), failures(known)];
  return inOrder([automationFinding(known), ...findings]);
}

/** Nobody without a state is enrolled and no date is written: neither is a reason to stop. */
function adjustForEnrolling(finding: Finding): Finding {
  const stops = finding.level === 'stop';
  return stops && ['no_status', 'ambiguous_dates'].includes(finding.check) ? { ...finding, level: 'warn' } : finding;
}

function keyOf(known: EnrollCheckContext): Finding {
  return known.flow ? { check: 'key', level: 'pass', message: 'the key reads this account' } : key(known);
}
