import { EXIT, SvcError } from '../base/lib/errors.ts';
import { sumOf } from '../base/lib/rows.ts';
import { findContactLedger, openContactLedger } from '../ledgers/open-contact-ledger.ts';
import { type WriteContext, writeContextOf } from '../run-lifecycle/data/run-context.ts';
import { type ImportCommand, writeKindsOf } from '../run-lifecycle/data/run-options.ts';
import { recordAccount } from '../run-lifecycle/open/same-account.ts';
import { ONLY_OPT_OUTS_NOTE } from '../runs/find/run-status.ts';
import { countLookAlikes } from '../wire/person-key.ts';
import { SUPPRESSION_REASONS } from '../wire/service-words.ts';
import { applyContacts } from './apply-contacts.ts';
import { createTargetAudience, recordAudience } from './audience/create-audience.ts';
import { refuseUnreportedSameName } from './audience/same-name.ts';
import { refuseFailedRows } from './checks/failures.ts';
import { finishListImport, recordListBegin } from './contact-ledger/finish-list.ts';
import { noteOpenedLedger } from './contact-ledger/lost-ledger.ts';
import { refuseLeftSince } from './contact-ledger/people/left-since.ts';
import type { ImportDraft, OpenImport } from './draft/draft-import.ts';
import { readCanaryRecord } from './opt-outs/canary-record.ts';
import { refuseUnresolvedSignUps } from './opt-outs/earlier-sign-ups.ts';
import { overtakeWithoutRequest, withMarks } from './overtake-runs.ts';
import { createSampler } from './verify/sampler.ts';
import { verifyWrites } from './verify/verify.ts';
import { applySuppressions } from './write/apply-suppressions.ts';
import { refuseUnnamedFailures } from './write/batch-response.ts';
import { withOpenLedger } from './write/ledger-writes.ts';
import { refuseStillSubscribed } from './write/still-subscribed.ts';

/**
 * Carries out the plan in the order that the service document recommends: suppressions, contacts, verification. If the
 * verification fails, svc does not know what the audience holds, so the contact ledger forgets what it recorded (G8).
 */
export async function applyPlan(run: OpenImport, drafted: ImportDraft): Promise<void> {
  const { options, journal, stateFolder, progress } = run;
  const context = writeContextOf(run, options);
  const audienceId = writeKindsOf(options.command).writesContacts ? await audienceOf(context, run, drafted) : undefined;
  if (audienceId === undefined && suppressionCount(options.command, drafted) > 0) {
    return writeSuppressionsOnly(context, run, drafted);
  }
  if (audienceId === undefined) {
    return writeAndVerify(context, run, drafted, undefined);
  }
  await refuseUnresolvedSignUps(context, audienceId);
  // If the service signed people up before, the resume sends no batch. It only opts these people out again.
  const { signedUp, probes = [] } = readCanaryRecord(journal) ?? {};
  if (!signedUp) {
    const { ledgerComparison: lookUps, batches } = drafted;
    await refuseLeftSince(context, audienceId, { lookUps, batches, probes });
  }
  const { contacts, unsubscribed } = drafted.survey;
  // Not with --only-changed, --full or --gone: such a run also records missing people, and may unsubscribe them.
  journal.writeNote(ONLY_OPT_OUTS_NOTE, (contacts === unsubscribed && !options.changes) || undefined);
  const location = { stateFolder, origin: context.origin, audienceId, audienceName: journal.header.destination?.name };
  const damaged = drafted.ledgerComparison?.counts.lost?.damaged;
  const ledger = options.changes
    ? openContactLedger(location, context.randomHex, damaged)
    : findContactLedger(location);
  if (ledger && options.changes) {
    noteOpenedLedger(journal, ledger);
  }
  await withOpenLedger({ ledger, journal }, async () => {
    await withMarks(run, audienceId, (overtake) =>
      writeAndVerify({ ...context, ledger, overtake }, run, drafted, audienceId),
    );
    if (progress.verification.status === 'failed') {
      ledger?.forgetAllContent(journal.run);
    }
  });
}

/**
 * Writes only suppressions. At the same time it records an audience of the account. A resume with another API key uses
 * this audience to check whether the key belongs to the same account (K4).
 */
async function writeSuppressionsOnly(context: WriteContext, run: OpenImport, drafted: ImportDraft): Promise<void> {
  const ended = new AbortController();
  const recorded = recordAccount({ ...context, signal: AbortSignal.any([context.signal, ended.signal]) });
  try {
    await writeAndVerify(context, run, drafted, undefined);
  } finally {
    ended.abort();
    await recorded;
  }
}

/** Writes suppressions, and contacts if there is an audience. Verifies both, unless --no-verify is given. */
async function writeAndVerify(
  context: WriteContext,
  run: OpenImport,
  drafted: ImportDraft,
  audienceId: string | undefined,
): Promise<void> {
  const { options, journal, progress } = run;
  const suppressed = suppressionCount(options.command, drafted);
  if (suppressed > 0) {
    await applySuppressions(context, drafted.people, {
      total: suppressed,
      refuseFailures: () => refuseFailedRows(context, drafted.survey.rows),
    });
  }
  const sampler = createSampler(drafted.survey.contacts, options.verifySample, drafted.survey.unsubscribed);
  if (audienceId !== undefined && drafted.snapshot) {
    const { snapshot, survey, batches, ledgerComparison } = drafted;
    const ledgerListId = ledgerComparison && recordListBegin(context, { ledgerComparison, survey });
    await applyContacts({ ...context, ledgerListId }, { audienceId, batches, snapshot, survey, sampler });
    overtakeWithoutRequest(context, drafted.survey, audienceId);
  }
  if (options.verify) {
    const before = journal.readNote(TOTAL_BEFORE_NOTE);
    const totalBefore = typeof before === 'number' ? before : undefined;
    const { unsubscribed } = drafted.survey;
    const expected = {
      audienceId,
      totalBefore,
      unsubscribed,
      suppressed,
      suppressedLookAlikes: () => countLookAlikes(() => suppressedAddresses(drafted.people)),
      sample: sampler.items,
      contacts: drafted.contactItems,
    };
    progress.verification = await verifyWrites(context, expected);
  }
  if (progress.verification.status === 'failed') {
    return;
  }
  if (audienceId !== undefined && drafted.ledgerComparison) {
    await finishListImport(context, { audienceId, ledgerComparison: drafted.ledgerComparison, survey: drafted.survey });
  }
  refuseStillSubscribed(context);
  refuseUnnamedFailures(context);
}

function* suppressedAddresses(people: ImportDraft['people']): Generator<string> {
  for (const reason of SUPPRESSION_REASONS) {
    yield* people.suppressions(reason).map(({ email }) => email);
  }
}

function suppressionCount(command: ImportCommand, { survey }: ImportDraft): number {
  return writeKindsOf(command).writesSuppressions ? sumOf(Object.values(survey.suppressions)) : 0;
}

const TOTAL_BEFORE_NOTE = 'total_before';

/**
 * Returns the id of the audience to write to. With --create-audience, svc creates the audience first. Also records its
 * number of contacts, for the verification.
 */
async function audienceOf(
  context: WriteContext,
  { target, journal, locks }: OpenImport,
  { snapshot }: ImportDraft,
): Promise<string> {
  const audience = target?.kind === 'create' ? await createTargetAudience(context, target.name) : snapshot?.audience;
  if (!audience) {
    throw new SvcError(EXIT.usage, 'audience', 'no audience to write to');
  }
  await locks.acquire(audience.id);
  if (journal.header.destination?.kind === 'new audience') {
    // An earlier process created the audience and lost the response. svc records the audience now, so that the run can
    // continue only with this one (K4).
    recordAudience({ ...context, op: 'audience', rows: [] }, audience);
  }
  await refuseUnreportedSameName(context, audience);
  if (journal.readNote(TOTAL_BEFORE_NOTE) === undefined) {
    journal.writeNote(TOTAL_BEFORE_NOTE, audience.contact_counts?.total ?? 0);
  }
  return audience.id;
}
