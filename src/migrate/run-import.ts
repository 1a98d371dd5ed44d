import { resolve } from 'node:path';
import { ApiError, isNotFound } from '../api/http/api-error.ts';
import { EXIT } from '../base/lib/errors.ts';
import { createListThread } from '../import/batch/list-thread.ts';
import { statsOf } from '../import/source/input-changes.ts';
import type { PlannedAudience, RunContext } from '../run-lifecycle/data/run-context.ts';
import { type AudienceTarget, type ImportOptions, writeKindsOf } from '../run-lifecycle/data/run-options.ts';
import type { RowCounts } from '../run-lifecycle/data/run-report.ts';
import type { RunResult } from '../run-lifecycle/end/end-run.ts';
import { newAudienceLockName, type RunLocks } from '../run-lifecycle/open/locks.ts';
import { planAndApplyRun, withOpenRun } from '../run-lifecycle/run-lifecycle.ts';
import { readListedRun } from '../runs/store/open-journal.ts';
import { readCreationRecord } from '../sending/creation-record.ts';
import { applyPlan } from './apply-plan.ts';
import { refuseSecondAudience } from './audience/renamed-audience.ts';
import { destinationOf, findTargetAudience } from './audience/target.ts';
import { checkAllowedAutomations } from './checks/automations.ts';
import { draftImport, type ImportDraft, type OpenImport } from './draft/draft-import.ts';
import { currentReport, finishImport } from './finish-import.ts';

/**
 * Runs one import: survey, plan, suppressions, canary, contacts, verification, report. `resume` is the id of a run to
 * continue. Throws a problem that occurs before the plan exists. The report has any later problem.
 */
export async function runImport(options: ImportOptions, context: RunContext, resume?: string): Promise<RunResult> {
  const targetOptions = { ...options.target, resumed: resume === undefined ? undefined : creationOf(resume, context) };
  const find = async (usableContext: RunContext, locks: RunLocks) => {
    if (resume === undefined) {
      await checkAllowedAutomations(options, usableContext);
    }
    const target = await lockTarget({ ...options, target: targetOptions }, usableContext, locks).catch(
      (error: unknown) => {
        throw resume ? audienceDeletedError(error) : error;
      },
    );
    if (target?.kind === 'create' && targetOptions.resumed !== 'created') {
      await refuseSecondAudience(usableContext, { name: target.name, resume });
    }
    return {
      locks,
      target,
      destination: target && destinationOf(target),
      options: withChosenAudience(options, target),
    };
  };
  const listThread = createListThread(context.signal);
  try {
    // The thread starts now, so that it loads its code while svc asks the account and copies the list.
    listThread.startForLongList(options.inputs.map((path) => Number(statsOf(resolve(context.cwd, path))?.size ?? 0)));
    if (!options.dryRun) {
      listThread.prepareBatches();
    }
    return await withOpenRun({ options, context, resume, find }, (run, { target, locks }) =>
      planAndApplyRun<OpenImport, ImportDraft, RowCounts>({ ...run, target, locks, listThread }, IMPORT_STEPS)
        // The thread is closed before the journal, because it reads the database of the run.
        .finally(() => listThread.close()),
    );
  } finally {
    await listThread.close();
  }
}

const IMPORT_STEPS = {
  draft: draftImport,
  audience: plannedAudience,
  report: currentReport,
  apply: (run: OpenImport, drafted: ImportDraft) =>
    applyPlan(run, drafted).catch((error: unknown) => {
      throw audienceDeletedError(error);
    }),
  finish: finishImport,
};

function creationOf(runId: string, { stateFolder }: RunContext): NonNullable<ImportOptions['target']['resumed']> {
  const created = readListedRun(stateFolder, runId, (journal) => readCreationRecord({ journal })?.recorded);
  return created === undefined ? 'not created' : 'created';
}

/** Stores in the options the audience that the user chose at the terminal, so that a resume does not ask again. */
function withChosenAudience(options: ImportOptions, target: AudienceTarget | undefined): ImportOptions {
  return target?.kind === 'found' && target.isChosenByUser
    ? { ...options, target: { ...options.target, id: target.audience.id, name: undefined, create: false } }
    : options;
}

function plannedAudience({ target, options }: OpenImport, { snapshot }: ImportDraft): PlannedAudience | undefined {
  if (target?.kind === 'create') {
    return { name: target.name, contacts: 0, isNew: true };
  }
  const { name } = options.target;
  if (!target && name !== undefined) {
    return { name, contacts: undefined, isNew: false };
  }
  const audience = snapshot?.audience ?? target?.audience;
  return audience && { name: audience.name, contacts: audience.contact_counts?.total, isNew: false };
}

/**
 * Finds the audience to write to. Undefined for a dry run without an account, and for `suppressions import`:
 * suppressions belong to the account.
 */
async function resolveTarget(
  options: ImportOptions,
  { account, signal, questioner }: RunContext,
): Promise<AudienceTarget | undefined> {
  if (!account || !writeKindsOf(options.command).writesContacts) {
    return undefined;
  }
  return findTargetAudience({ client: account.client, signal, questioner }, options.target);
}

/**
 * Finds and locks the audience. With --create-audience it locks the name first, so that two runs do not both create the
 * audience. A dry run locks nothing.
 */
async function lockTarget(
  options: ImportOptions,
  context: RunContext,
  locks: RunLocks,
): Promise<AudienceTarget | undefined> {
  const { create, name } = options.target;
  if (!options.dryRun && create && name !== undefined) {
    await locks.acquire(newAudienceLockName(name));
  }
  const target = await resolveTarget(options, context);
  if (!options.dryRun) {
    await locks.acquire(lockOf(target));
  }
  return target;
}

function lockOf(target: AudienceTarget | undefined): string {
  if (!target) {
    return 'suppressions';
  }
  return target.kind === 'found' ? target.audience.id : newAudienceLockName(target.name);
}

/**
 * Returns a 404 as an error with exit 7, and other errors unchanged. This run found the audience before, so a 404 means
 * that it was deleted since, and not that the id is wrong.
 */
export function audienceDeletedError(error: unknown): unknown {
  if (!isNotFound(error)) {
    return error;
  }
  return new ApiError(
    { ...error.refusal, message: `the audience of this run no longer exists: ${error.refusal.message}` },
    EXIT.stopped,
  );
}
