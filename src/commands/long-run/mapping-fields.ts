import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe, shellWord } from '../../base/lib/text.ts';
import type { ImportCommand } from '../../migrate/options.ts';
import type { Invocation } from '../framework/invocation.ts';
import { flagsOf, programName } from '../framework/output/command-to-paste.ts';
import { DEFAULT_MAX_FAILURES, DEFAULT_MAX_NEW_FIELDS, type ImportFlags } from './import-flags.ts';

/** The options that a mapping file stores, by their name in the file. Values are as typed for the flag. */
export const FIELDS = {
  audience: 'audience',
  audience_name: 'audienceName',
  from: 'from',
  map: 'map',
  status_map: 'statusMap',
  default_status: 'defaultStatus',
  attributes: 'attributes',
  topic_value: 'topicValue',
  max_new_fields: 'maxNewFields',
  max_failures: 'maxFailures',
  timezone: 'timezone',
  date_order: 'dateOrder',
  encoding: 'encoding',
  delimiter: 'delimiter',
  quote: 'quote',
  escape: 'escape',
  empty: 'empty',
  duplicates: 'duplicates',
  allow_joined_files: 'allowJoinedFiles',
  reason: 'reason',
  allow_automation: 'allowAutomation',
} as const satisfies Readonly<Record<string, keyof ImportFlags>>;

/** Fields that hold a list of texts. */
export const LIST_FIELDS: readonly string[] = [
  'map',
  'status_map',
  'default_status',
  'topic_value',
  'allow_automation',
];

/** The commands that take --mapping. */
export type MappingCommand = ImportCommand | 'contacts check' | 'automations enroll';

const REASON = 'it says that every person of the list must be suppressed';
const FLOW = 'the automation decides the audience';
const WHOLE_ACCOUNT = 'a suppression holds in the whole account, not in one audience';
/** The command does not do what this limit or permission is about, so it may ignore the field. */
const HARMLESS = undefined;

/** The fields for which a command has no flag, and why it refuses them. */
export const WITHOUT_FLAG: Readonly<
  Record<MappingCommand, Readonly<Partial<Record<keyof typeof FIELDS, string | undefined>>>>
> = {
  migrate: { reason: REASON },
  'contacts import': { reason: REASON },
  'contacts check': { reason: REASON, allow_automation: HARMLESS, max_new_fields: HARMLESS },
  'automations enroll': { reason: REASON, audience: FLOW, audience_name: FLOW },
  'suppressions import': {
    audience: WHOLE_ACCOUNT,
    audience_name: WHOLE_ACCOUNT,
    allow_automation: HARMLESS,
    max_new_fields: HARMLESS,
  },
};

interface MappingUse extends Pick<Invocation<unknown>, 'context' | 'line' | 'isTyped'> {
  readonly file: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/**
 * Refuses a field for which the command has no flag, if obeying it would suppress people (C5), or ignoring it would
 * write to another place than the file says.
 */
export function refuseFieldsOfOthers(command: MappingCommand, mapping: MappingUse): void {
  const wrong = Object.entries(WITHOUT_FLAG[command]).find(([name, why]) => why !== HARMLESS && name in mapping.file);
  if (wrong) {
    const [name, why] = wrong;
    const message = `--mapping ${safe(mapping.path)}: "${name}" does not apply to ${command}: ${why}`;
    throw new SvcError(EXIT.usage, 'mapping', message, {
      hint: `Delete it from the file, or give the other answers as flags:\n${lineWithoutMapping(command, mapping)}`,
    });
  }
}

// Each saved mapping has these fields, mostly with their default values.
const DEFAULTS: Readonly<Record<string, unknown>> = {
  from: 'auto',
  empty: 'keep',
  duplicates: 'merge',
  max_failures: DEFAULT_MAX_FAILURES,
  max_new_fields: DEFAULT_MAX_NEW_FIELDS,
};

/** The command with the answers of the file as flags, in the place of --mapping. */
function lineWithoutMapping(command: MappingCommand, { file, line, isTyped, context }: MappingUse): string {
  const words = Object.entries(FIELDS).flatMap(([name, flag]) => {
    const isOverruled = isTyped(flag) && !LIST_FIELDS.includes(name);
    const value = file[name] === DEFAULTS[name] || name in WITHOUT_FLAG[command] || isOverruled ? false : file[name];
    const word = `--${name.replaceAll('_', '-')}`;
    return typeof value === 'boolean'
      ? [word].filter(() => value)
      : [value].flat().flatMap((one) => [word, String(one)]);
  });
  const given = flagsOf(line);
  // Of two answers to one question the later one counts. So the answers stand before those that were typed.
  const at = given.findIndex((word) => ANSWER.test(word));
  const rest = given.slice(at).filter((word, index, all) => !isMapping(word) && all[index - 1] !== MAPPING);
  const whole = [...given.slice(0, at), ...words, ...rest, ...line.slice(given.length)];
  return [programName(context), ...whole.map(shellWord)].join(' ');
}

const MAPPING = '--mapping';
const ANSWER = /^--(?:mapping|map|status-map|default-status|topic-value|allow-automation)(?:=|$)/;

function isMapping(word: string): boolean {
  return word === MAPPING || word.startsWith(`${MAPPING}=`);
}
