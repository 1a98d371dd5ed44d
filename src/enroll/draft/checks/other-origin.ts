import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { shellWord, terminalSafe } from '../../../base/lib/text.ts';
import { type EnrollmentPlace, findLedgersElsewhere, hasLedgerWithPeople } from '../../../ledgers/enrollment-places.ts';
import { listRuns } from '../../../runs/find/list-runs.ts';
import { hintForOrigin } from '../../../runs/find/next-commands.ts';
import { commandToDelete } from '../../../runs/find/run-status.ts';
import type { RunSummary } from '../../../runs/find/summarize-run.ts';
import { tryReadRun } from '../../../runs/store/open-journal.ts';
import { ENROLL_COMMAND } from '../enroll-options.ts';
import { isEnrollmentIn } from './lost-ledger.ts';

interface OwnRun extends EnrollmentPlace {
  readonly stateFolder: string;
  readonly ownRun: string;
  /** True if an earlier command began the run. Then its base URL can't change. */
  readonly resumed: boolean;
}

/**
 * Refuses an automation into which svc enrolled people under another base URL, such as `localhost` for `127.0.0.1`. The
 * id of an automation is unique, so it is the same service. But the records and the idempotency keys of svc depend on
 * the base URL: svc would enroll these people again (M5).
 */
export function refuseOtherOrigin({ stateFolder, ownRun, resumed, ...place }: OwnRun): void {
  const runs = listRuns(stateFolder);
  // Leaves out a run that can't be read now. A different check reports it, and a resume must not fail because of it.
  const earlier = runs.filter(
    (run) => run.run !== ownRun && run.origin !== place.origin && isEnrollmentIn({ ...place, origin: run.origin })(run),
  );
  const knownOrigins = [...new Set(runs.map(({ origin }) => origin))].filter((origin) => origin !== place.origin);
  const enrollments = runs.filter(({ command }) => command === ENROLL_COMMAND).map(placeOf);
  const ledgers = findLedgersElsewhere(stateFolder, place, { origins: knownOrigins, enrollments });
  const [newest] = [...earlier, ...ledgers];
  if (newest) {
    const commands = earlier.map(
      ({ run }) => tryReadRun(stateFolder, run, commandToDelete) ?? `svc runs delete ${run}`,
    );
    const files = ledgers.map(({ path }) => shellWord(path));
    const other = shownOrigin(newest.origin);
    const message = `nothing was sent: svc enrolled people in ${terminalSafe(place.automationId)} under ${other} before, and would not recognize them under ${shownOrigin(place.origin)}`;
    const hint = [
      hasLedgerWithPeople(stateFolder, place)
        ? 'svc has records under both, and neither has the people of the other. So it refuses both.'
        : stepFor(newest.origin, resumed),
      'Only if that was another service, delete its records:',
      ...commands,
      ...(files.length > 0 ? [`rm ${files.join(' ')}`] : []),
    ].join('\n');
    throw new SvcError(EXIT.refused, 'other_base_url', message, { hint });
  }
}

function placeOf({ origin, destinationId }: RunSummary): EnrollmentPlace {
  return { origin, automationId: destinationId ?? '' };
}

function stepFor(origin: string, resumed: boolean): string {
  return resumed
    ? `To enroll the rest of its list there: the command of this run, for ${shownOrigin(origin)}`
    : (hintForOrigin(origin) ?? 'To continue there, give the same command --emulator-data with the folder of before.');
}

/** An origin in a message. */
export function shownOrigin(origin: string): string {
  return origin.startsWith('emulator:') ? 'an emulator (--emulator-data)' : terminalSafe(origin);
}
