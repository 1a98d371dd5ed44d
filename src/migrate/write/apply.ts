import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { findContactLedger, openContactLedger } from '../../runs/contact-ledger.ts';
import { markOvertaken } from '../../runs/find/overtaken.ts';
import { refuseUnresolved } from '../canary/earlier-runs.ts';
import { beginList, finishList } from '../changes/finish-list.ts';
import { writesOf } from '../options.ts';
import { newDestinationId } from '../prepare/open-run.ts';
import type { ImportDraft, OpenImport } from '../prepare/prepare.ts';
import { createSampler } from '../verify/sample.ts';
import { verify } from '../verify/verify.ts';
import { type WriteContext, writeContextOf } from '../write-context.ts';
import { applyContacts } from './contacts.ts';
import { createTarget } from './create-target.ts';
import { refuseOpenOptOuts } from './send-batch.ts';
import { applySuppressions } from './suppressions.ts';

/**
 * Carries out the plan in the order that the service document recommends: suppressions, contacts, verification. If
 * contacts read back differently, the ledger cannot be trusted, so it forgets all contents (G8).
 */
export async function applyPlan(run: OpenImport, drafted: ImportDraft): Promise<void> {
  const { options, journal, state, progress } = run;
  const context = writeContextOf(run, options);
  const audienceId = writesOf(options.command).contacts ? await audienceOf(context, run, drafted) : undefined;
  if (audienceId === undefined) {
    return write(context, run, drafted, undefined);
  }
  await refuseUnresolved(context, { state, audienceId });
  const { run: writer, destination } = journal.header;
  const audienceIds = [audienceId, newDestinationId(destination?.name ?? '')];
  markOvertaken(state, { run: writer, origin: context.origin, audienceIds });
  const place = { state, origin: context.origin, audienceId };
  const ledger = options.changes ? openContactLedger(place, context.randomHex) : findContactLedger(place);
  try {
    await write({ ...context, ledger }, run, drafted, audienceId);
    if (progress.verification.status === 'failed') {
      ledger?.forgetAll();
    }
  } catch (error) {
    if (error instanceof SvcError && error.exit === EXIT.unverified) {
      ledger?.forgetAll();
    }
    throw error;
  } finally {
    ledger?.close();
  }
}

/** Without an audience, no contacts are written. */
async function write(
  context: WriteContext,
  run: OpenImport,
  drafted: ImportDraft,
  audienceId: string | undefined,
): Promise<void> {
  const { options, journal, progress } = run;
  const writes = writesOf(options.command);
  const suppressed = writes.suppressions ? sumOf(Object.values(drafted.survey.suppressions)) : 0;
  if (suppressed > 0) {
    await applySuppressions(context, drafted.people, suppressed);
  }
  const sampler = createSampler(drafted.survey.contacts, options.verifySample);
  if (audienceId !== undefined && drafted.snapshot) {
    const { snapshot, survey, batches, changes } = drafted;
    const list = changes && beginList(context, { changes, survey });
    await applyContacts({ ...context, list }, { audienceId, batches, snapshot, survey, sampler });
  }
  if (options.verify) {
    const before = journal.read(TOTAL_BEFORE);
    const totalBefore = typeof before === 'number' ? before : undefined;
    const { unsubscribed } = drafted.survey;
    const expected = {
      audienceId,
      totalBefore,
      unsubscribed,
      suppressed,
      sample: sampler.items,
      contacts: drafted.items,
    };
    progress.verification = await verify(context, expected);
  }
  if (progress.verification.status === 'failed') {
    return;
  }
  if (audienceId !== undefined && drafted.changes) {
    await finishList(context, { audienceId, changes: drafted.changes, survey: drafted.survey });
  }
  refuseOpenOptOuts(context);
}

const TOTAL_BEFORE = 'total_before';

/**
 * The audience to write to. It is created now if --create-audience asks for it. Its size before the first write is
 * recorded.
 */
async function audienceOf(
  context: WriteContext,
  { target, journal, locks }: OpenImport,
  { snapshot }: ImportDraft,
): Promise<string> {
  const audience = target?.kind === 'create' ? await createTarget(context, target.name) : snapshot?.audience;
  if (!audience) {
    throw new SvcError(EXIT.usage, 'audience', 'no audience to write to');
  }
  await locks.acquire(audience.id);
  if (journal.read(TOTAL_BEFORE) === undefined) {
    journal.note(TOTAL_BEFORE, audience.contact_counts?.total ?? 0);
  }
  return audience.id;
}
