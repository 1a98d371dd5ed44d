import type { Command, Option } from 'commander';
import { AUTOMATION_STATUSES, CONTACT_STATUSES, EVENT_TYPES } from '../../wire/words.ts';
import { HELP_TOPICS } from '../help/help.ts';

const ROW_STATES = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'complained', 'suppressed', 'skip'];

/** Values of `--status`, by the command that has it. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  'contacts ls': CONTACT_STATUSES,
  'contacts export': CONTACT_STATUSES,
  'automations ls': AUTOMATION_STATUSES,
  'webhooks deliveries': ['delivered', 'failed', 'pending'],
};

/** The known values of a flag. `current` is the part of the value that was typed. */
export async function knownValues(option: Option, command: Command, current: string): Promise<readonly string[]> {
  switch (option.flags) {
    // `emails send` has a --from too, which takes an address.
    case '--from <platform>':
      return ['auto', ...(await import('../../platforms/registry.ts')).platformIds()];
    case '--default-status <[file=]state>':
    case '--status-map <word=state>':
      return afterWord(current, ROW_STATES);
    case '--status <status>':
      return STATUSES[`${command.parent?.name()} ${command.name()}`] ?? [];
    case '--event <type>':
    case '--add-event <type>':
    case '--remove-event <type>':
      return EVENT_TYPES;
    case '--attributes <columns>':
      return ['all', 'none'];
    default:
      return option.argChoices ?? [];
  }
}

/** `aktiv=sub` is completed behind its last `=`. */
function afterWord(current: string, states: readonly string[]): string[] {
  const word = current.slice(0, current.lastIndexOf('=') + 1);
  return states.map((state) => word + state);
}

/** What `svc help` takes next: the commands at the words that were typed, and first of all the topics. */
export function helpWords(program: Command, typed: readonly string[]): string[] {
  const at = typed.reduce<Command | undefined>(
    (command, word) => command?.commands.find((child) => child.name() === word),
    program,
  );
  const names = (at?.commands ?? []).map((child) => child.name()).filter((name) => !name.startsWith('_'));
  return typed.length === 0 ? [...names, ...HELP_TOPICS] : names;
}
