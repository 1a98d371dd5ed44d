import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { refuseUnresolved } from '../canary/record.ts';
import { writesOf } from '../options.ts';
import type { Drafted, OpenImport } from '../prepare/prepare.ts';
import { createSampler } from '../verify/sample.ts';
import { verify } from '../verify/verify.ts';
import { type Work, workOf } from '../work.ts';
import { applyContacts } from './contacts.ts';
import { createTarget } from './create-target.ts';
import { applySuppressions } from './suppressions.ts';

/** Carries out the plan in the order that the service document recommends: suppressions, contacts, verification. */
export async function applyPlan(run: OpenImport, drafted: Drafted): Promise<void> {
  const { options, journal, state } = run;
  const work = workOf(run, options);
  const writes = writesOf(options.command);
  const audienceId = writes.contacts ? await audienceOf(work, run, drafted) : undefined;
  if (audienceId !== undefined) {
    refuseUnresolved({ state, journal, audienceId });
  }
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
    run.progress.verification = await verify(work, expected);
  }
}

const TOTAL_BEFORE = 'total_before';

/**
 * The audience to write to. It is created now if --create-audience asks for it. Its size before the first write is
 * recorded.
 */
async function audienceOf(work: Work, { target, journal, locks }: OpenImport, { facts }: Drafted): Promise<string> {
  const audience = target?.kind === 'create' ? await createTarget(work, target.name) : facts?.audience;
  if (!audience) {
    throw new SvcError(EXIT.usage, 'audience', 'no audience to write to');
  }
  await locks.acquire(audience.id);
  if (journal.read(TOTAL_BEFORE) === undefined) {
    journal.note(TOTAL_BEFORE, audience.contact_counts?.total ?? 0);
  }
  return audience.id;
}

function distinctSuppressions({ survey }: Drafted): number {
  return Object.values(survey.suppressions).reduce((sum, count) => sum + count, 0);
}
