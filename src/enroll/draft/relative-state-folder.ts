import { EXIT, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { OpenRun } from '../../migrate/run-data/run-context.ts';
import { type EnrollmentPlace, hasLedgerWithPeople } from '../../runs/enrollment-places.ts';
import type { EnrollOptions } from './options.ts';

type NamedFolder = Pick<OpenRun<EnrollOptions>, 'stateFolder' | 'relativeStateFolder' | 'resumed' | 'account'>;

/**
 * Refuses the first enrollment in an automation if the state folder has a relative name. From another working folder
 * the same name means another folder, without the people whom svc enrolled before (M5). Once the folder has a ledger
 * with people, its name does not matter. An emulator inside the command has no people to protect.
 */
export function refuseRelativeStateFolder(run: NamedFolder, place: EnrollmentPlace): void {
  const { stateFolder, relativeStateFolder: name, resumed, account } = run;
  if (name === undefined || resumed || account?.isEphemeral || hasLedgerWithPeople(stateFolder, place)) {
    return;
  }
  const message = `nothing was sent: the state folder ${terminalSafe(name)} depends on the working folder, and ${terminalSafe(stateFolder)} has no record of people enrolled in ${terminalSafe(place.automationId)}`;
  const hint = [
    'If svc enrolled people in it before, name the state folder of that time.',
    'If this is the first time:',
    `${withoutFlags(['--state-dir'])} with --state-dir ${shellWord(stateFolder)}`,
  ].join('\n');
  throw new SvcError(EXIT.usage, 'relative_state_folder', message, { hint });
}
