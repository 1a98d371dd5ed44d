import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { findContactLedger, openContactLedger } from '../../runs/contact-ledger.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { refuseUnresolved } from '../canary/record.ts';
import { finishList } from '../changes/finish-list.ts';
import type { RunContext } from '../context.ts';
import { type ImportOptions, writesOf } from '../options.ts';
import type { RunPhase } from '../phase.ts';
import type { Hold } from '../prepare/hold.ts';
import type { Drafted } from '../prepare/prepare.ts';
import type { Target } from '../prepare/target.ts';
import { createSampler } from '../verify/sample.ts';
import { verify } from '../verify/verify.ts';
import type { Work } from '../work.ts';
import { applyContacts } from './contacts.ts';
import { createTarget } from './create-target.ts';
import { applySuppressions } from './suppressions.ts';

interface Applying {
  readonly options: ImportOptions;
  readonly outside: RunContext;
  readonly target: Target | undefined;
  readonly hold: Hold;
  readonly journal: Journal;
  readonly drafted: Drafted;
  readonly stage: RunPhase;
}

/**
 * Carries out the plan in the order that the service document recommends: suppressions, contacts, verification. If the
 * service reads back differently, no acceptance of the ledger can be trusted (G8).
 */
export async function applyPlan(run: Applying): Promise<void> {
  const { options, journal, outside } = run;
  const work = workOf(run);
  const audienceId = writesOf(options.command).contacts ? await audienceOf(work, run) : undefined;
  if (audienceId === undefined) {
    return write(run, work, undefined);
  }
  refuseUnresolved({ state: outside.state, journal, audienceId });
  const place = { state: outside.state, origin: work.origin, audienceId };
  const ledger = options.changes ? openContactLedger(place, work.randomHex) : findContactLedger(place);
  try {
    await write(run, { ...work, ledger }, audienceId);
    if (run.stage.verification.status === 'failed') {
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

async function write(run: Applying, work: Work, audienceId: string | undefined): Promise<void> {
  const { options, drafted, journal, stage } = run;
  const writes = writesOf(options.command);
  const suppressed = writes.suppressions ? distinctSuppressions(drafted) : 0;
  if (suppressed > 0) {
    await applySuppressions(work, drafted.people, suppressed);
  }
  const sampler = createSampler(drafted.survey.contacts, options.verifySample);
  if (audienceId !== undefined && drafted.facts) {
    const { facts, survey, batches } = drafted;
    await applyContacts(work, { audienceId, batches, facts, survey, sampler });
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
    stage.verification = await verify(work, expected);
  }
  if (audienceId !== undefined && drafted.changes && stage.verification.status !== 'failed') {
    await finishList(work, { audienceId, changes: drafted.changes, survey: drafted.survey });
  }
}

const TOTAL_BEFORE = 'total_before';

/** What the phases that write need of the run. */
export function workOf({
  outside,
  journal,
  options,
  stage,
}: Pick<Applying, 'outside' | 'journal' | 'options' | 'stage'>): Work {
  const { account, context } = outside;
  if (!account) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'no account to write to');
  }
  const { client, origin } = account;
  const again = againOf(options, journal, outside);
  return {
    client,
    origin,
    journal,
    options,
    again,
    clock: context.clock,
    randomHex: context.randomHex,
    emit: stage.emit,
    signal: context.signal,
  };
}

/**
 * --again takes new keys on purpose. So does --only-changed, because a replay of an earlier run would not write what
 * changed since (G5). The suffix is recorded, so retries and a resume use the same keys.
 */
function againOf(options: ImportOptions, journal: Journal, outside: RunContext): string | undefined {
  if (!options.again && !options.changes) {
    return undefined;
  }
  const recorded = journal.read('again');
  if (typeof recorded === 'string') {
    return recorded;
  }
  const again = outside.context.randomHex(8);
  journal.note('again', again);
  return again;
}

/**
 * The audience to write to. It is created now if --create-audience asks for it. Its size before the first write is
 * recorded.
 */
async function audienceOf(work: Work, { target, journal, drafted, hold, outside }: Applying): Promise<string> {
  const creator = { ...work, keyFingerprint: outside.account?.keyFingerprint ?? '' };
  const audience = target?.kind === 'create' ? await createTarget(creator, target.name) : drafted.facts?.audience;
  if (!audience) {
    throw new SvcError(EXIT.usage, 'audience', 'no audience to write to');
  }
  await hold.take(audience.id);
  if (journal.read(TOTAL_BEFORE) === undefined) {
    journal.note(TOTAL_BEFORE, audience.contact_counts?.total ?? 0);
  }
  return audience.id;
}

function distinctSuppressions({ survey }: Drafted): number {
  return Object.values(survey.suppressions).reduce((sum, count) => sum + count, 0);
}
