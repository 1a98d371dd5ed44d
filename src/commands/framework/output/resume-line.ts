import { setResumeLine } from '../../../base/lib/interruption.ts';
import { type RunSummary, summarizeRun } from '../../../runs/find/summarize-run.ts';
import type { Invocation } from '../invocation.ts';
import { isTemporaryAccount } from '../settings/account.ts';
import { resolveStateFolder } from '../settings/settings.ts';
import { withPasteableLastCommand } from './command-to-paste.ts';

/**
 * Prepares the line that says how to continue (D1). svc prints it if a second Ctrl-C ends the process before the
 * result, and if `canContinue` is true for the run. svc then reads the record of the run again, because the journal may
 * be closed already. With --json there is no such line, because stderr must hold one object only. A temporary emulator
 * ends with the command, so nothing can be continued there.
 */
export function prepareResumeLine(
  { context, settings, argv }: Pick<Invocation<unknown>, 'context' | 'settings' | 'argv'>,
  run: string,
  canContinue: (summary: RunSummary) => boolean,
): void {
  if (settings.output.json || isTemporaryAccount(settings)) {
    return;
  }
  const stateFolder = resolveStateFolder(context, settings);
  setResumeLine(context.signal, () =>
    canContinue(summarizeRun(stateFolder, run))
      ? withPasteableLastCommand(`To continue: svc runs resume ${run}`, argv, context)
      : undefined,
  );
}

/**
 * Prepares the line for a run that creates one object. Such a run can be continued once its request is recorded, and
 * until its result is stored and shown.
 */
export function prepareCreationLine(invocation: Invocation<unknown>, run: string): void {
  prepareResumeLine(invocation, run, ({ finished, unknown }) => finished === false && unknown > 0);
}
