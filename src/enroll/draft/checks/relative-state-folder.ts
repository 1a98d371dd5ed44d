import type { Finding } from '../../../base/finding.ts';
import { shellWord, terminalSafe } from '../../../base/lib/text.ts';
import { hasLedgerWithPeople } from '../../../ledgers/enrollment-places.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import type { EnrollOptions } from '../enroll-options.ts';

type NamedFolder = Pick<OpenRun<EnrollOptions>, 'stateFolder' | 'relativeStateFolder' | 'resumed' | 'account'>;

/**
 * Warns before the first enrollment in an automation if the state folder has a relative name. From another working
 * folder the same name means another folder, without the people whom svc enrolled before (M5). Once the folder has a
 * ledger with people, its name does no harm. An emulator inside the command has no people to protect.
 */
export function relativeStateFolderFindings(run: NamedFolder, automationId: string | undefined): readonly Finding[] {
  const { stateFolder, relativeStateFolder: name, resumed, account } = run;
  if (name === undefined || automationId === undefined || resumed || !account || account.isEphemeral) {
    return [];
  }
  if (hasLedgerWithPeople(stateFolder, { origin: account.origin, automationId })) {
    return [];
  }
  const message = `the state folder ${terminalSafe(name)} depends on the working folder, and ${terminalSafe(stateFolder)} has no record of people enrolled in this automation. If svc enrolled people in it from another working folder, they are enrolled again`;
  const hint = `If svc enrolled people before, give the state folder of that time by its absolute path. If not, always use this one: --state-dir ${shellWord(stateFolder)}`;
  return [{ check: 'relative_state_folder', level: 'warn', message, hint }];
}
