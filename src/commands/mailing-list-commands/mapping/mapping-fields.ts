import type { ImportCommand } from '../../../run-lifecycle/data/run-options.ts';
import type { ImportFlags } from '../flags/import-flags.ts';

/**
 * The fields of a mapping file (--mapping), and the flag for each. The file has each value as the user would type it,
 * with two exceptions: `max_new_fields` is a number, and `allow_joined_files` is true or false.
 */
export const MAPPING_FILE_FIELDS = {
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
  allow_heading: 'allowHeading',
  allow_legend: 'allowLegend',
  allow_blanks: 'allowBlanks',
  reason: 'reason',
  allow_automation: 'allowAutomation',
} as const satisfies Readonly<Record<string, keyof ImportFlags>>;

/** Fields whose value is a list of texts. */
export const LIST_FIELDS: readonly string[] = [
  'map',
  'status_map',
  'default_status',
  'topic_value',
  'allow_automation',
  'allow_heading',
  'allow_legend',
  'allow_blanks',
];

export type MappingCommand = ImportCommand | 'contacts check' | 'automations enroll';

const REASON = 'it says that every person of the list must be suppressed';
const DECIDED_BY_AUTOMATION = 'the automation decides the audience';
const WHOLE_ACCOUNT = 'a suppression holds in the whole account, not in one audience';
/**
 * Marks a field in the table below that the command may ignore, because it only limits or allows something that this
 * command never does.
 */
export const MAY_BE_IGNORED = undefined;

/** The fields for which a command has no flag. Each has the reason why the command refuses it, or `MAY_BE_IGNORED`. */
export const FIELDS_WITHOUT_FLAG: Readonly<
  Record<MappingCommand, Readonly<Partial<Record<keyof typeof MAPPING_FILE_FIELDS, string | undefined>>>>
> = {
  migrate: { reason: REASON },
  'contacts import': { reason: REASON },
  'contacts check': { reason: REASON, allow_automation: MAY_BE_IGNORED, max_new_fields: MAY_BE_IGNORED },
  'automations enroll': { reason: REASON, audience: DECIDED_BY_AUTOMATION, audience_name: DECIDED_BY_AUTOMATION },
  'suppressions import': {
    audience: WHOLE_ACCOUNT,
    audience_name: WHOLE_ACCOUNT,
    allow_automation: MAY_BE_IGNORED,
    max_new_fields: MAY_BE_IGNORED,
  },
};
