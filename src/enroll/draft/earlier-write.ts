import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { findContactLedger } from '../../ledgers/open-contact-ledger.ts';
import { hasListOf } from '../../migrate/contact-ledger/lost-ledger.ts';
import { type EarlierImport, findEarlierImport } from '../../runs/find/earlier-import.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import { tryReadRun } from '../../runs/store/open-journal.ts';
import type { EnrollmentTarget } from './automation.ts';
import { isEnrollmentIn } from './checks/lost-ledger.ts';

/**
 * The newest finished run that wrote this list, or an earlier version, as contacts, so that this run brings back people
 * who were deleted since. The run can be an import. Runs whose people svc leaves out do not count (G1).
 */
export function findEarlierWrite(run: EnrollmentTarget): EarlierImport | undefined {
  const { options, resumed, automationTarget, stateFolder, journal } = run;
  if (resumed || !options.createContacts || !automationTarget) {
    return undefined;
  }
  const { origin } = journal.header;
  const { audience, automation } = automationTarget;
  const isEnrollment = isEnrollmentIn({ origin, automationId: automation.id });
  const ledger = findContactLedger({ stateFolder, origin, audienceId: audience.id });
  // svc skips the people whom it enrolled in this automation, and looks up the people of the contact ledger. With
  // --reenroll the record of the enrolled people may be lost.
  const isKnown = (earlier: RunSummary) =>
    (!options.reenroll && isEnrollment(earlier) && hasEnrolledAll(stateFolder, earlier)) ||
    (ledger !== undefined && hasListOf(ledger, stateFolder, earlier.run));
  try {
    return findEarlierImport(listReadableRuns(stateFolder), journal.header, isKnown);
  } finally {
    ledger?.close();
  }
}

/**
 * True if an enrollment enrolled all people whom it wrote as contacts, or may have. No ledger has the others, such as
 * those whom the filter of the automation left out. So they come back if they were deleted since.
 */
function hasEnrolledAll(stateFolder: string, { run }: RunSummary): boolean {
  const left = tryReadRun(stateFolder, run, (journal) => {
    const [written, enrolled] = [journal.counts('contacts'), journal.counts('enrollment')];
    const lasting = sumOf(LASTING_OUTCOMES.map((outcome) => enrolled.outcomes[outcome] ?? 0));
    const mayBeEnrolled = lasting + enrolled.doubt + enrolled.pending;
    return written.created + written.updated + written.doubt + written.pending - mayBeEnrolled;
  });
  return left !== undefined && left <= 0;
}
